import { isPositive, type Message, type SaleFact } from '@store/events';
import { scaled } from '@store/input';

/** A sale that began to count, or one that counted and was voided (D164). */
export interface ReceivedSale {
  kind: 'completed' | 'voided';
  sale: SaleFact;
}

const kinds: Record<string, ReceivedSale['kind']> = { 'sale.completed': 'completed', 'sale.voided': 'voided' };

/** The void of a sale that never counted takes nothing back. */
export function wantsSale(message: Message): boolean {
  // By name first: no other event is decoded.
  return kinds[message.name] !== undefined && message.internal?.sale?.counted !== false;
}

/** Throws at an invalid sale, so that it ends in dead_letters. */
export function receivedSale({ name, internal }: Message): ReceivedSale {
  const sale = internal?.sale;
  if (!sale || !isPositive(sale.id) || !(sale.customer_id === null || isPositive(sale.customer_id)))
    throw new Error('the event has no sale');
  for (const amount of [sale.subtotal, sale.discount_amount, sale.total, sale.store_credit]) {
    if (typeof amount !== 'string' || scaled(amount, 2) === undefined) throw new Error('the event has no amounts of a sale');
  }
  return { kind: kinds[name]!, sale };
}
