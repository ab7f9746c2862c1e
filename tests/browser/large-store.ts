/** A store with many rows behind every list of the panel, written by set-based SQL as the services write them, but for their events. */
import { randomBytes } from 'node:crypto';
import { withClient } from '@store/testbed/with-client';
import { addCustomers } from '../bench/customers.ts';
import { type BenchStore, makeFilledStore } from '../bench/fixture.ts';
import { makeOrders } from '../bench/purchasing.ts';
import { addSales } from '../bench/sales-rows.ts';

const linesPerOrder = 3;

/** `rows` of each: products, customers, sales, orders, ledger rows, requests and audit entries. */
export async function makeLargeStore(url: string, rows: number): Promise<BenchStore> {
  return withClient(url, async (database) => {
    // No request uses its keys.
    const store = await makeFilledStore(database, url, { id: 1, secret: randomBytes(32) }, rows);
    const { storeId } = store;
    await addCustomers(database, storeId, rows);
    await addSales(database, storeId, { sales: rows, customers: rows });
    await makeOrders({ database, store }, { count: rows, lines: linesPerOrder });
    for (const text of [ledger, requests, changes]) await database.query(text, [storeId, rows]);
    await database.query('insert into inventory.stock_adjustment_counts (store_id, added) values ($1, $2)', [storeId, rows]);
    await database.query('vacuum analyze inventory.stock_adjustments, gateway.requests, gateway.audit_entries');
    return store;
  });
}

const ledger = `
  insert into inventory.stock_adjustments (store_id, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before,
    quantity_after, reason, user_name, created_at)
  select $1, p.id, p.name, p.sku, 'receive', 3, 0, 3, 'Opening stock', 'Ada Admin', now() - make_interval(secs => $2::int - n)
  from (select id, name, sku, row_number() over (order by id) as n from catalog.products where store_id = $1) p`;

const requests = `
  insert into gateway.requests (store_id, request_id, method, route, status, duration_ms, created_at)
  select $1, gen_random_uuid()::text, 'GET', '/products', case when n % 20 = 0 then 429 else 200 end, n % 50, now() - make_interval(secs => n * 10)
  from generate_series(1, $2::int) n`;

const changes = `
  insert into gateway.audit_entries (store_id, created_at, actor_type, user_name, action, resource_type, resource_id, before, after,
    request_id, ip, event_ids)
  select $1, now() - make_interval(secs => n), 'user', 'Ada Admin', 'product.update', 'Product', n,
    jsonb_build_object('price', n / 100.0), jsonb_build_object('price', n / 90.0), gen_random_uuid()::text, '127.0.0.1', '{}'
  from generate_series(1, $2::int) n`;
