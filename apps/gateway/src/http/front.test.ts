import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressOf, hostOf, protocolOf } from './forwarded.ts';
import { Front } from './front.ts';

const front = new Front(1, (error, _request, response) => void response.writeHead(500).end(String(error)));
front.use((request, response, next) => (request.url === '/first' ? response.end('first') : next()));
front.get('/page', (_request, response) => void response.end('page'));
front.get('/late', async (_request, response) => {
  response.write('begun');
  throw new Error('too late');
});
front.get('/broken', () => Promise.reject(new Error('broken')));
front.get('/passed', (_request, _response, next) => next(new Error('passed')));
front.mount('/api', (request, response, next) =>
  request.url === '/skip' ? next() : response.end(`${request.url} of ${request.originalUrl}`),
);
front.use((request, response) => void response.writeHead(404).end(`nothing at ${request.url}`));

const server = createServer(front.listener);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** `path` is sent as it is, which fetch would not do. */
async function ask(path: string, method = 'GET'): Promise<string> {
  const sent = send({ port: (server.address() as AddressInfo).port, path, method, agent: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  return `${answer.statusCode} ${await text(answer)}`;
}

describe('a request', () => {
  test.each([
    ['/first', 'GET', '200 first'],
    ['/page', 'GET', '200 page'],
    ['/page?x=1', 'GET', '200 page'],
    ['http://any.host/page', 'GET', '200 page'],
    ['/page', 'HEAD', '200 '],
    ['/page', 'POST', '404 nothing at /page'],
    ['/page/', 'GET', '404 nothing at /page/'],
    ['/Page', 'GET', '404 nothing at /Page'],
    ['/api', 'GET', '200 / of /api'],
    ['/api?x=1', 'GET', '200 /?x=1 of /api?x=1'],
    ['/api/a/b?x=1', 'DELETE', '200 /a/b?x=1 of /api/a/b?x=1'],
    ['http://any.host/api/a', 'GET', '200 /a of http://any.host/api/a'],
    ['/api/%', 'GET', '200 /% of /api/%'],
    ['/api/skip', 'GET', '404 nothing at /api/skip'],
    ['/apis', 'GET', '404 nothing at /apis'],
    ['*', 'OPTIONS', '404 nothing at *'],
    ['/broken', 'GET', '500 Error: broken'],
    ['/passed', 'GET', '500 Error: passed'],
  ])('%s by %s is answered %s', async (path, method, answer) => {
    expect(await ask(path, method)).toBe(answer);
  });

  test('whose answer fails after its headers loses its connection, so that half an answer is not taken for a whole one', async () => {
    await expect(ask('/late')).rejects.toThrow('aborted');
    expect(await ask('/page')).toBe('200 page');
  });
});

test.each([
  [0, '6.6.6.6', '9.9.9.9', 'http', 'own.example'],
  [1, undefined, '9.9.9.9', 'http', 'own.example'],
  [1, '6.6.6.6, 1.2.3.4', '1.2.3.4', 'https', 'told.example'],
  [2, '6.6.6.6,1.2.3.4 , 10.0.0.1', '1.2.3.4', 'https', 'told.example'],
  [2, '1.2.3.4', '1.2.3.4', 'https', 'told.example'],
])('with %i trusted proxies and X-Forwarded-For %s the client is %s', (trusted, chain, address, protocol, host) => {
  const told = { 'x-forwarded-for': chain, 'x-forwarded-proto': 'https,http', 'x-forwarded-host': 'told.example' };
  const headers = { host: 'own.example', ...(chain !== undefined && told) };
  const request = { headers, socket: { remoteAddress: '9.9.9.9' } } as never;
  expect([addressOf(request, trusted), protocolOf(request, trusted), hostOf(request, trusted)]).toEqual([address, protocol, host]);
});
