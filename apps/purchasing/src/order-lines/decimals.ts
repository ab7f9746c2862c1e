/** Column text as whole numbers and back: what is computed of an order is exact. */
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
