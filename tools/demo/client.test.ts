import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { eachOf, openClient } from './client.ts';
import { openProgress } from './progress.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** A server that gives these answers, one per request. */
async function answering(...answers: { status: number; headers?: Record<string, string>; body: string }[]) {
  const seen: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  server = createServer(({ method, url, headers }, response) => {
    seen.push({ method, url, headers });
    const { status, headers: sent, body } = answers[Math.min(seen.length, answers.length) - 1]!;
    response.writeHead(status, sent).end(body);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const waits: number[] = [];
  const pause = async (seconds: number) => void waits.push(seconds);
  return { seen, waits, client: openClient(`http://127.0.0.1:${port}`, { 'X-API-Key': 'k' }, pause) };
}

test('a load whose key used up its minute waits as the answer says, and continues', async () => {
  const { client, seen } = await answering(
    { status: 429, headers: { 'Retry-After': '0' }, body: '{"error":"Rate limit exceeded. Retry later."}' },
    { status: 200, body: '{"data":[]}' },
  );
  expect(await client.get('/products')).toEqual({ data: [] });
  expect(seen.map(({ url }) => url)).toEqual(['/api/v1/products', '/api/v1/products']);
});

const broken = { status: 500, body: '{"error":"An unexpected error occurred. Please contact support."}' };
const inProgress = { status: 409, body: '{"error":"A request with this Idempotency-Key is still in progress"}' };

test('a passing failure is waited out, and repeated under one Idempotency-Key', async () => {
  const { client, seen, waits } = await answering({ ...broken, headers: { 'Retry-After': '7' } }, inProgress, { status: 200, body: '{}' });
  await client.patch('/products/1', {});
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect([waits, keys]).toEqual([
    [7, 2],
    [keys[0], keys[0], keys[0]],
  ]);
  expect(keys[0]).toBeTruthy();
});

test('a failure that stays stops the load after five attempts', async () => {
  const { client, seen, waits } = await answering(broken);
  await expect(client.get('/products')).rejects.toThrow('GET /products answered 500');
  expect([seen.length, waits]).toEqual([5, [1, 2, 4, 8]]);
});

test.each([500, 422, 207])('an answer %d stops the load, with what was refused', async (status) => {
  const { client } = await answering({ status, body: '{"error":"why"}' });
  await expect(client.post('/products', {})).rejects.toThrow(`POST /products answered ${status}: {"error":"why"}`);
});

test('deleting what is already deleted succeeds', async () => {
  const { client } = await answering({ status: 404, body: '{"error":"Product not found"}' });
  await expect(client.delete('/products/1')).resolves.toBeUndefined();
});

test('credentials and the Idempotency-Key go with the request', async () => {
  const { client, seen } = await answering({ status: 201, body: '{}' });
  await client.post('/categories', { category: {} }, 'demo-1');
  expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'k', 'idempotency-key': 'demo-1', 'content-type': 'application/json' });
});

test('work is done a few at a time, and the results keep their order', async () => {
  let running = 0;
  let most = 0;
  const doubled = await eachOf([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    return item * 2;
  });
  expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBe(3);
});

test('away from a terminal progress is one line per step', () => {
  const written: string[] = [];
  const output = { isTTY: false, write: (line: string) => written.push(line) > 0 } as unknown as NodeJS.WriteStream;
  const progress = openProgress(output);
  progress.step('products', 50);
  progress.step('stock', 50);
  progress.done();
  expect(written.join('')).toMatch(/^Demo store: products\nDemo store: stock\nDemo store: loaded in \d+\.\d s\n$/);
});
