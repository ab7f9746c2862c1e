import { notFound } from '@store/problem';
import { readRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { creditOf, storeCreditView } from './store-credit.query.ts';
import { seesArchivedCredit } from './store-credit.ts';

/** GET /store_credits/customer/:customer_id: without credit 0 and [] (D122); of an archived customer for managers alone (D272). */
export const getStoreCredit: Verb<'GetStoreCredit'> = async (app, request, { caller }) => {
  const customer = await readRecord(app.db, request.customer_id, (id) => creditOf(caller.storeId, id), 'Customer');
  if (customer.archived_at && !seesArchivedCredit(caller)) throw notFound('Customer');
  return { store_credit: storeCreditView(customer) };
};
