/** Floor B, back: one gRPC method, one select by primary key. */
import pg from 'pg';
import { serveBack } from './floor-grpc.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const text = 'select id, name, sku, barcode, description, price, stock from catalog.products where id = $1';

serveBack<{ id: string }>('Products', 'Get', async ({ id }) => (await pool.query({ name: 'one', text, values: [id] })).rows[0]);
