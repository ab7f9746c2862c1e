/** Writes the copy of customers. Text: one statement per batch, whatever its size. */
import { type EntityManager, type Row, sql } from '@store/db';
import type { CustomerFact } from '@store/events';
import { digitsOf } from '@store/input';
import type { Customer } from './customer.ts';

export interface VersionedCustomer {
  storeId: number;
  version: number;
  customer: CustomerFact;
}

/** Separates the parts, so that no search matches across two of them. */
export const searchSeparator = '\u001f';

/** Keeps the newest version of each customer: an event that is sent again may arrive after a newer one. */
export async function saveCustomers(em: EntityManager, customers: VersionedCustomer[]): Promise<void> {
  const last = new Map<string, VersionedCustomer>();
  for (const saved of customers) {
    const key = `${saved.storeId}:${saved.customer.id}`;
    if (saved.version >= (last.get(key)?.version ?? 0)) last.set(key, saved);
  }
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
    [JSON.stringify([...last.values()].map(rowOf))],
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
    // Lower-cased here and not in SQL: PostgreSQL's lower() knows only ASCII under the C locale.
    search_text: [name, email, phone].filter(Boolean).join(searchSeparator).toLowerCase(),
    phone_digits: digitsOf(phone ?? ''),
    version,
  };
}
