/** Movements of stock and states for costs, computed from the lines before and after a change. */
import type { ReceiptFact, ReceivedLine } from '@store/events';
import { quantityText, thousandths } from '@store/input';
import { receivedLine, type Shipping } from './costs.ts';
import type { LineRow } from './order-line.ts';

/** A line that changed; one that is new has nothing before. */
export interface LineChange {
  before: LineRow | undefined;
  after: LineRow;
}

export function movementsOf(changes: LineChange[]): ReceiptFact['moved'] {
  return changes.flatMap(({ before, after }) => {
    if (before?.product_id === after.product_id) {
      return movement(after, thousandths(after.quantity_received) - thousandths(before.quantity_received));
    }
    // Matched, matched anew or unmatched: all that was received so far goes with the product (D242).
    const taken = before ? movement(before, -thousandths(before.quantity_received)) : [];
    return [...taken, ...movement(after, thousandths(after.quantity_received))];
  });
}

function movement({ product_id, product_name, sku, bundle }: LineRow, change: bigint): ReceiptFact['moved'] {
  if (product_id === null || change === 0n) return [];
  return [{ product_id, product_name: product_name ?? '', sku, bundle, quantity: quantityText(change) }];
}

/** The lines of which something was or is received, where that, the cost or the product changed. */
export function costedLines(changes: LineChange[], shipping: Shipping): ReceivedLine[] {
  return changes.flatMap(({ before, after }) => {
    if (thousandths(before?.quantity_received ?? '0') === 0n && thousandths(after.quantity_received) === 0n) return [];
    const was = before && receivedLine(before, shipping);
    const is = receivedLine(after, shipping);
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [is];
  });
}
