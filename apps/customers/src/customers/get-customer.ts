import type { Ask } from '@store/db';
import { parseId } from '@store/input';
import type { CustomerResponse } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import type { Customers, Verb } from '../customers.ts';
import { customerBy, customerGone } from './customer.query.ts';
import { customerView, readerOf } from './customer.view.ts';

/** One customer; an archived, unknown or other store's customer is the same 404. */
export const getCustomer: Verb<'GetCustomer'> = (app, request, { caller }) =>
  shownCustomer((text, values) => app.db.read(text, values, { short: true }), app, caller, parseId(request.id));

/** The customer as its GET answers it. */
export async function shownCustomer(ask: Ask, app: Customers, caller: Caller, id: number | undefined): Promise<CustomerResponse> {
  const row = id === undefined ? undefined : await customerBy(ask, caller.storeId, 'id', id);
  if (!row) throw await customerGone(ask, caller.storeId, id);
  return { customer: customerView(row, readerOf(caller, app.db.clock.now())) };
}
