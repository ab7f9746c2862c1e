/** Reads customers with all that their shapes show. SQL text, as the list is a hot read (docs/decisions/0090). */
import { type EntityManager, type Row, sql } from '@store/db';
import { notFound, Problem } from '@store/problem';
import type { Customer } from './customer.ts';

/** Runs a statement: db.read outside a transaction, sql(em) inside one. */
export type Ask = <Answer>(text: string, values: unknown[]) => Promise<Answer[]>;
export function askIn(em: EntityManager): Ask {
  return (text, values) => sql(em, text, values);
}

export type CustomerRow = Omit<Row<typeof Customer>, 'store_id' | 'email_key' | 'phone_digits' | 'search_text'>;

const columns = `c.id, c.name, c.email, c.phone, c.customer_code, c.loyalty_card_number, c.email_receipt_opt_in, c.date_of_birth, c.notes,
  c.address_line1, c.address_line2, c.city, c.province, c.postal_code, c.country, c.loyalty_tier_id, c.loyalty_points, c.lifetime_spend,
  c.visit_count, c.store_credit_balance, c.created_at, c.updated_at, c.archived_at, c.loyalty_tier, c.external_id, c.merged_into`;

/** `page` selects rows of customers.customers as c; $1 is the store. */
export function customersStatement(page: string): string {
  return `select ${columns} from (${page}) c`;
}

type Unique = 'id' | 'customer_code' | 'loyalty_card_number';

/** A customer of the store that is not archived. */
export async function customerBy(ask: Ask, storeId: number, unique: Unique, value: unknown): Promise<CustomerRow | undefined> {
  const living = `select * from customers.customers where store_id = $1 and archived_at is null and ${unique} = $2`;
  return (await ask<CustomerRow>(customersStatement(living), [storeId, value]))[0];
}

/** The 404 of a customer that is no longer there: of one that was merged it names the customer that it is now. */
export async function customerGone(ask: Ask, storeId: number, id: number | undefined): Promise<Problem> {
  if (id === undefined) return notFound('Customer');
  const merged = 'select merged_into from customers.customers where store_id = $1 and id = $2 and merged_into is not null';
  const [row] = await ask<{ merged_into: number }>(merged, [storeId, id]);
  return row ? new Problem('not_found', 'Customer not found', { merged_into: row.merged_into }) : notFound('Customer');
}

const byIds = `${customersStatement('select * from customers.customers where store_id = $1 and id = any ($2::bigint[])')} order by c.id`;

/** Customers by id, archived ones included. */
export function customersByIds(ask: Ask, storeId: number, ids: number[]): Promise<CustomerRow[]> {
  return ask<CustomerRow>(byIds, [storeId, ids]);
}
