/** How a sale is paid when it becomes completed (D209, D237). */
import { cents, moneyText } from '@store/input';
import { split, type TenderMethod } from './sale.ts';
import { fitsMoney } from './totals.ts';

export interface Payment {
  method: TenderMethod;
  amount: string;
  /** Of a gift card. */
  card_number: string | null;
}

/** The payment of a sale as far as it was sent. */
interface Intended {
  /** undefined: not said. */
  payments: Payment[] | undefined;
  method: TenderMethod | typeof split | null;
}

/** The tenders of a sale of that total; without payments it is one, of the method. What is wrong is added to `faults`. */
export function tendersOf(total: string, { payments, method }: Intended, faults: string[]): Payment[] {
  if (payments === undefined) return single(total, method ?? 'cash', faults);
  const paid = payments.reduce((sum, payment) => sum + cents(payment.amount), 0n);
  if (paid !== cents(total)) faults.push(`Payments must sum up to the total of ${total}`);
  return payments;
}

function single(total: string, method: TenderMethod | typeof split, faults: string[]): Payment[] {
  if (method === split) faults.push(`Payments can't be blank for ${method}`);
  if (cents(total) === 0n) return [];
  if (method === 'gift_card') faults.push(`Payments can't be blank for ${method}`);
  return method === split ? [] : [{ method, amount: total, card_number: null }];
}

/** What the sale shows: split for two or more tenders. */
export function methodOf(tenders: Payment[], said: Intended['method']): Intended['method'] {
  // Without a tender nothing is split, and no Green eCheck was paid.
  const untendered = said === split || said === 'green_echeck' ? null : said;
  return tenders.length > 1 ? split : (tenders[0]?.method ?? untendered);
}

export function paidBy(method: TenderMethod, tenders: Payment[]): string {
  return moneyText(tenders.reduce((sum, tender) => sum + (tender.method === method ? cents(tender.amount) : 0n), 0n));
}

/** Both columns of a Green eCheck payment: the surcharge is not part of payments and totals. */
export function greenEcheckOf(
  tenders: Payment[],
  surcharge: string | null,
  faults: string[],
): { green_echeck_surcharge: string | null; green_echeck_total_paid: string | null } {
  if (!tenders.some((tender) => tender.method === 'green_echeck')) {
    if (surcharge !== null && cents(surcharge) > 0n) faults.push('Green echeck surcharge needs a Green eCheck payment');
    return { green_echeck_surcharge: null, green_echeck_total_paid: null };
  }
  const charged = surcharge ?? '0.00';
  const paid = cents(paidBy('green_echeck', tenders)) + cents(charged);
  if (!fitsMoney(paid)) faults.push('Green echeck surcharge is too large');
  return { green_echeck_surcharge: charged, green_echeck_total_paid: moneyText(paid) };
}
