/** Floor C, front: the writes by express, a key hash and one Redis call, the key's store, one gRPC hop, JSON. Nothing else. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import { backClient } from './floor-grpc.ts';
import { storeOfKey } from './floor-key.ts';

interface Answered {
  status: number;
  body: string;
}

const client = backClient<{ Write(request: object, answer: (error: Error | null, reply: Answered) => void): void }>('Writes');

const app = express();
app.disable('etag');
app.use(express.json({ limit: '6mb' }));
app.post('/api/v1/*path', async (request, response) => {
  const store = await storeOfKey(request);
  client.Write({ path: request.path, store, body: JSON.stringify(request.body) }, (error, reply) => {
    if (error) response.status(500).send(String(error));
    else response.status(reply.status).json({ data: JSON.parse(reply.body), meta: { request_id: randomUUID() } });
  });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
