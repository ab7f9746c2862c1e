/** The floor of the list of purchase orders: the same orders and lines, the kept total, the same fields, plain arithmetic. */
import { ask, type Row, serveList } from './floor-list.ts';

const ordersQuery = `
  select o.*, s.name as supplier_name from purchasing.purchase_orders o
  left join purchasing.suppliers s on s.store_id = o.store_id and s.id = o.supplier_id
  where o.store_id = $1 order by o.created_at desc, o.id desc limit $2`;
const linesQuery =
  'select * from purchasing.purchase_order_lines where store_id = $1 and order_id = any ($2::bigint[]) order by order_id, position';
const countQuery = `select sum(added) as n from purchasing.running_totals where store_id = $1 and list = 'purchase_orders'`;

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

serveList(50, async (store, { size }) => {
  const [orders, count] = await Promise.all([ask('orders', ordersQuery, [store, size]), ask('count', countQuery, [store])]);
  const lines = await ask('lines', linesQuery, [store, orders.map(({ id }) => id)]);
  const byOrder = Map.groupBy(lines, ({ order_id }) => order_id);
  return [orders.map((row) => order(row, byOrder.get(row.id) ?? [])), Number(count[0]!.n)];
});
