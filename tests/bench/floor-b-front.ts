/** Floor B, front: express, a key hash and one Redis call, one gRPC hop, JSON. Nothing else. */
import express from 'express';
import { backClient } from './floor-grpc.ts';
import { countKey } from './floor-key.ts';

const client = backClient<{ Get(request: object, answer: (error: Error | null, reply: object) => void): void }>('Products');

const app = express();
app.disable('etag');
app.get('/api/v1/products/:id', async (request, response) => {
  await countKey(request);
  client.Get({ id: request.params.id }, (error, reply) => {
    if (error) response.status(500).end();
    else response.json({ data: reply });
  });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
