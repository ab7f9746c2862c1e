/** The customers that a sale or a card names. */
import type { Row } from '@store/db';
import type { FieldErrors } from '@store/input';
import type { Call } from '@store/rpc';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import type { Customer } from './customer.ts';

export type CopiedCustomer = Pick<Row<typeof Customer>, 'id' | 'name' | 'customer_code' | 'archived'>;

/** Those of the ids that the store has, by id. */
export async function copiedCustomers(app: Sales, call: Call, ids: number[]): Promise<Map<number, CopiedCustomer>> {
  if (ids.length === 0) return new Map();
  const copies = tables.selectFrom('customers').select(['id', 'name', 'customer_code', 'archived']);
  const found = await app.db.rows(copies.where('store_id', '=', call.caller.storeId).where('id', 'in', ids), call);
  return new Map(found.map((customer) => [customer.id, customer]));
}

/** What forbids to name the customer in something new: unknown, or archived (D225, D234). */
export async function customerErrors(app: Sales, call: Call, id: number): Promise<FieldErrors> {
  const customer = (await copiedCustomers(app, call, [id])).get(id);
  if (!customer) return { customer_id: ['is unknown'] };
  return customer.archived ? { customer_id: ['is archived'] } : {};
}
