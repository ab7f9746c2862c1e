/**
 * Column text as whole numbers and back: an order's figures are exact. Those of a list of a thousand lines are
 * computed with numbers, a tenth of the time: a column's value in its smallest unit is exact as far as it is safe, and a
 * product that is not is computed again with BigInt.
 */
import { costScale, moneyScale, moneyText, quantityScale, thousandths, unitsOf, unscaled } from '@store/input';

/** What a unit costs, in the smallest unit that is kept of it (D268). */
export const costUnits = (cost: string): bigint => unitsOf(cost, costScale);

/** numerator / denominator, rounded half-up; both at least 0. */
export function divided(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Of a quantity times a cost. */
const productScale = quantityScale + costScale;
const perCent = 10 ** (productScale - moneyScale);

/** quantity × unit price, rounded to cents: a line's total (D244). */
export function lineTotal(ordered: string, unitPrice: string | null): bigint {
  return divided(thousandths(ordered) * costUnits(unitPrice ?? '0'), BigInt(perCent));
}

/** A column's quantity in thousandths: its text is off by far less than half of one. */
export const thousandthsOf = (quantity: string): number => Math.round(Number(quantity) * 10 ** quantityScale);
/** Beyond this many units a number may be off by one of them. */
const exactUnitsMax = 2 ** 50;

/** `costUnits` as a number; NaN, which makes no product, where it may not be exact. */
function costUnitsOf(cost: string): number {
  const units = Math.round(Number(cost) * 10 ** costScale);
  return units <= exactUnitsMax ? units : Number.NaN;
}

/** Whole units as the JSON number that shows them: a quotient of exact numbers is the number nearest to the decimal. */
const shown = (units: number, scale: number): number => units / 10 ** scale;

export const shownQuantity = (thousandths: number): number => shown(thousandths, quantityScale);

/** `lineTotal` as a JSON number. */
export function shownLineTotal(ordered: string, unitPrice: string | null): number {
  const product = thousandthsOf(ordered) * costUnitsOf(unitPrice ?? '0');
  if (!Number.isSafeInteger(product)) return Number(moneyText(lineTotal(ordered, unitPrice)));
  const rest = product % perCent;
  return shown((product - rest) / perCent + (2 * rest >= perCent ? 1 : 0), moneyScale);
}

/** A quantity times a cost as a JSON number, with all seven decimals. */
export function shownProduct(thousandths: number, cost: string): number {
  const product = thousandths * costUnitsOf(cost);
  if (!Number.isSafeInteger(product)) return Number(unscaled(BigInt(thousandths) * costUnits(cost), productScale));
  // Zero times a negative number is minus zero.
  return shown(product + 0, productScale);
}
