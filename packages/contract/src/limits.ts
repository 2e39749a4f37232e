/** Fresh page checks of one caller in any 60 seconds (spec "Limits"). */
export const FRESH_CHECKS_PER_MINUTE = 10;
