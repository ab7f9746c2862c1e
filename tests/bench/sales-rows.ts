/** Sales, customers' copies and gift cards of the bench's stores, written as the services write them, but for their events. */
import type pg from 'pg';

/** Sales of today in each store, so that the window of the default list costs the same; the others lie in the past. */
export const salesToday = 500;
export const linesPerSale = 3;

export async function addSales(
  client: pg.Client,
  storeId: number,
  { sales, customers }: { sales: number; customers: number },
): Promise<void> {
  const { rows } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
     where indexrelid in ('sales.sales_receipt_search'::regclass, 'sales.customers_search'::regclass, 'sales.customers_phone'::regclass)`,
  );
  // Built once behind the rows: filling the indexes of trigrams row by row takes minutes.
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await client.query(copies, [storeId, customers]);
  await client.query(soldRows, [storeId, sales, customers, salesToday, linesPerSale]);
  for (const { text } of rows) await client.query(text);
  await client.query('vacuum analyze sales.sales, sales.sale_line_items, sales.sale_payments, sales.customers');
}

/** One in a hundred has a rare name, which search looks for; ids that no sale of another store has. */
const copies = `
  insert into sales.customers (store_id, id, name, customer_code, email, phone, archived, search_text, phone_digits, version)
  select $1, $1::bigint * 1000000 + n, name, 'C10001', email, digits, false, lower(concat_ws(E'\\x1f', name, email, digits)), digits, 1
  from (select n, initcap(md5(n::text)) || case when n % 100 = 0 then ' Lantern ' else ' Basket ' end || n as name,
          'customer' || n || '@example.com' as email, (2000000000 + n::bigint * 7919)::text as digits
        from generate_series(1, $2::int) n) c`;

const soldRows = `
  with made as (
    insert into sales.sales (store_id, receipt_number, status, source, sale_type, payment_method, customer_id, clerk_id, clerk_name,
      subtotal, discount_amount, sale_discount, tax_rates, tax_amount, total, fulfillment_method, fulfillment_status, completed_at,
      listed_at, created_at, updated_at)
    select $1, 'B-' || n, 'completed', 'pos', 'retail', 'cash', $1::bigint * 1000000 + n % $3 + 1, 7, 'Cleo Clerk',
      '10.17', '0.00', '0.00', '["20.00"]', '2.03', '12.20', 'in_store', 'fulfilled', at, at, at, at
    from generate_series(1, $2::int) n,
      lateral (select case when n > $2 - $4 then date_trunc('day', now(), 'UTC') + make_interval(secs => n % 60)
        else date_trunc('day', now(), 'UTC') - make_interval(secs => ($2 - n) * 30 + 60) end as at) t
    returning id),
  lines as (
    insert into sales.sale_line_items (store_id, sale_id, position, product_id, product_name, sku, quantity, unit_price,
      discount_amount, total, kitchen_item)
    select $1, made.id, position, 1000 + position, 'White metal lantern', '7105' || position, 1, '3.39', 0, '3.39', false
    from made, generate_series(0, $5::int - 1) position)
  insert into sales.sale_payments (store_id, sale_id, position, method, amount) select $1, made.id, 0, 'cash', '12.20' from made`;

export const giftCards = 20_000;

export async function addGiftCards(client: pg.Client, storeId: number): Promise<void> {
  await client.query(
    `insert into sales.gift_cards (store_id, card_number, status, original_amount, balance, held, issued_at, created_at, updated_at)
     select $1, 'GC-BENCH-' || n, 'active', 50, 25.5, 0, now(), now(), now() from generate_series(1, $2::int) n`,
    [storeId, giftCards],
  );
  await client.query('vacuum analyze sales.gift_cards');
}
