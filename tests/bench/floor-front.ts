/** The front of floors B and C: express, a key hash and one Redis call, the key's store, one gRPC hop, JSON. Nothing else. */
import { randomUUID } from 'node:crypto';
import { credentials } from '@grpc/grpc-js';
import express, { type Request, type Response } from 'express';
import { storeOfKey } from './floor-key.ts';
import { FloorService } from './floor-service.ts';

interface Reply {
  status: number;
  product?: object;
  sale?: object;
  /** Of a write. */
  body?: string;
}

interface Back {
  Answer(request: object, answer: (error: Error | null, reply: Reply) => void): void;
}

const back = new FloorService(process.env.BACK_ADDRESS!, credentials.createInsecure()) as unknown as Back;

async function answer(request: Request, response: Response): Promise<void> {
  const store = await storeOfKey(request);
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  back.Answer({ path: request.path, store, body }, (error, reply) => {
    if (error) response.status(500).send(String(error));
    else {
      const data = reply.product ?? reply.sale ?? JSON.parse(reply.body!);
      response.status(reply.status).json({ data, meta: { request_id: randomUUID(), timestamp: new Date().toISOString() } });
    }
  });
}

const app = express();
app.disable('etag');
app.get(['/api/v1/products/:id', '/api/v1/sales/:id'], answer);
app.use(express.json({ limit: '6mb' }));
app.post('/api/v1/*path', answer);
app.listen(Number(process.env.PORT), '127.0.0.1');
