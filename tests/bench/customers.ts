/** Customers of the bench's stores. */
import type pg from 'pg';

/** A list of the large store must take little longer than one of the small store. */
export const customersOf = { small: 2_000, large: 90_000 };

/** The search index is built once behind the rows, as filling it row by row takes most of a minute. */
export async function addCustomers(client: pg.Client, storeId: number, count: number): Promise<void> {
  const { rows } = await client.query<{ text: string }>(`select pg_get_indexdef('customers.customers_search'::regclass) as text`);
  await client.query('drop index customers.customers_search');
  await client.query(customers, [storeId, count]);
  await client.query(rows[0]!.text);
  await client.query(`insert into customers.running_totals (store_id, list, added) values ($1, 'customers', $2)`, [storeId, count]);
  await client.query('insert into customers.customer_codes (store_id, allocated) values ($1, $2)', [storeId, count]);
  await client.query('vacuum analyze customers.customers');
}

/** One in a hundred has a rare name, which search looks for. */
const customers = `
  insert into customers.customers (store_id, name, email, phone, customer_code, email_key, phone_digits, lifetime_spend, visit_count,
    search_text, created_at, updated_at)
  select $1, name, email, phone, code, email, digits, n % 900 + 0.5, n % 40, lower(concat_ws(E'\\x1f', name, email, phone, code)), now(),
    now() - n * interval '1 s'
  from (select n, initcap(md5(n::text)) || case when n % 100 = 0 then ' Lantern ' else ' Basket ' end || n as name,
          'customer' || n || '@example.com' as email, digits, 'C' || lpad(((10000 + n) % 100000)::text, 5, '0') as code,
          format('(%s) %s-%s', left(digits, 3), substr(digits, 4, 3), right(digits, 4)) as phone
        from generate_series(1, $2::int) n, lateral (select (2000000000 + n::bigint * 7919)::text as digits) d) c`;
