/** Floor B for one sale, front: express, a key hash and one Redis call, the key's store, one gRPC hop, JSON. Nothing else. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import { backClient } from './floor-grpc.ts';
import { storeOfKey } from './floor-key.ts';

const client = backClient<{ Get(request: object, answer: (error: Error | null, reply: object) => void): void }>('Sales', Number);

const app = express();
app.disable('etag');
app.get('/api/v1/sales/:id', async (request, response) => {
  const store = await storeOfKey(request);
  client.Get({ store, id: request.params.id }, (error, reply) => {
    if (error) response.status(500).end();
    else response.json({ data: reply, meta: { request_id: randomUUID(), timestamp: new Date().toISOString() } });
  });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
