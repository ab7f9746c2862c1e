import type { WantedCredit } from '../store-credit/credit-intents.ts';
import type { Planned } from './plan-sale.ts';
import { paidBy } from './tenders.ts';

/** The store credit that a sale takes when it is completed by this change. */
export function creditOf({ sale, payments, enters }: Planned): Omit<WantedCredit, 'saleId'> | undefined {
  if (enters !== 'completed' || sale.customer_id === null) return undefined;
  const amount = paidBy('store_credit', payments);
  return amount === '0.00' ? undefined : { customerId: sale.customer_id, amount };
}
