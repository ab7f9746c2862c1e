import type { Verb } from '../customers.ts';
import { tables } from '../tables.ts';
import { factOf } from './customer.ts';

/** Asked by sales on a miss of its copy. Archived customers are included and marked, so that sales can refuse them (D225). */
export const getCustomers: Verb<'GetCustomers'> = async (app, request, { caller }) => {
  const facts = tables.selectFrom('customers').select(['id', 'name', 'customer_code', 'email', 'phone', 'archived_at', 'merged_into']);
  const mine = facts.where('store_id', '=', caller.storeId).orderBy('id');
  const rows = await app.db.read(mine.where((eb) => eb('id', '=', eb.fn.any(eb.val((request.ids ?? []).map(Number))))));
  return {
    customers: rows.map(factOf).map((fact) => ({
      ...fact,
      customer_code: fact.customer_code ?? undefined,
      email: fact.email ?? undefined,
      phone: fact.phone ?? undefined,
    })),
  };
};
