/**
 * `npm run bench -- --only purchasing`: the list of 50 orders of 20 lines beside a floor written by hand, with and without
 * with_variance, in a store of 50,000 orders; and a receipt of 500 lines until its ledger rows, costs and events are there.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { succeed } from '../kit/http.ts';
import { logIn } from '../kit/stores.ts';
import { type BenchLayout, type BenchOptions, openLayout, openNotes } from './events-layout.ts';
import { openFloors } from './floors.ts';
import { wireRequest } from './load.ts';
import { measure, shown, type Target } from './measure.ts';

const orders = 50_000;
const linesPerOrder = 20;
const receivedLines = 500;
const arrivedWithinMs = 30_000;
const lookEveryMs = 10;

export async function benchPurchasing({ stops, ...how }: BenchOptions): Promise<Record<string, unknown>> {
  const layout = await openLayout({ name: 'purchasing-bench', products: 1_000, say: how.say, stops });
  how.say(`Making ${orders.toLocaleString('en')} orders of ${linesPerOrder} lines`);
  await makeOrders(layout);
  const floor = await (await openFloors(layout.env, stops)).list('floor-purchasing.ts');
  const { figures, note } = openNotes();
  const { keys } = layout.store;
  const gateway = Number(new URL(layout.api).port);
  const target = (name: string, port: number, processes: Record<string, number>, path: string): Target => {
    const request = (n: number) => wireRequest('GET', path, { 'X-API-Key': keys[1 + (n % (keys.length - 1))]! });
    return { name, port, processes, request };
  };
  const targets = [
    target('floor', floor.port, floor.processes, '/purchase_orders'),
    target('list', gateway, layout.processes, '/api/v1/purchase_orders'),
    target('list with_variance', gateway, layout.processes, '/api/v1/purchase_orders?with_variance=true'),
  ];
  for (const connections of how.connections)
    for (const [name, figure] of await measure(targets, { ...how, connections }))
      note(`${name}, ${connections} connections`, shown(figure));
  for (let round = 0; round < how.rounds; round++) note(`receipt of ${receivedLines} lines, ${round + 1}`, await receipt(layout));
  return figures;
}

/** One order in five has a line that is short. Written as the service writes them, but for their events. */
export async function makeOrders(
  { database, store }: Pick<BenchLayout, 'database' | 'store'>,
  { count = orders, lines = linesPerOrder } = {},
): Promise<void> {
  await database.query(
    `with supplier as (
       insert into purchasing.suppliers (store_id, name, created_at, updated_at) values ($1, 'Bench supplier', now(), now()) returning id),
     made as (
       insert into purchasing.purchase_orders (store_id, order_number, status, supplier_id, subtotal, tax_amount, shipping_cost, total,
         ordered_at, has_variance, receipt_count, created_at, updated_at)
       select $1, 'B-' || n, case when n % 5 = 0 then 'partially_received' else 'shipped' end, supplier.id, 270, 0, 5, 275, at, n % 5 = 0, 0, at, at
       from supplier, generate_series(1, $2::int) n, lateral (select now() - make_interval(secs => $2 - n) as at) t
       returning id, has_variance),
     lines as (
       insert into purchasing.purchase_order_lines (store_id, order_id, position, product_id, product_name, sku, unit_type, bundle,
         quantity_ordered, quantity_received, unit_price, match_status)
       select $1, made.id, n, n + 1, 'Product ' || n, 'SKU-' || n, 'unit', false, 10, case when has_variance and n = 0 then 4 else 0 end, 1.35, 'matched'
       from made, generate_series(0, $3::int - 1) n)
     insert into purchasing.running_totals (store_id, list, added) values
       ($1, 'purchase_orders', $2), ($1, 'purchase_orders_with_variance', $2 / 5)`,
    [store.storeId, count, lines],
  );
  await database.query('vacuum analyze purchasing.purchase_orders, purchasing.purchase_order_lines');
}

/** From the request to the answer, and from the answer until all that it sets in motion is there. */
async function receipt({ api, database, store }: BenchLayout): Promise<object> {
  const token = await logIn(api, store.staff);
  const post = (path: string, body: object) => succeed('POST', `${api}${path}`, { token, body });
  const ids = [...new Set(store.ids)].slice(0, receivedLines);
  const line_items = ids.map((product_id) => ({ product_id, quantity_ordered: 2, unit_price: '1.35' }));
  const { purchase_order: order } = await post('/purchase_orders', { purchase_order: { line_items } });
  const arrived = order.line_items.map(({ id }: { id: number }) => ({ id, quantity_received: 2 }));
  const startedAt = performance.now();
  const { purchase_order: received } = await post(`/purchase_orders/${order.id}/receive`, { line_items: arrived });
  const answeredAt = performance.now();
  if (received.status !== 'received') throw new Error(`the order is ${received.status}`);
  const waiting = ['purchasing', 'inventory', 'catalog'].map((schema) => `(select count(*) from ${schema}.outbox)`).join(' + ');
  for (;;) {
    const { rows } = await database.query(
      `select (select count(*) from inventory.stock_adjustments where store_id = $1 and reason = $2) as ledger,
         (select count(*) from catalog.received_lines where store_id = $1 and line_id = any ($3::bigint[]) and quantity = 2) as costs,
         (select count(*) from catalog.products where store_id = $1 and id = any ($4::bigint[]) and average_cost is not null) as averages,
         ${waiting} as waiting`,
      [store.storeId, order.order_number, arrived.map(({ id }: { id: number }) => id), ids],
    );
    const { ledger, costs, averages, waiting: left } = rows[0];
    const isThere = [ledger, costs, averages].every((count) => Number(count) === ids.length) && Number(left) === 0;
    const afterMs = Math.round(performance.now() - answeredAt);
    if (isThere) return { lines: ids.length, answeredMs: Math.round(answeredAt - startedAt), allThereAfterMs: afterMs };
    if (afterMs > arrivedWithinMs) throw new Error(`not there in time: ${JSON.stringify(rows[0])}`);
    await wait(lookEveryMs);
  }
}
