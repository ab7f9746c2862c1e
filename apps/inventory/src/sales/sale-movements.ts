/** Stock movements of sales: out when the sale counts, back when a counted one is voided (D164). */
import { isPositive, type Message, type SaleFact } from '@store/events';
import { scaled } from '@store/input';
import type { EventMovement } from '../stock-adjustments/event-movements.ts';

const types = { 'sale.completed': 'sale', 'sale.voided': 'void' } as const;

export function wantsSale({ name }: Message): boolean {
  return name in types;
}

/** One movement per line. Throws at an invalid sale, so that it ends in dead_letters. */
export function saleMovements({ storeId, name, internal }: Message): EventMovement[] {
  const sale = internal?.sale;
  if (!sale || !Array.isArray(sale.lines)) throw new Error('the event has no sale');
  if (!sale.counted) return [];
  const type = types[name as keyof typeof types];
  return sale.lines.map((line, position) => ({
    storeId,
    key: `${type}:${sale.id}:${position}`,
    product: { id: line.product_id, name: line.product_name, sku: line.sku },
    type,
    change: type === 'sale' ? `-${quantityOf(line)}` : quantityOf(line),
    place: line.bundle ? null : 'floor',
    reason: sale.receipt_number,
    user: sale.user,
    source: 'register',
  }));
}

function quantityOf({ product_id, quantity }: SaleFact['lines'][number]): string {
  if (!isPositive(product_id) || typeof quantity !== 'string' || (scaled(quantity, 3) ?? 0n) <= 0n)
    throw new Error('the event has no sold line');
  return quantity;
}
