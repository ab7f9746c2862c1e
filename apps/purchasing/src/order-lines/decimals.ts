/**
 * Column text as whole numbers and back: an order's figures are exact. Those of a list of a thousand lines are
 * computed with numbers, a tenth of the time: a column's value in its smallest unit is at most 10^14, and so exact, and a
 * product that is not exact is computed again with BigInt.
 */
import { moneyScale, quantityScale, scaled, unscaled } from '@store/input';

/** A quantity in thousandths. */
export const thousandths = (quantity: string): bigint => whole(quantity, quantityScale);
/** An amount in cents. */
export const cents = (amount: string): bigint => whole(amount, moneyScale);

function whole(text: string, scale: number): bigint {
  const value = scaled(text, scale);
  if (value === undefined) throw new Error(`not a decimal: ${text}`);
  return value;
}

export const quantityText = (value: bigint): string => unscaled(value, quantityScale);
export const moneyText = (value: bigint): string => unscaled(value, moneyScale);

/** numerator / denominator, rounded half-up; both at least 0. */
export function divided(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

const thousand = 10n ** BigInt(quantityScale);

/** Beyond what NUMERIC(14,3) holds, in thousandths (D166). */
export const quantityMax = 10n ** 14n;

/** quantity × unit price, rounded to cents: a line's total (D244). */
export function lineTotal(ordered: string, unitPrice: string | null): bigint {
  return divided(thousandths(ordered) * cents(unitPrice ?? '0'), thousand);
}

/** A column's quantity in thousandths: its text is off by far less than half of one. */
export const thousandthsOf = (quantity: string): number => Math.round(Number(quantity) * 10 ** quantityScale);
/** A column's amount in cents. */
export const centsOf = (amount: string): number => Math.round(Number(amount) * 10 ** moneyScale);

/** Whole units as the JSON number that shows them: a quotient of exact numbers is the number nearest to the decimal. */
const shown = (units: number, scale: number): number => units / 10 ** scale;

export const shownQuantity = (thousandths: number): number => shown(thousandths, quantityScale);

/** `lineTotal` as a JSON number. */
export function shownLineTotal(ordered: string, unitPrice: string | null): number {
  const product = thousandthsOf(ordered) * centsOf(unitPrice ?? '0');
  if (!Number.isSafeInteger(product)) return Number(moneyText(lineTotal(ordered, unitPrice)));
  const rest = product % 1_000;
  return shown((product - rest) / 1_000 + (rest >= 500 ? 1 : 0), moneyScale);
}

/** A quantity times an amount as a JSON number, with all five decimals. */
export function shownProduct(thousandths: number, cents: number): number {
  const product = thousandths * cents;
  if (!Number.isSafeInteger(product)) return Number(unscaled(BigInt(thousandths) * BigInt(cents), quantityScale + moneyScale));
  // Zero times a negative number is minus zero.
  return shown(product + 0, quantityScale + moneyScale);
}
