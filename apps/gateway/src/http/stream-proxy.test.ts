import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Problem, texts } from '@store/problem';
import { decodeCaller } from '@store/rpc';
import { logNothing, testCaller } from '@store/testbed';
import express from 'express';
import { problemFrom } from './answer.ts';
import { type StreamProxy, streamProxy } from './stream-proxy.ts';

const staff = testCaller({ actor: { type: 'user', keyId: 0, role: 'clerk' } });
const servers: Server[] = [];
let seen: IncomingMessage | undefined;
/** Aborts of the connection as webhooks sees them. */
let left: Promise<unknown>;
const door = createServer((incoming, response) => {
  seen = incoming;
  left = once(response, 'close');
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('event: reload\ndata: {}\n\n');
});
let alive = true;
let stream: StreamProxy;
let front: string;

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  stream = streamProxy(
    await listening(door),
    {
      admit: async ({ headers }) => {
        if (headers.authorization !== 'Bearer good') throw new Problem('unauthenticated', texts.noCredentials);
        return { caller: staff, stillMay: async () => alive };
      },
      shownRefusal: problemFrom,
    },
    logNothing,
    10,
  );
  const app = express();
  app.get('/api/v1/webhook_monitor/stream', stream.handler);
  app.use((_request, response) => void response.status(404).json({ error: 'the pipeline' }));
  front = `http://${await listening(createServer(app))}/api/v1/webhook_monitor/stream`;
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const good = { Authorization: 'Bearer good' };
const firstText = async (response: Response) => new TextDecoder().decode((await response.body!.getReader().read()).value);

test('the stream flows from webhooks with the caller alone: no credential and no claim of the client gets there', async () => {
  const response = await fetch(`${front}?x=1`, {
    headers: { ...good, Cookie: '__Host-sid=a', 'X-Caller': 'forged', 'X-Forwarded-For': '6.6.6.6' },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await firstText(response)).toBe('event: reload\ndata: {}\n\n');
  expect(seen!.url).toBe('/stream');
  expect(Object.keys(seen!.headers).sort()).toEqual(['connection', 'host', 'x-caller']);
  expect(decodeCaller(Buffer.from(String(seen!.headers['x-caller']), 'base64'))).toMatchObject({ storeId: 1, actor: { type: 'user' } });
  stream.endAll();
  await left;
});

test('without a session it is the 401 of every endpoint, and webhooks hears of nothing', async () => {
  seen = undefined;
  const response = await fetch(front);
  expect([response.status, await response.json()]).toEqual([401, { error: texts.noCredentials }]);
  expect(seen).toBeUndefined();
});

test('a key is left to the pipeline, whose order of checks refuses it', async () => {
  expect(await (await fetch(front, { headers: { ...good, 'X-API-Key': 'sk' } })).json()).toEqual({ error: 'the pipeline' });
});

test('the end of the session ends the stream, at webhooks too', async () => {
  const response = await fetch(front, { headers: good });
  alive = false;
  await expect(response.text()).rejects.toThrow();
  await left;
  alive = true;
});

test('the stop of the gateway ends what is open', async () => {
  const response = await fetch(front, { headers: good });
  stream.endAll();
  await expect(response.text()).rejects.toThrow();
});
