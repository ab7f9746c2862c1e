/**
 * A list in one process without a gateway and services, by node:http and pg: a key check in the database, and the shape of the envelope.
 * No limits, no scopes.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

// biome-ignore lint/suspicious/noExplicitAny: rows as pg returns them.
export type Row = Record<string, any>;

export interface Page {
  number: number;
  size: number;
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');
const keyQuery =
  'select store_id from gateway.api_keys where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())';

/** Rows of a prepared statement. */
export const ask = async (name: string, text: string, values: unknown[]): Promise<Row[]> =>
  (await pool.query<Row>({ name, text, values })).rows;

/** At PORT; `list` reads a page of a store, and counts its rows. */
export function serveList(perPage: number, list: (store: string, page: Page) => Promise<[data: object[], total: number]>): void {
  const server = createServer(async (request, response) => {
    const hash = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest();
    const [key] = await ask('key', keyQuery, [hash]);
    if (!key) return response.writeHead(401).end();
    const { searchParams } = new URL(request.url!, 'http://floor');
    const page = { number: Number(searchParams.get('page') ?? 1), size: Number(searchParams.get('per_page') ?? perPage) };
    const [data, total] = await list(key.store_id, page);
    const body = JSON.stringify({
      data,
      pagination: { current_page: page.number, per_page: page.size, total_count: total, total_pages: Math.ceil(total / page.size) },
      meta: { request_id: crypto.randomUUID(), timestamp: new Date().toISOString() },
    });
    return response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
}
