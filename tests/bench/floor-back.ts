/**
 * The back of floors B and C: a product or a sale by its key, and writes, each in one transaction with the rows and events that the
 * services write.
 */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import pg from 'pg';
import type { Row } from './floor-list.ts';
import { sell } from './floor-register.ts';
import { saleColumns, saleOf } from './floor-sale.ts';
import { FloorService } from './floor-service.ts';
import { adjust, bulkUpsert, createProduct, type Write } from './floor-writes.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const rowsOf = async (name: string, text: string, values: unknown[]): Promise<Row[]> =>
  (await pool.query<Row>({ name, text, values })).rows;

const productQuery = 'select id, name, sku, barcode, description, price, stock from catalog.products where id = $1';
const saleQuery = `
  select ${saleColumns} from sales.sales s left join sales.customers c on c.store_id = s.store_id and c.id = s.customer_id
  where s.store_id = $1 and s.id = $2`;
const linesQuery = 'select * from sales.sale_line_items where store_id = $1 and sale_id = $2 order by position';

async function sale(store: string, id: string): Promise<object> {
  const [sales, lines] = await Promise.all([rowsOf('sale', saleQuery, [store, id]), rowsOf('lines', linesQuery, [store, id])]);
  return saleOf(sales[0]!, lines);
}

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
  /** Empty for a read. */
  body: string;
}

async function answerTo({ path, store, body }: Asked): Promise<object> {
  const [, kind, id] = /^\/api\/v1\/(products|sales)\/(\d+)$/.exec(path) ?? [];
  if (kind === 'products') return { status: 200, product: (await rowsOf('one', productQuery, [id]))[0] };
  if (kind === 'sales') return { status: 200, sale: await sale(store, id!) };
  const { write, status } = writes[path]!;
  return { status, body: JSON.stringify(await inTransaction(write, store, JSON.parse(body) as never)) };
}

const server = new Server();
server.addService(FloorService.service, {
  Answer: ({ request }: ServerUnaryCall<Asked, object>, answer: sendUnaryData<object>) => {
    answerTo(request).then(
      (reply) => answer(null, reply),
      (error: Error) => answer(error, null),
    );
  },
});
server.bindAsync(`127.0.0.1:${process.env.PORT}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
