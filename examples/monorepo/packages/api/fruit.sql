select name from fruit limit 10;
