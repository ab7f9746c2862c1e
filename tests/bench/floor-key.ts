/** The key of a request as the floors check it: one hash and one Redis call that counts it. */
import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import pg from 'pg';
import { createClient } from 'redis';

const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');
const redis = createClient({ url: process.env.REDIS_URL });
await redis.connect();
const script = await redis.scriptLoad(
  `local n = redis.call('INCR', KEYS[1]); if n == 1 then redis.call('PEXPIRE', KEYS[1], 60000) end; return n`,
);

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const stores = new Map<string, string>();

/** Counts the request; returns the id of the key's store, which is read once. */
export async function storeOfKey(request: Request): Promise<string> {
  const digest = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest();
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
