/**
 * The writes of floor C: the rows that the services write, in one transaction. Events go to outboxes of the floor's own schema,
 * which no relay reads.
 */
import { randomUUID } from 'node:crypto';

export type Ask = (name: string, text: string, values: unknown[]) => Promise<Record<string, never>[]>;
/** Writes for the store what the body says; returns the answer. */
export type Write = (ask: Ask, store: string, body: never) => Promise<object>;

/** Tables of the floor, made before it starts. */
export const floorTables = `
  drop schema if exists floor cascade;
  create schema floor;
  create table floor.inventory_outbox (like inventory.outbox including all);
  create table floor.catalog_outbox (like catalog.outbox including all);
  create table floor.sales_outbox (like sales.outbox including all);
  create sequence floor.receipts`;

interface FloorEvent {
  name: string;
  id: unknown;
  data: object;
  after: object;
}

/** Into an outbox of the floor. */
export async function emit(
  ask: Ask,
  table: 'inventory_outbox' | 'catalog_outbox' | 'sales_outbox',
  store: string,
  events: FloorEvent[],
): Promise<void> {
  const ids = events.map(() => randomUUID());
  await ask(
    table,
    `insert into floor.${table} (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     select event_id, $1, name, aggregate, public, internal, '{"type":"key","key":null,"user":null}', 'floor', now()
     from unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::jsonb[]) as e(event_id, name, aggregate, public, internal)`,
    [
      store,
      ids,
      events.map(({ name }) => name),
      events.map(({ id }) => String(id)),
      events.map(({ name, data }, n) => Buffer.from(JSON.stringify({ id: ids[n], event: name, data }))),
      events.map(({ after }) => JSON.stringify({ audit: { before: null, after } })),
    ],
  );
}

interface Adjustment {
  product_id: number;
  adjustment_type: string;
  quantity_change: number;
}

/** POST /stock_adjustments. */
export async function adjust(ask: Ask, store: string, { product_id, adjustment_type, quantity_change }: Adjustment): Promise<object> {
  const [product] = await ask('product', 'select name, sku from catalog.products where store_id = $1 and id = $2 and deleted_at is null', [
    store,
    product_id,
  ]);
  const [item] = await ask(
    'item',
    `insert into inventory.stock_items as i (store_id, product_id, quantity, version, changed_at) values ($1, $2, $3, 1, now())
     on conflict (store_id, product_id) do update set quantity = i.quantity + excluded.quantity, version = i.version + 1, changed_at = now()
     returning quantity, version`,
    [store, product_id, quantity_change],
  );
  const [row] = await ask(
    'adjustment',
    `insert into inventory.stock_adjustments (store_id, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before,
       quantity_after, created_at)
     values ($1, $2, $3, $4, $5, $6::numeric, $7::numeric - $6::numeric, $7::numeric, now()) returning *`,
    [store, product_id, product!.name, product!.sku, adjustment_type, quantity_change, item!.quantity],
  );
  const [transaction] = await ask(
    'transaction',
    `insert into inventory.inventory_transactions (store_id, adjustment_id, source) values ($1, $2, 'api') returning id`,
    [store, row!.id],
  );
  await ask('count', 'insert into inventory.stock_adjustment_counts (store_id, added) values ($1, 1)', [store]);
  const [shown] = await ask(
    'stock',
    'update catalog.products set stock = $3, stock_version = $4, updated_at = now() where store_id = $1 and id = $2 returning *',
    [store, product_id, item!.quantity, item!.version],
  );
  const data = { ...row!, id: transaction!.id };
  await emit(ask, 'inventory_outbox', store, [{ name: 'inventory.adjusted', id: product_id, data, after: row! }]);
  await emit(ask, 'catalog_outbox', store, [{ name: 'product.updated', id: product_id, data: shownOf(shown!), after: {} }]);
  return { stock_adjustment: row };
}

interface Product {
  name: string;
  sku: string;
  barcode: string;
  price: string;
  cost: string;
  description: string;
}

function shownOf({ id, name, sku, barcode, price, description, stock }: Record<string, never>): object {
  return { id, name, sku, barcode, price, description, stock };
}

async function insert(ask: Ask, store: string, products: Product[]): Promise<Record<string, never>[]> {
  const rows = products.map((product) => ({
    ...product,
    search_text: `${product.name}\x1f${product.sku}\x1f${product.barcode}`.toLowerCase(),
  }));
  const inserted = await ask(
    'insert',
    `insert into catalog.products (store_id, name, sku, barcode, price, cost, description, search_text, created_at, updated_at)
     select $1, x.*, now(), now() from json_to_recordset($2::json) as x(name text, sku text, barcode text, price numeric, cost numeric,
       description text, search_text text)
     on conflict (store_id, sku) where deleted_at is null and sku is not null do nothing returning *`,
    [store, JSON.stringify(rows)],
  );
  await emit(
    ask,
    'catalog_outbox',
    store,
    inserted.map((row, n) => ({ name: 'product.created', id: row.id, data: shownOf(row), after: products[n]! })),
  );
  return inserted;
}

/** POST /products. */
export async function createProduct(ask: Ask, store: string, { product }: { product: Product }): Promise<object> {
  const [row] = await insert(ask, store, [product]);
  return { product: row };
}

/** POST /products/bulk_upsert of products that are all new. */
export async function bulkUpsert(ask: Ask, store: string, { products }: { products: Product[] }): Promise<object> {
  const inserted = await insert(ask, store, products);
  return { created: inserted.length, updated: 0, failed: 0, created_skus: inserted.map(({ sku }) => sku), updated_skus: [], errors: [] };
}
