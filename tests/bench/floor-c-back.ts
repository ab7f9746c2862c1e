/** Floor C, back: one gRPC method; each write is one transaction with the rows and events that the services write. */
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import pg from 'pg';
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

const loaded = loadPackageDefinition(
  loadSync(process.env.FLOOR_PROTO!, { keepCase: true, longs: String, defaults: false, arrays: true }),
) as unknown as { floor: { Writes: { service: ServiceDefinition } } };
const server = new Server();
server.addService(loaded.floor.Writes.service, {
  Write: ({ request }: ServerUnaryCall<Asked, object>, answer: sendUnaryData<object>) => {
    const { write, status } = writes[request.path]!;
    inTransaction(write, request.store, JSON.parse(request.body) as never).then(
      (result) => answer(null, { status, body: JSON.stringify(result) }),
      (error: Error) => answer(error, null),
    );
  },
});
server.bindAsync(`127.0.0.1:${process.env.PORT}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
