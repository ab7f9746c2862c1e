/** Purchase orders and their variances. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { holds, Skip, same } from '../outcome.ts';

const { read } = areaOf('purchase-orders');

interface Line {
  id: number;
  quantity_ordered: number;
  quantity_invoiced: number | null;
  quantity_received: number;
  variance_status: string;
  invoice_variance: number | null;
  receiving_variance: number | null;
  fulfillment_variance: number;
  variance_value: number | null;
}
interface Order {
  id: number;
  status: string;
  received_at: string | null;
  has_variance: boolean;
  line_items: Line[];
}
const list = '/purchase_orders?per_page=100';
const ordersOf = (kit: Kit): Promise<Order[]> => kit.data(list);
const purchasing = ['purchasing:read'];
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

const eachLine = (sentence: string, look: (line: Line, order: Order) => void) =>
  read('GET /purchase_orders', sentence, purchasing, async (kit) => {
    for (const order of await ordersOf(kit)) for (const line of order.line_items) look(line, order);
  });

function expectedVariance({ quantity_ordered, quantity_received }: Line, status: string): string {
  if (quantity_ordered === 0 && quantity_received > 0) return 'unexpected';
  if (quantity_received === 0) return status === 'received' ? 'short' : 'pending';
  if (quantity_received < quantity_ordered) return 'short';
  return quantity_received > quantity_ordered ? 'over' : 'ok';
}

export const orderChecks = [
  read(
    'GET /purchase_orders',
    'Purchase orders are listed newest first by creation, each with its line items.',
    purchasing,
    async (kit) => {
      const rows = await ordersOf(kit);
      for (const [index, next] of rows.slice(1).entries())
        holds(rows[index]!.id > next.id, `order ${next.id} follows order ${rows[index]!.id}`);
      for (const { id, line_items } of rows) holds(Array.isArray(line_items), `order ${id} has no line_items`);
    },
  ),
  read('GET /purchase_orders', 'received_at is set when the order is received.', purchasing, async (kit) => {
    for (const { id, status, received_at } of await ordersOf(kit))
      same(`order ${id}, which is ${status}, has received_at`, received_at !== null, status === 'received');
  }),
  read('GET /purchase_orders', 'has_variance is true if any line is short, over or unexpected.', purchasing, async (kit) => {
    for (const { id, has_variance, line_items } of await ordersOf(kit)) {
      same(
        `has_variance of order ${id}`,
        has_variance,
        line_items.some(({ variance_status }) => ['short', 'over', 'unexpected'].includes(variance_status)),
      );
    }
  }),
  eachLine('fulfillment_variance is received minus ordered.', (line) =>
    same(`fulfillment_variance of line ${line.id}`, line.fulfillment_variance, rounded(line.quantity_received - line.quantity_ordered)),
  ),
  eachLine('invoice_variance is invoiced minus ordered, null without an invoice.', (line) =>
    same(
      `invoice_variance of line ${line.id}`,
      line.invoice_variance,
      line.quantity_invoiced === null ? null : rounded(line.quantity_invoiced - line.quantity_ordered),
    ),
  ),
  eachLine('receiving_variance is received minus invoiced, null without an invoice.', (line) =>
    same(
      `receiving_variance of line ${line.id}`,
      line.receiving_variance,
      line.quantity_invoiced === null ? null : rounded(line.quantity_received - line.quantity_invoiced),
    ),
  ),
  eachLine('variance_value is null without an invoice.', (line) =>
    holds(line.quantity_invoiced !== null || line.variance_value === null, `line ${line.id} has ${line.variance_value}`),
  ),
  eachLine('variance_status is pending, ok, short, over or unexpected by what was ordered and received.', (line, { status }) =>
    same(`variance_status of line ${line.id}`, line.variance_status, expectedVariance(line, status)),
  ),
  ...['pending', 'received', 'cancelled'].map((status) =>
    read(`GET /purchase_orders?status=${status}`, 'status filters by one of the states.', purchasing, async (kit) =>
      same(
        'other states',
        ((await kit.data(`${list}&status=${status}`)) as Order[]).filter((order) => order.status !== status),
        [],
      ),
    ),
  ),
  read('GET /purchase_orders?status=conform', 'An unrecognised status is ignored.', purchasing, async (kit) => {
    const [all, filtered] = [await kit.get(list), await kit.get(`${list}&status=conform`)];
    same('total_count', filtered.body.pagination.total_count, all.body.pagination.total_count);
  }),
  read(
    'GET /purchase_orders?with_variance=true',
    'with_variance shows only orders with a line that is short, over or unexpected.',
    purchasing,
    async (kit) =>
      same(
        'others',
        ((await kit.data(`${list}&with_variance=true`)) as Order[]).filter(({ has_variance }) => !has_variance),
        [],
      ),
  ),
  read(
    'GET /purchase_orders?updated_since=never',
    'An unparseable updated_since is 422 "updated_since must be a valid timestamp".',
    purchasing,
    async (kit) => {
      const { status, body } = await kit.get('/purchase_orders?updated_since=never');
      same('the answer', [status, body?.error], [422, 'updated_since must be a valid timestamp']);
    },
  ),
  read('GET /purchase_orders/:id', 'GET /purchase_orders/:id answers one order in the same shape.', purchasing, async (kit) => {
    const [order] = await ordersOf(kit);
    if (!order) throw new Skip('the store has no purchase order');
    same('the order', (await kit.send('GET', `/purchase_orders/${order.id}`)).body.data, order);
  }),
];
