import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { logNothing } from '@store/testbed';
import express from 'express';
import { listeningServers } from '../../test/listening.ts';
import { adminProxy } from './admin-proxy.ts';

const listening = listeningServers();
let seen: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }) | undefined;
/** /admin/hang is never answered. */
const panel = createServer(async (incoming, response) => {
  seen = { method: incoming.method, url: incoming.url, headers: incoming.headers, body: await text(incoming) };
  if (incoming.url !== '/admin/hang') response.writeHead(201, { 'Content-Type': 'text/plain', 'X-Panel': 'yes' }).end('panel');
});
// A panel that would accept a WebSocket handshake.
panel.on('upgrade', (_incoming, socket) =>
  socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
);

let front: string;
let frontWithoutPanel: string;

function gatewayFor(upstream: string): Server {
  const app = express();
  app.use(adminProxy(upstream, logNothing, 300));
  app.use((_request, response) => void response.status(404).json({ error: 'Not found' }));
  return createServer(app);
}

beforeAll(async () => {
  front = await listening(gatewayFor(await listening(panel)));
  frontWithoutPanel = await listening(gatewayFor('http://127.0.0.1:1'));
});

test('a POST below /admin reaches the panel with its body and path, and is answered', async () => {
  const response = await fetch(`${front}/admin/login?next=%2F`, { method: 'POST', body: '{"a": 1}' });
  expect([response.status, response.headers.get('x-panel'), await response.text()]).toEqual([201, 'yes', 'panel']);
  expect(seen).toMatchObject({ method: 'POST', url: '/admin/login?next=%2F', body: '{"a": 1}' });
});

test('forwarding headers sent by the client, and its API key, do not reach the panel', async () => {
  const claims = { 'X-Forwarded-For': '6.6.6.6', 'X-Forwarded-Host': 'evil.example', Forwarded: 'for=6.6.6.6', 'X-Api-Key': 'sk' };
  await fetch(`${front}/admin`, { headers: { ...claims, 'X-Real-Ip': '6.6.6.6', 'X-Forwarded-Proto': 'https' } });
  const { host } = new URL(front);
  expect(seen!.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', 'x-forwarded-host': host });
  for (const name of ['forwarded', 'x-api-key', 'x-real-ip']) expect(seen!.headers).not.toHaveProperty(name);
});

test('session, device and bearer tokens do not reach the panel; its own cookies do', async () => {
  const headers = { Authorization: 'Bearer secret', 'X-CSRF-Token': 'csrf' };
  await fetch(`${front}/admin/`, { headers: { ...headers, Cookie: 'theme=dark; __Host-sid=secret;__Host-device=d; other=1=2' } });
  expect(seen!.headers.cookie).toBe('theme=dark; other=1=2');
  for (const name of ['authorization', 'x-csrf-token']) expect(seen!.headers).not.toHaveProperty(name);
  await fetch(`${front}/admin/`, { headers: { Cookie: '__Host-sid=secret' } });
  expect(seen!.headers).not.toHaveProperty('cookie');
});

/** Sends a target unchanged; fetch would normalise it. */
async function rawGet(path: string, headers: Record<string, string> = { 'X-Api-Key': 'secret', Authorization: 'Bearer secret' }) {
  const { hostname, port } = new URL(front);
  const [response] = (await once(request({ hostname, port, path, headers }).end(), 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response)];
}

test.each([
  '/%2e/admin/x',
  '/./admin/x',
  '/x/../admin/x',
  '//evil/admin/x',
  '//admin/x',
  '/\\admin/x',
  '/admin/../api/v1/products',
  '/admin/%2E%2e/api',
  '/admin/./x',
  '/admin\\..\\x',
  '/%61dmin/x',
  '/Admin/x',
  'http://evil.example/x/../admin/x',
  'http://evil.example',
  '*',
])("a path that two readers might take for two is nobody's: %s", async (target) => {
  seen = undefined;
  expect((await rawGet(target))[0]).toBe(404);
  expect(seen).toBeUndefined();
});

test.each([
  ['/admin?next=/../x', '/admin?next=/../x'],
  ['/admin//x', '/admin//x'],
  ['/admin/a%2Fb%20c', '/admin/a%2Fb%20c'],
  ['http://evil.example/admin/x?y=1', '/admin/x?y=1'],
])('%s is asked at the panel as %s, without credentials', async (target, asked) => {
  expect((await rawGet(target))[0]).toBe(201);
  expect(seen!.url).toBe(asked);
  for (const name of ['x-api-key', 'authorization']) expect(seen!.headers).not.toHaveProperty(name);
  expect(seen!.headers.host).not.toContain('evil');
});

test('the API path and paths that only share a prefix with /admin are not forwarded', async () => {
  seen = undefined;
  for (const path of ['/api/v1/products', '/administrator', '/', '/x/admin']) expect((await fetch(`${front}${path}`)).status).toBe(404);
  expect(seen).toBeUndefined();
});

test("a panel that is down or hangs is the specification's 500", async () => {
  for (const url of [`${frontWithoutPanel}/admin`, `${front}/admin/hang`]) {
    const response = await fetch(url);
    expect([response.status, await response.json()]).toEqual([500, { error: texts.unexpected }]);
    expect(response.headers.get('x-request-id')).not.toBeNull();
  }
});

test('no socket is upgraded: a WebSocket handshake is an ordinary request', async () => {
  expect(await rawGet('/admin/socket', { Connection: 'Upgrade', Upgrade: 'websocket' })).toEqual([201, 'panel']);
  expect(seen!.headers).not.toHaveProperty('upgrade');
});
