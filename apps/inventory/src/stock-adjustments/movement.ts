/** How a ledger row moves stock: exact arithmetic on thousandths, no float anywhere. */
import { quantityMax, thousandths } from '@store/input';

/** Quantities are decimal text, as columns hold them. */
export type Movement =
  /** Signed; below zero is allowed, as clamping would falsify the ledger (D103). */
  | { by: string }
  /** The counted or target quantity. */
  | { to: string }
  /** Takes away, yet never goes below zero (PATCH /products/bulk_update). */
  | { down: string };

/** The change that a movement makes to a stock of `before`. */
export function changeOf(movement: Movement, before: bigint): bigint {
  if ('by' in movement) return thousandths(movement.by);
  if ('to' in movement) return thousandths(movement.to) - before;
  if (before <= 0n) return 0n;
  const wanted = thousandths(movement.down);
  return wanted < before ? -wanted : -before;
}

/** False for a quantity that no column can hold (D166). */
export function fits(value: bigint): boolean {
  return value < quantityMax && value > -quantityMax;
}
