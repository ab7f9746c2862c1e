/**
 * The floor of the list of purchase orders: the same orders and lines in one process without a gateway and services, by
 * node:http and pg. A key check in the database, the kept total, the same fields, plain arithmetic; no limits, no scopes.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');
const perPage = 50;

const keyQuery =
  'select store_id from gateway.api_keys where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())';
const ordersQuery = `
  select o.*, s.name as supplier_name from purchasing.purchase_orders o
  left join purchasing.suppliers s on s.store_id = o.store_id and s.id = o.supplier_id
  where o.store_id = $1 order by o.created_at desc, o.id desc limit $2`;
const linesQuery =
  'select * from purchasing.purchase_order_lines where store_id = $1 and order_id = any ($2::bigint[]) order by order_id, position';
const countQuery = `select sum(added) as n from purchasing.running_totals where store_id = $1 and list = 'purchase_orders'`;

// biome-ignore lint/suspicious/noExplicitAny: rows as pg returns them.
type Row = Record<string, any>;

function line(row: Row): object {
  const [ordered, received] = [Number(row.quantity_ordered), Number(row.quantity_received)];
  const invoiced = row.quantity_invoiced === null ? null : Number(row.quantity_invoiced);
  const price = Number(row.unit_price);
  const state = received === 0 ? 'pending' : received < ordered ? 'short' : received > ordered ? 'over' : 'ok';
  return {
    id: Number(row.id),
    product_id: Number(row.product_id),
    product_name: row.product_name,
    sku: row.sku,
    unit_type: row.unit_type,
    quantity_ordered: ordered,
    quantity_invoiced: invoiced,
    quantity_received: received,
    unit_price: price,
    unit_cost_invoiced: row.unit_cost_invoiced,
    line_total: ordered * price,
    variance_status: state,
    invoice_variance: invoiced === null ? null : invoiced - ordered,
    receiving_variance: invoiced === null ? null : received - invoiced,
    fulfillment_variance: received - ordered,
    variance_value: invoiced === null ? null : (invoiced - received) * price,
    match_status: row.match_status,
    supplier_document_id: row.supplier_document_id,
  };
}

function order(row: Row, lines: Row[]): object {
  return {
    id: Number(row.id),
    order_number: row.order_number,
    status: row.status,
    supplier: row.supplier_id === null ? null : { id: Number(row.supplier_id), name: row.supplier_name },
    subtotal: Number(row.subtotal),
    tax_amount: Number(row.tax_amount),
    shipping_cost: Number(row.shipping_cost),
    total: Number(row.total),
    ordered_at: row.ordered_at,
    received_at: row.received_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    has_variance: row.has_variance,
    line_items: lines.map(line),
  };
}

const server = createServer(async (request, response) => {
  const hash = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest();
  const key = (await pool.query({ name: 'key', text: keyQuery, values: [hash] })).rows[0];
  if (!key) return response.writeHead(401).end();
  const [orders, count] = await Promise.all([
    pool.query<Row>({ name: 'orders', text: ordersQuery, values: [key.store_id, perPage] }),
    pool.query({ name: 'count', text: countQuery, values: [key.store_id] }),
  ]);
  const ids = orders.rows.map(({ id }) => id);
  const lines = await pool.query<Row>({ name: 'lines', text: linesQuery, values: [key.store_id, ids] });
  const byOrder = Map.groupBy(lines.rows, ({ order_id }) => order_id);
  const total = Number(count.rows[0].n);
  const body = JSON.stringify({
    data: orders.rows.map((row) => order(row, byOrder.get(row.id) ?? [])),
    pagination: { current_page: 1, per_page: perPage, total_count: total, total_pages: Math.ceil(total / perPage) },
    meta: { request_id: crypto.randomUUID(), timestamp: new Date().toISOString() },
  });
  return response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
