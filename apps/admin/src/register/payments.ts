/** The tenders of one sale; together they must be its total. */
import type { Schemas } from '../api/gen/api.js';
import { centsOf, textOf } from '../parts/money.ts';

export type Payment = Schemas['SalePaymentInput'];

export const methods: { value: Payment['method']; label: string }[] = [
  { value: 'cash', label: 'Cash' },
  { value: 'debit', label: 'Debit card' },
  { value: 'credit', label: 'Credit card' },
  { value: 'e_transfer', label: 'E-transfer' },
  { value: 'gift_card', label: 'Gift card' },
  { value: 'store_credit', label: 'Store credit' },
];

/** What is left of the total; negative: too much was entered. */
export function leftOf(total: string, payments: Payment[]): string {
  const paid = payments.reduce((sum, { amount }) => sum + (centsOf(amount) ?? 0n), 0n);
  return textOf((centsOf(total) ?? 0n) - paid);
}

/** Why the tenders cannot be sent; undefined: they can. */
export function faultOf(total: string, payments: Payment[]): string | undefined {
  if (payments.some(({ amount }) => (centsOf(amount) ?? 0n) <= 0n)) return 'Every payment needs an amount';
  if (payments.some(({ method, card_number }) => method === 'gift_card' && !card_number?.trim())) return 'A gift card needs its number';
  const left = centsOf(leftOf(total, payments))!;
  if (left > 0n) return `${textOf(left)} is still to pay`;
  return left < 0n ? `${textOf(-left)} more than the total` : undefined;
}
