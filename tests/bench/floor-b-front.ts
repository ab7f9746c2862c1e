/** Floor B, front: express, a key hash and one Redis call, one gRPC hop, JSON. Nothing else. */
import { createHmac } from 'node:crypto';
import { credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import express from 'express';
import { createClient } from 'redis';

const pepper = Buffer.from(process.env.KEY_PEPPERS!.split(':')[1]!, 'base64');
const redis = createClient({ url: process.env.REDIS_URL });
await redis.connect();
const script = await redis.scriptLoad(
  `local n = redis.call('INCR', KEYS[1]); if n == 1 then redis.call('PEXPIRE', KEYS[1], 60000) end; return n`,
);

const loaded = loadPackageDefinition(
  loadSync(process.env.FLOOR_PROTO!, { keepCase: true, longs: String, defaults: false, arrays: true }),
) as unknown as {
  floor: {
    Products: new (
      address: string,
      credentials: unknown,
    ) => { Get(request: object, answer: (error: Error | null, reply: object) => void): void };
  };
};
const client = new loaded.floor.Products(process.env.BACK_ADDRESS!, credentials.createInsecure());

const app = express();
app.disable('etag');
app.get('/api/v1/products/:id', async (request, response) => {
  const hash = createHmac('sha256', pepper).update(String(request.headers['x-api-key'])).digest('hex');
  await redis.evalSha(script, { keys: [`floor:${hash}`] });
  client.Get({ id: request.params.id }, (error, reply) => {
    if (error) response.status(500).end();
    else response.json({ data: reply });
  });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
