/** Stock movements of receipts of purchase orders and their corrections (D157, D242). */
import { isPositive, type Message, type ReceiptFact } from '@store/events';
import { scaled } from '@store/input';
import type { EventMovement } from '../stock-adjustments/event-movements.ts';

export function wantsReceipt({ internal }: Message): boolean {
  return internal?.receipt !== undefined;
}

/** One movement per line. Throws at an invalid receipt, so that it ends in dead_letters. */
export function receiptMovements({ storeId, internal }: Message): EventMovement[] {
  const { order_id, order_number, number, user, moved } = internal!.receipt!;
  if (!isPositive(order_id) || !isPositive(number) || !Array.isArray(moved)) throw new Error('the event has no receipt');
  return moved.map((line, position) => ({
    storeId,
    key: `receipt:${order_id}:${number}:${position}`,
    product: { id: line.product_id, name: line.product_name, sku: line.sku },
    type: 'receive',
    change: changeOf(line),
    place: line.bundle ? null : 'back',
    reason: order_number,
    user,
    source: 'purchase_order',
  }));
}

function changeOf({ product_id, quantity }: ReceiptFact['moved'][number]): string {
  if (!isPositive(product_id) || typeof quantity !== 'string' || !scaled(quantity, 3)) throw new Error('the event has no received line');
  return quantity;
}
