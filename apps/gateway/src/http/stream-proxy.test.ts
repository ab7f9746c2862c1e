import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Problem, problemFrom, texts } from '@store/problem';
import { encodeFixedPart, openCaller, type PeerTrust, signedCallerOf } from '@store/rpc';
import { capturingLog, testCaller, testTrust } from '@store/testbed';
import { throwAwayCa } from '@store/testbed/certificates';
import express from 'express';
import { listeningServers } from '../../test/listening.ts';
import { requestIdOf } from './request-id.ts';
import { type StreamAccess, type StreamProxy, streamProxy } from './stream-proxy.ts';

const staff = testCaller({ actor: { type: 'user', keyId: 0, role: 'clerk' } });
const listening = listeningServers();
let seen: IncomingMessage | undefined;
/** Aborted connections as webhooks sees them. */
let left: Promise<unknown>;
let believed = true;
const answer = (incoming: IncomingMessage, response: ServerResponse) => {
  seen = incoming;
  left = once(response, 'close');
  if (!believed) return void response.writeHead(401).end('{"error":"A call without its caller is refused"}');
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('event: reload\ndata: {}\n\n');
};
let alive = true;
let stream: StreamProxy;
let front: string;
const { log, lines } = capturingLog();

async function open(server: string, trust: PeerTrust): Promise<{ proxy: StreamProxy; url: string }> {
  const access: StreamAccess = {
    admit: async ({ headers }, response) => {
      const requestId = requestIdOf(headers['x-request-id']);
      response.setHeader('X-Request-Id', requestId);
      if (headers.authorization !== 'Bearer good') throw new Problem('unauthenticated', texts.noCredentials);
      return { fixedPart: encodeFixedPart(staff), request: { requestId, ip: '' }, stillMay: async () => alive };
    },
    shownRefusal: problemFrom,
  };
  const proxy = streamProxy({ upstream: new URL(server).host, access, trust, log, checkEveryMs: 10 });
  const app = express();
  app.get('/api/v1/webhook_monitor/stream', proxy.handler);
  app.use((_request, response) => void response.status(404).json({ error: 'the pipeline' }));
  return { proxy, url: `${await listening(createServer(app))}/api/v1/webhook_monitor/stream` };
}

beforeAll(async () => {
  ({ proxy: stream, url: front } = await open(await listening(createServer(answer)), testTrust()));
});

const good = { Authorization: 'Bearer good' };
const firstText = async (response: Response) => new TextDecoder().decode((await response.body!.getReader().read()).value);

test('the stream is proxied with the signed caller alone, without client headers', async () => {
  const headers = { ...good, Cookie: '__Host-sid=a', 'X-Caller': 'forged', 'X-Forwarded-For': '6.6.6.6' };
  const response = await fetch(`${front}?x=1`, { headers });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await firstText(response)).toBe('event: reload\ndata: {}\n\n');
  expect(seen!.url).toBe('/stream');
  expect(Object.keys(seen!.headers).sort()).toEqual(['connection', 'host', 'x-caller']);
  const signed = signedCallerOf(seen!.headers['x-caller'])!;
  expect(openCaller(testTrust().keys, signed, 'GET /stream')).toMatchObject({ storeId: 1, actor: { type: 'user' } });
  stream.endAll();
  await left;
});

test('without a session it is the 401 of every endpoint, and webhooks is not called', async () => {
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

test('stopping the gateway ends open streams', async () => {
  const response = await fetch(front, { headers: good });
  stream.endAll();
  await expect(response.text()).rejects.toThrow();
});

test('a gateway signature that webhooks refuses is an internal error, not a 401', async () => {
  believed = false;
  const response = await fetch(front, { headers: good });
  expect([response.status, await response.json()]).toEqual([500, { error: texts.unexpected }]);
  expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('GATEWAY_TO_WEBHOOKS_KEYS'));
  believed = true;
});

describe('with certificates', () => {
  const ca = throwAwayCa();
  const tlsOf = (authority: typeof ca) => {
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] });
    return { cert: Buffer.from(cert), key: Buffer.from(key), ca: Buffer.from(authority.caPem) };
  };
  const secureDoor = () => listening(createTlsServer({ ...tlsOf(ca), requestCert: true, rejectUnauthorized: true }, answer));

  test('the stream travels over TLS, and the gateway shows its own certificate', async () => {
    const { proxy, url } = await open(await secureDoor(), { ...testTrust(), tls: tlsOf(ca) });
    expect(await firstText(await fetch(url, { headers: good }))).toBe('event: reload\ndata: {}\n\n');
    proxy.endAll();
    await left;
  });

  test('a server with a certificate of another authority is refused', async () => {
    seen = undefined;
    const { url } = await open(await secureDoor(), { ...testTrust(), tls: tlsOf(throwAwayCa()) });
    expect((await fetch(url, { headers: good })).status).toBe(500);
    expect(seen).toBeUndefined();
  });
});
