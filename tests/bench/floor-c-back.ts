/** Floor C, back: one gRPC method; each write is one transaction with the rows and events that the services write. */
import pg from 'pg';
import { serveBack } from './floor-grpc.ts';
import { sell } from './floor-register.ts';
import { adjust, bulkUpsert, createProduct, type Write } from './floor-writes.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const writes: Record<string, { write: Write; status: number }> = {
  '/api/v1/stock_adjustments': { write: adjust, status: 201 },
  '/api/v1/sales': { write: sell, status: 201 },
  '/api/v1/products': { write: createProduct, status: 201 },
  '/api/v1/products/bulk_upsert': { write: bulkUpsert, status: 200 },
};

async function inTransaction(write: Write, store: string, body: never): Promise<object> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await write((name, text, values) => client.query({ name, text, values }).then(({ rows }) => rows), store, body);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

interface Asked {
  path: string;
  store: string;
  body: string;
}

serveBack<Asked>('Writes', 'Write', async ({ path, store, body }) => {
  const { write, status } = writes[path]!;
  const result = await inTransaction(write, store, JSON.parse(body) as never);
  return { status, body: JSON.stringify(result) };
});
