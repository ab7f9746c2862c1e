/** Floor B for one sale, front: express, a key hash and one Redis call, the key's store, one gRPC hop, JSON. Nothing else. */
import { createHmac, randomUUID } from 'node:crypto';
import { credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import express from 'express';
import pg from 'pg';
import { createClient } from 'redis';

const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const redis = createClient({ url: process.env.REDIS_URL });
await redis.connect();
const script = await redis.scriptLoad(
  `local n = redis.call('INCR', KEYS[1]); if n == 1 then redis.call('PEXPIRE', KEYS[1], 60000) end; return n`,
);

const loaded = loadPackageDefinition(
  loadSync(process.env.FLOOR_PROTO!, { keepCase: true, longs: Number, defaults: false, arrays: true }),
) as unknown as {
  floor: {
    Sales: new (
      address: string,
      credentials: unknown,
    ) => { Get(request: object, answer: (error: Error | null, reply: object) => void): void };
  };
};
const client = new loaded.floor.Sales(process.env.BACK_ADDRESS!, credentials.createInsecure());

const stores = new Map<string, string>();
async function storeOf(digest: Buffer): Promise<string> {
  const hash = digest.toString('hex');
  await redis.evalSha(script, { keys: [`floor:${hash}`] });
  let store = stores.get(hash);
  if (store === undefined) {
    const { rows } = await pool.query<{ store_id: string }>('select store_id from gateway.api_keys where hash = $1', [digest]);
    store = rows[0]!.store_id;
    stores.set(hash, store);
  }
  return store;
}

const app = express();
app.disable('etag');
app.get('/api/v1/sales/:id', async (request, response) => {
  const digest = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest();
  const store = await storeOf(digest);
  client.Get({ store, id: request.params.id }, (error, reply) => {
    if (error) response.status(500).end();
    else response.json({ data: reply, meta: { request_id: randomUUID(), timestamp: new Date().toISOString() } });
  });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
