import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../customers.ts';
import { ladderOf, loyaltyOf } from './loyalty.query.ts';
import { loyaltyView } from './loyalty.view.ts';

/** GET /customers/:id/loyalty. */
export const getCustomerLoyalty: Verb<'GetCustomerLoyalty'> = async (app, request, { caller }) => {
  const id = parseId(request.id);
  const [customer] = id === undefined ? [] : await app.db.read(loyaltyOf(caller.storeId, id));
  if (!customer) throw notFound('Customer');
  return { loyalty: loyaltyView({ customer, ladder: await app.db.read(ladderOf(caller.storeId)) }) };
};
