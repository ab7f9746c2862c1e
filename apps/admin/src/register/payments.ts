/** The tenders of one sale. They make up its total; cash may be more, and the rest of it is change. */

import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { centsOf, fieldText, textOf } from '../parts/money.ts';

export type Payment = Schemas['SalePaymentInput'];

/** As it is typed. */
export interface Tender extends Omit<Payment, 'amount'> {
  key: number;
  /** Absent: what the others leave, of one alone all of it. */
  amount?: string;
  /** What a gift card was to pay before it was found to have less. */
  wanted?: string;
  /** The sale was refused, or not stored, after it was paid so: a terminal may have taken it. */
  wasSent?: true;
}

/** Of a refused payment what a terminal or card may have taken: the till does not forget it unsaid. */
export const takenElsewhere = (tenders: Tender[] = []): Tender[] => tenders.filter(({ wasSent, method }) => wasSent && method !== 'cash');

/** With the key that chooses it. */
export const methods: { value: Payment['method']; label: string; key?: string }[] = [
  { value: 'cash', label: t('Cash'), key: 'F5' },
  { value: 'debit', label: t('Debit card'), key: 'F6' },
  { value: 'credit', label: t('Credit card'), key: 'F7' },
  { value: 'e_transfer', label: t('E-transfer') },
  { value: 'gift_card', label: t('Gift card'), key: 'F9' },
  { value: 'store_credit', label: t('Store credit') },
];

/** Whether it is something else than all of it in cash, which a payment begins with; an emptied amount says nothing. */
export function isTyped(total: string, tenders: Tender[]): boolean {
  const isOther = ({ method, amount }: Tender) => method !== 'cash' || (amount !== undefined && amount !== total);
  return tenders.length > 1 || tenders.some((one) => one.amount !== '' && isOther(one));
}

const sum = (payments: Payment[]) => payments.reduce((total, { amount }) => total + (centsOf(amount) ?? 0n), 0n);

/** What is left of the total; negative: more was given. */
export function leftOf(total: string, payments: Payment[]): string {
  return textOf((centsOf(total) ?? 0n) - sum(payments));
}

/** What is still to pay. */
export function restOf(total: string, payments: Payment[]): string {
  const left = leftOf(total, payments);
  return left.startsWith('-') ? '0.00' : left;
}

/** What was typed, and for an amount that was not what the others leave: otherwise more would be paid than is due, and change made up. */
export function withRest(total: string, tenders: Tender[]): (Payment & Tender)[] {
  const rest = restOf(total, typedOf(tenders));
  return tenders.map((one) => ({ ...one, amount: one.amount ?? rest }));
}

/** An amount that was not typed pays nothing yet. */
export const typedOf = (tenders: Tender[]): (Payment & Tender)[] => tenders.map((one) => ({ ...one, amount: one.amount ?? '0.00' }));

/** What is handed back: at most the cash that was given. */
export function changeOf(total: string, payments: Payment[]): string {
  const over = -centsOf(leftOf(total, payments))!;
  return textOf(over > 0n ? over : 0n);
}

/** What is sent: the amounts due, without the change. */
export function sentPayments(total: string, payments: Payment[]): Payment[] {
  let change = centsOf(changeOf(total, payments))!;
  return payments.flatMap((payment) => {
    const amount = centsOf(payment.amount)!;
    const back = payment.method === 'cash' ? (change < amount ? change : amount) : 0n;
    change -= back;
    return amount === back ? [] : [{ ...payment, amount: textOf(amount - back) }];
  });
}

/** Why the tenders cannot be sent; undefined: they can. */
export function faultOf(total: string, payments: Payment[]): string | undefined {
  if (payments.some(({ amount }) => (centsOf(amount) ?? 0n) <= 0n)) return t('Every payment needs an amount');
  if (payments.some(({ method, card_number }) => method === 'gift_card' && !card_number?.trim())) return t('A gift card needs its number');
  const left = centsOf(leftOf(total, payments))!;
  if (left > 0n) return t('{left} is still to pay', { left: fieldText(textOf(left)) });
  const cash = sum(payments.filter(({ method }) => method === 'cash'));
  return -left > cash ? t('{left} more than the total, and not in cash', { left: fieldText(textOf(-left - cash)) }) : undefined;
}

/** A code that was scanned as cash, rather than a note that somebody has. */
export function isOdd(total: string, change: string): boolean {
  return centsOf(change)! > oddTimes * centsOf(total)!;
}

const oddTimes = 100n;

/** What a gift card has for one of the tenders, when others take some of it first. */
export function availableFor(of: Pick<Tender, 'key' | 'card_number'>, tenders: (Payment & { key: number })[], balance: number): string {
  const others = tenders.filter((one) => one.key !== of.key && cardOf(one) === cardOf(of));
  const left = centsOf(balance.toFixed(2))! - sum(others);
  return textOf(left > 0n ? left : 0n);
}

/** Numbers of gift cards are the same in small letters. */
const cardOf = ({ card_number }: Pick<Tender, 'card_number'>): string | undefined => card_number?.trim().toUpperCase();

/** An amount, or what there is if that is less. */
function withAtMost(amount: string, available: string): string {
  return (centsOf(amount) ?? 0n) > centsOf(available)! ? available : amount;
}

/** What a gift card pays once it is found: at most what it has, and of what others pay already no more than before; of 0.00 all of it. */
export function paidByCard(of: Tender & Payment, tenders: (Payment & { key: number })[], total: string, available: string): string {
  const left = leftOf(
    total,
    tenders.filter(({ key }) => key !== of.key),
  );
  const room = centsOf(left)! > (centsOf(of.amount) ?? 0n) ? left : of.amount;
  const wanted = of.wanted ?? of.amount;
  return withAtMost(withAtMost(centsOf(wanted) ? wanted : room, available), room);
}

const notes = [10n, 20n, 50n];

/** Notes and round sums that a customer hands over for this total, the smallest first. */
export function roundSums(total: string): string[] {
  const due = centsOf(total) ?? 0n;
  const sums = notes.map((note) => ((due + note * 100n - 1n) / (note * 100n)) * note * 100n);
  return [...new Set(sums)].filter((one) => one > due).map(textOf);
}
