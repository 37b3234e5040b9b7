fn pay() {}
