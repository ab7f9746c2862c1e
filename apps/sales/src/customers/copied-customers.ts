/** The customers that a sale or a card names: from the copy, and from customers where the copy does not have them yet. */
import type { Row } from '@store/db';
import type { CustomerFact } from '@store/events';
import type { FieldErrors } from '@store/input';
import type { CustomerFact__Output } from '@store/protos/customers/v1.ts';
import type { Call } from '@store/rpc';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import type { Customer } from './customer.ts';
import { saveCustomers } from './save-customers.ts';

export type CopiedCustomer = Pick<Row<typeof Customer>, 'id' | 'name' | 'customer_code' | 'archived'>;

/**
 * Those of the ids that the store has, by id, archived ones included (D234). On a miss customers is asked, and its answer is
 * kept until an event brings a newer one; the call fails when customers is down. Never inside a transaction.
 */
export async function copiedCustomers(app: Sales, call: Call, ids: number[]): Promise<Map<number, CopiedCustomer>> {
  if (ids.length === 0) return new Map();
  const { storeId } = call.caller;
  const copies = tables.selectFrom('customers').select(['id', 'name', 'customer_code', 'archived']);
  const found = await app.db.read(copies.where('store_id', '=', storeId).where((copy) => copy('id', '=', copy.fn.any(copy.val(ids)))));
  const known = new Map<number, CopiedCustomer>(found.map((customer) => [customer.id, customer]));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  const { customers = [] } = await app.customers.GetCustomers({ ids: missing }, call);
  const facts = customers.map(factOf);
  if (facts.length > 0) {
    const copied = facts.map((customer) => ({ storeId, version: 0, customer }));
    await app.db.unit(storeId, (em) => saveCustomers(em, copied));
  }
  for (const fact of facts) known.set(fact.id, fact);
  return known;
}

function factOf({ id, name = '', customer_code, email, phone, archived = false, merged_into }: CustomerFact__Output): CustomerFact {
  const contacts = { customer_code: customer_code ?? null, email: email ?? null, phone: phone ?? null };
  return { id: Number(id), name, ...contacts, archived, ...(merged_into && { merged_into: Number(merged_into) }) };
}

/** Why the customer cannot be named in a new record: unknown or archived (D225, D234). */
export async function customerErrors(app: Sales, call: Call, id: number): Promise<FieldErrors> {
  const customer = (await copiedCustomers(app, call, [id])).get(id);
  if (!customer) return { customer_id: ['is unknown'] };
  return customer.archived ? { customer_id: ['is archived'] } : {};
}
