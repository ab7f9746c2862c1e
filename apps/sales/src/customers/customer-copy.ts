/** The copy of customers: from their events, and from customers where it does not have one yet. */
import { type EntityManager, type Row, searchText, sql } from '@store/db';
import type { CustomerFact } from '@store/events';
import { digitsOf, type FieldErrors } from '@store/input';
import { invalid } from '@store/problem';
import type { CustomerFact__Output } from '@store/protos/customers/v1.ts';
import type { Call } from '@store/rpc';
import { newestOf } from '@store/service';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import type { Customer } from './customer.ts';

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

/** Why a customer cannot be named in a new record: unknown or archived (D225, D234). */
export function customerErrors(customer: CopiedCustomer | undefined): FieldErrors {
  if (!customer) return { customer_id: ['is unknown'] };
  return customer.archived ? { customer_id: ['is archived'] } : {};
}

export const mergedInto = 'select merged_into from sales.customers where store_id = $1 and id = $2';

/** Held to the commit: no new sale or card names a customer after what it had went over. */
export async function holdCustomer(em: EntityManager, storeId: number, id: number | null): Promise<void> {
  if (id === null) return;
  const [customer] = await sql<{ merged_into: number | null }>(em, `${mergedInto} for share`, [storeId, id]);
  if (customer?.merged_into) throw invalid(['Customer is archived']);
}

interface VersionedCustomer {
  storeId: number;
  version: number;
  customer: CustomerFact;
}

/** Keeps the newest version of each customer: an event that is sent again may arrive after a newer one. */
export async function saveCustomers(em: EntityManager, customers: VersionedCustomer[]): Promise<void> {
  await sql(
    em,
    `insert into sales.customers as c
       (store_id, id, name, customer_code, email, phone, archived, merged_into, search_text, phone_digits, version)
     select store_id, id, name, customer_code, email, phone, archived, merged_into, search_text, phone_digits, version
     from json_to_recordset($1::json) as x(store_id bigint, id bigint, name text, customer_code text, email text, phone text,
       archived boolean, merged_into bigint, search_text text, phone_digits text, version bigint)
     order by store_id, id
     on conflict (store_id, id) do update set name = excluded.name, customer_code = excluded.customer_code, email = excluded.email,
       phone = excluded.phone, archived = excluded.archived, merged_into = excluded.merged_into, search_text = excluded.search_text,
       phone_digits = excluded.phone_digits, version = excluded.version
     where c.version <= excluded.version`,
    [JSON.stringify(newestOf(customers.map(rowOf)))],
  );
}

function rowOf({ storeId, version, customer }: VersionedCustomer): Row<typeof Customer> {
  const { id, name, customer_code, email, phone, archived, merged_into = null } = customer;
  return {
    store_id: storeId,
    id,
    name,
    customer_code,
    email,
    phone,
    archived,
    merged_into,
    search_text: searchText([name, email, phone]),
    phone_digits: digitsOf(phone ?? ''),
    version,
  };
}
