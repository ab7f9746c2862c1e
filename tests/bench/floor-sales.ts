/**
 * Floor A for sales: today's sales with their lines in one process without a gateway and services, by node:http and pg. A key
 * check in the database, the exact count, the same fields; no limits, no scopes, no time zones but UTC.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { type SaleRow, saleColumns, saleOf } from './floor-sale.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');
const perPage = 50;
const dayMs = 86_400_000;

const keyQuery =
  'select store_id from gateway.api_keys where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())';
const listQuery = `
  select ${saleColumns} from sales.sales s left join sales.customers c on c.store_id = s.store_id and c.id = s.customer_id
  where s.store_id = $1 and s.listed_at >= $2 and s.listed_at < $3 order by s.created_at desc, s.id desc limit $4`;
const countQuery = 'select count(*) as n from sales.sales where store_id = $1 and listed_at >= $2 and listed_at < $3';
const linesQuery = 'select * from sales.sale_line_items where store_id = $1 and sale_id = any ($2::bigint[]) order by sale_id, position';

const server = createServer(async (request, response) => {
  const hash = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest();
  const key = (await pool.query({ name: 'key', text: keyQuery, values: [hash] })).rows[0];
  if (!key) return response.writeHead(401).end();
  const from = new Date(Math.floor(Date.now() / dayMs) * dayMs);
  const window = [key.store_id, from, new Date(from.getTime() + dayMs)];
  const [list, count] = await Promise.all([
    pool.query<SaleRow>({ name: 'list', text: listQuery, values: [...window, perPage] }),
    pool.query({ name: 'count', text: countQuery, values: window }),
  ]);
  const ids = list.rows.map(({ id }) => id);
  const lines = await pool.query<SaleRow>({ name: 'lines', text: linesQuery, values: [key.store_id, ids] });
  const bySale = Map.groupBy(lines.rows, ({ sale_id }) => sale_id);
  const total = Number(count.rows[0].n);
  const body = JSON.stringify({
    data: list.rows.map((row) => saleOf(row, bySale.get(row.id) ?? [])),
    pagination: { current_page: 1, per_page: perPage, total_count: total, total_pages: Math.ceil(total / perPage) },
    meta: { request_id: crypto.randomUUID(), timestamp: new Date().toISOString() },
  });
  return response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
