/** Which connections to receivers are used again, over real connections. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@store/testbed/until';
import { body, goodCertificate, post, resolvesTo } from '../../test/receivers.ts';
import { KeptSockets } from './kept-sockets.ts';
import type { AttemptOptions } from './types.ts';

let nowMs: number;
let kept: KeptSockets;
let server: Server;
let sockets: TLSSocket[];
/** The address at which each connection arrived. */
let places: (string | undefined)[];
/** Path of each POST, in order. */
let posts: string[];
/** The Keep-Alive header of answers; empty: none. */
let hint: string;

beforeEach(async () => {
  [nowMs, sockets, places, posts, hint] = [0, [], [], [], 'timeout=600'];
  kept = new KeptSockets({ nowMs: () => nowMs });
  server = createServer({ ...goodCertificate, keepAliveTimeout: 0 }, (request, response) => {
    request.resume().on('end', () => {
      posts.push(request.url ?? '');
      response.setHeader('Content-Length', 2);
      if (hint !== '') response.setHeader('Keep-Alive', hint);
      response.end('ok');
    });
  });
  server.on('secureConnection', (socket) => {
    sockets.push(socket);
    places.push(socket.localAddress);
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
});
afterEach(async () => {
  kept.close();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const url = (path = '/hook', host = '127.0.0.1') => `https://${host}:${(server.address() as AddressInfo).port}${path}`;
const named = () => url('/hook', 'hooks.store-receiver.org');
async function sent(to: string, changes: Partial<AttemptOptions> = {}): Promise<string> {
  const outcome = await post(to, { connectTimeoutMs: 5_000, responseTimeoutMs: 5_000, ...changes }, body, kept);
  // The connection is given back in the turn after the outcome.
  await new Promise(setImmediate);
  return outcome.kind === 'response' ? `status ${outcome.status}` : outcome.reason;
}

describe('a connection is used again', () => {
  test('for the next POSTs to the same URL, one after the other', async () => {
    for (let n = 0; n < 3; n++) expect(await sent(url())).toBe('status 200');
    expect([posts.length, sockets.length]).toEqual([3, 1]);
  });

  test('where the name, resolved again, still answers with its address', async () => {
    await sent(named());
    await sent(named(), { resolver: resolvesTo('127.0.0.2', '127.0.0.1') });
    expect([posts.length, sockets.length]).toEqual([2, 1]);
  });

  test('by one POST at a time', async () => {
    await Promise.all([sent(url()), sent(url())]);
    expect(sockets.length).toBe(2);
    await Promise.all([sent(url()), sent(url())]);
    expect([posts.length, sockets.length]).toEqual([4, 2]);
  });
});

describe('a new connection is made', () => {
  test('when the name answers with another address', async () => {
    await sent(named());
    expect(await sent(named(), { resolver: resolvesTo('127.0.0.2') })).toBe('status 200');
    expect(places).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  test('for another URL of the same host: stores share no connection', async () => {
    await sent(url('/one'));
    await sent(url('/two'));
    expect([posts, sockets.length]).toEqual([['/one', '/two'], 2]);
  });

  test('30 s after the last one was made, so that the certificate is seen again', async () => {
    for (const ms of [0, 15_000, 29_999]) {
      nowMs = ms;
      await sent(url());
    }
    expect(sockets.length).toBe(1);
    nowMs = 30_000;
    await sent(url());
    expect(sockets.length).toBe(2);
  });

  test('before the receiver would close it: a second before its end, or after one second', async () => {
    hint = 'timeout=5, max=100';
    await sent(url());
    nowMs = 3_999;
    await sent(url());
    expect(sockets.length).toBe(1);
    nowMs += 4_000;
    hint = '';
    await sent(url());
    expect(sockets.length).toBe(2);
    nowMs += 1_000;
    await sent(url());
    expect(sockets.length).toBe(3);
  });

  test('when the receiver has closed the last one, which is no failure', async () => {
    await sent(url());
    const [first] = sockets;
    first!.end();
    await until(() => first!.destroyed);
    expect(await sent(url())).toBe('status 200');
    expect([posts.length, sockets.length]).toEqual([2, 2]);
  });

  test('when the receiver has sent what could be taken for the next answer', async () => {
    await sent(url());
    const [first] = sockets;
    first!.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await until(() => first!.destroyed);
    await sent(url());
    expect([posts.length, sockets.length]).toEqual([2, 2]);
  });

  test('when the receiver said that it closes', async () => {
    server.removeAllListeners('request');
    server.on('request', (request, response) => request.resume().on('end', () => response.setHeader('Connection', 'close').end()));
    await sent(url());
    await sent(url());
    expect(sockets.length).toBe(2);
  });
});

test('an address that may no longer be reached gets nothing over an open connection', async () => {
  await sent(named());
  expect(await sent(named(), { resolver: resolvesTo('10.0.0.1') })).toBe('blocked');
  expect(posts.length).toBe(1);
});

test('no more than so many are kept, and none after the end', async () => {
  kept = new KeptSockets({ nowMs: () => nowMs, idleMax: 1 });
  await Promise.all([sent(url()), sent(url())]);
  const open = () => sockets.filter((socket: Socket) => !socket.destroyed).length;
  await until(() => open() === 1);
  kept.close();
  await until(() => open() === 0);
  await sent(url());
  await until(() => open() === 0);
});
