import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../customers.ts';
import { type Ask, customerById } from './customer.query.ts';
import { customerView, readerOf } from './customer.view.ts';

/** One customer; an archived, unknown or other store's customer is the same 404. */
export const getCustomer: Verb<'GetCustomer'> = async (app, request, { caller }) => {
  const id = parseId(request.id);
  const ask: Ask = (text, values) => app.db.read(text, values, { short: true });
  const row = id === undefined ? undefined : await customerById(ask, caller.storeId, id);
  if (!row) throw notFound('Customer');
  return { customer: customerView(row, readerOf(caller, app.db.clock.now())) };
};
