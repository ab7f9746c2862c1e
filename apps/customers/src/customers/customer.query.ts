/** Reads customers with all that their shapes show. SQL text, as the list is a hot read (docs/decisions/0090). */
import { type Ask, columnsOf, type Row } from '@store/db';
import { notFound, Problem } from '@store/problem';
import { Customer } from './customer.ts';

/** Columns that no shape shows. */
const hidden = ['store_id', 'email_key', 'phone_digits', 'search_text'] as const;

export type CustomerRow = Omit<Row<typeof Customer>, (typeof hidden)[number]>;

const columns = columnsOf(Customer)
  .filter((name) => !(hidden as readonly string[]).includes(name))
  .map((name) => `c.${name}`)
  .join(', ');

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
