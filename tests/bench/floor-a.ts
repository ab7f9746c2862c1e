/**
 * Floor A: the cost of the same list in one process without a gateway and services: node:http and pg,
 * a key check in the database, total_count and the same fields. No limits, no scopes, and only the
 * shape of the envelope.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');

const keyQuery =
  'select store_id from gateway.api_keys where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())';
const listQuery = `
  with p as materialized (
    select * from catalog.products where store_id = $1 and active and deleted_at is null and parent_id is null order by name, id limit $2 offset $3)
  select p.id, p.name, p.sku, p.barcode, p.description, p.option_label, p.additional_barcodes, p.product_type, p.unit_type, p.price,
    p.exclude_from_promotions, p.block_manual_discounts, p.stock, p.low_stock_threshold, p.brand_name as brand, p.package_size,
    p.has_variations, p.primary_image_url, p.active, p.created_at, p.updated_at, p.category_list as categories
  from p order by p.name, p.id`;
const countQuery = 'select count(*) as n from catalog.products where store_id = $1 and active and deleted_at is null and parent_id is null';

interface Row {
  id: string;
  additional_barcodes: { code: string }[];
  price: string;
  stock: string;
  categories: object[];
  created_at: Date;
  updated_at: Date;
  [column: string]: unknown;
}

function product(row: Row): object {
  const { stock, categories, ...rest } = row;
  const shown = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...shown,
    id: Number(row.id),
    additional_barcode_codes: row.additional_barcodes.map(({ code }) => code),
    effective_price: row.price,
    on_sale: false,
    current_stock: Number(stock),
    in_stock: Number(stock) > 0,
    categories,
    variations: [],
  };
}

const server = createServer(async (request, response) => {
  const hash = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest();
  const key = (await pool.query({ name: 'key', text: keyQuery, values: [hash] })).rows[0];
  if (!key) return response.writeHead(401).end();
  const url = new URL(request.url!, 'http://floor');
  const perPage = Number(url.searchParams.get('per_page') ?? 25);
  const page = Number(url.searchParams.get('page') ?? 1);
  const [list, count] = await Promise.all([
    pool.query<Row>({ name: 'list', text: listQuery, values: [key.store_id, perPage, (page - 1) * perPage] }),
    pool.query({ name: 'count', text: countQuery, values: [key.store_id] }),
  ]);
  const total = Number(count.rows[0].n);
  const body = JSON.stringify({
    data: list.rows.map(product),
    pagination: { current_page: page, per_page: perPage, total_count: total, total_pages: Math.ceil(total / perPage) },
    meta: { request_id: crypto.randomUUID(), timestamp: new Date().toISOString() },
  });
  return response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
