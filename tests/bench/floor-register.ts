/**
 * The register's write of floor C: a completed sale with its lines, its payment and its event, and what it sets in motion, the
 * stock, the ledger and the catalogue's copy with their events, all in the one transaction.
 */
import type { Row } from './floor-list.ts';
import { emit, type Write } from './floor-writes.ts';

interface Sale {
  line_items: { product_id: number; quantity: number }[];
}

const products =
  'select id, name, sku, price, cost from catalog.products where store_id = $1 and id = any ($2::bigint[]) and deleted_at is null';
const insertSale = `
  insert into sales.sales (store_id, receipt_number, status, source, sale_type, payment_method, clerk_id, clerk_name, subtotal,
    discount_amount, sale_discount, tax_rates, tax_amount, total, fulfillment_method, fulfillment_status, completed_at, listed_at,
    created_at, updated_at)
  values ($1, 'F-' || nextval('floor.receipts'), 'completed', 'pos', 'retail', 'cash', 7, 'Cleo Clerk', $2, 0, 0, '[]', 0, $2, 'in_store',
    'fulfilled', now(), now(), now(), now()) returning *`;
const insertLines = `
  insert into sales.sale_line_items (store_id, sale_id, position, product_id, product_name, sku, quantity, unit_price, discount_amount,
    total, cost, kitchen_item)
  select $1, $2, x.*, false from json_to_recordset($3::json) as x(position int, product_id bigint, product_name text, sku text,
    quantity numeric, unit_price numeric, discount_amount numeric, total numeric, cost numeric) returning *`;
const insertPayment = `insert into sales.sale_payments (store_id, sale_id, position, method, amount) values ($1, $2, 0, 'cash', $3)`;
const moveStock = `
  insert into inventory.stock_items as i (store_id, product_id, quantity, version, changed_at)
  select $1, product_id, -quantity, 1, now() from json_to_recordset($2::json) as x(product_id bigint, quantity numeric) order by product_id
  on conflict (store_id, product_id) do update set quantity = i.quantity + excluded.quantity, version = i.version + 1, changed_at = now()
  returning product_id, quantity, version`;
const insertLedger = `
  with row as (
    insert into inventory.stock_adjustments (store_id, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before,
      quantity_after, created_at)
    select $1, product_id, product_name, sku, 'sale', -quantity, after + quantity, after, now()
    from json_to_recordset($2::json) as x(product_id bigint, product_name text, sku text, quantity numeric, after numeric) returning *),
  moved as (insert into inventory.inventory_transactions (store_id, adjustment_id, source) select $1, id, 'register' from row),
  counted as (insert into inventory.stock_adjustment_counts (store_id, added) select $1, count(*) from row)
  select * from row`;
const copyStock = `
  update catalog.products p set stock = x.quantity, stock_version = x.version, updated_at = now()
  from json_to_recordset($2::json) as x(product_id bigint, quantity numeric, version bigint)
  where p.store_id = $1 and p.id = x.product_id returning p.*`;

/** POST /sales of a completed sale without a customer. */
export const sell: Write = async (ask, store, { sale }: { sale: Sale }) => {
  const sold = sale.line_items;
  const ids = sold.map(({ product_id }) => product_id);
  const found = new Map(((await ask('products', products, [store, ids])) as Row[]).map((row) => [Number(row.id), row]));
  const lines = sold.map(({ product_id, quantity }, position) => {
    const { name: product_name, sku, price: unit_price, cost } = found.get(product_id)!;
    const total = (quantity * Number(unit_price)).toFixed(2);
    return { position, product_id, product_name, sku, quantity, unit_price, discount_amount: '0.00', total, cost };
  });
  const total = lines.reduce((sum, line) => sum + Number(line.total), 0).toFixed(2);
  const [row] = (await ask('sale', insertSale, [store, total])) as Row[];
  const written = await ask('lines', insertLines, [store, row!.id, JSON.stringify(lines)]);
  await ask('payment', insertPayment, [store, row!.id, total]);
  const shown = { ...row, line_items: written };
  await emit(ask, 'sales_outbox', store, [{ name: 'sale.completed', id: row!.id, data: shown, after: shown }]);
  const stock = (await ask('stock', moveStock, [store, JSON.stringify(sold)])) as Row[];
  const after = new Map(stock.map(({ product_id, quantity }) => [Number(product_id), quantity]));
  const ledger = lines.map((line) => ({ ...line, after: after.get(line.product_id) }));
  const moved = (await ask('ledger', insertLedger, [store, JSON.stringify(ledger)])) as Row[];
  const copied = (await ask('copy', copyStock, [store, JSON.stringify(stock)])) as Row[];
  const adjusted = moved.map((data) => ({ name: 'inventory.adjusted', id: data.product_id, data, after: data }));
  await emit(ask, 'inventory_outbox', store, adjusted);
  const updated = copied.map(({ id, name, sku, barcode, price, description, stock: level }) => ({
    name: 'product.updated',
    id,
    data: { id, name, sku, barcode, price, description, stock: level },
    after: {},
  }));
  await emit(ask, 'catalog_outbox', store, updated);
  return { sale: shown };
};
