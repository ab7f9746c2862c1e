import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../customers.ts';
import { creditOf, storeCreditView } from './store-credit.query.ts';
import { seesArchivedCredit } from './store-credit.ts';

/** GET /store_credits/customer/:customer_id: without credit 0 and [] (D122); of an archived customer for managers alone (D272). */
export const getStoreCredit: Verb<'GetStoreCredit'> = async (app, request, { caller }) => {
  const id = parseId(request.customer_id);
  const [customer] = id === undefined ? [] : await app.db.read(creditOf(caller.storeId, id));
  if (!customer || (customer.archived_at && !seesArchivedCredit(caller))) throw notFound('Customer');
  return { store_credit: storeCreditView(customer) };
};
