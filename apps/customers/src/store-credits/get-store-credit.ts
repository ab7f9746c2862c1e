import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../customers.ts';
import { creditOf, storeCreditView } from './store-credit.query.ts';

/** GET /store_credits/customer/:customer_id: without credit 0 and [] (D122). */
export const getStoreCredit: Verb<'GetStoreCredit'> = async (app, request, { caller }) => {
  const id = parseId(request.customer_id);
  const [customer] = id === undefined ? [] : await app.db.read(creditOf(caller.storeId, id));
  if (!customer) throw notFound('Customer');
  return { store_credit: storeCreditView(customer) };
};
