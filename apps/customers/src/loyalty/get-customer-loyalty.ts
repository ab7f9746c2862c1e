import { readRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { ladderOf, loyaltyOf } from './loyalty.query.ts';
import { loyaltyView } from './loyalty.view.ts';

/** GET /customers/:id/loyalty. */
export const getCustomerLoyalty: Verb<'GetCustomerLoyalty'> = async (app, request, { caller }) => {
  const customer = await readRecord(app.db, request.id, (id) => loyaltyOf(caller.storeId, id), 'Customer');
  return { loyalty: loyaltyView({ customer, ladder: await app.db.read(ladderOf(caller.storeId)) }) };
};
