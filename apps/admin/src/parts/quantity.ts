const decimals = 3;

/** What is left of a typed quantity, with the decimals that quantities have. */
export function lessOf(quantity: number | string = 0, taken = 0): number {
  return Number((Number(quantity) - taken).toFixed(decimals));
}
