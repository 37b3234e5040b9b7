export const plum = "#8e4585";
