/** The API refuses shorter ones. */
export const passwordMin = 12;
