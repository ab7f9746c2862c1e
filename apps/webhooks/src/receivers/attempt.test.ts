/** One POST over a real connection: the request that arrives, its target, and the outcome of each answer. */
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { selfSignedCertificate, throwAwayCa } from '@store/testbed/certificates';
import {
  body,
  ca,
  closeLast,
  closeReceivers,
  goodCertificate,
  listen,
  ok,
  outcomeOf,
  post,
  receiverThat,
  resolvesTo,
  says,
} from '../../test/receivers.ts';
import { readRanges } from './classify-address.ts';
import type { HostResolver } from './types.ts';

afterEach(closeReceivers);

/** Like SIGSTOP. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('a receiver that answers', () => {
  test('gets one POST with the exact bytes, its name in Host, and no internal headers', async () => {
    const receiver = await receiverThat(says('HTTP/1.1 204 No Content\r\n\r\n'));
    expect(await outcomeOf(post(receiver.url))).toBe('status 204');
    const [head, ...rest] = receiver.received[0]!.toString('utf8').split('\r\n\r\n');
    expect(head!.split('\r\n').toSorted()).toEqual([
      'Connection: close',
      `Content-Length: ${body.byteLength}`,
      'Content-Type: application/json',
      `Host: 127.0.0.1:${receiver.port}`,
      'POST /hook?a=1 HTTP/1.1',
      'X-Service-Event: product.updated',
    ]);
    expect(rest.join('')).toBe(body.toString('utf8'));
  });

  test.each([200, 201, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 422, 429, 500, 502, 503, 504, 599])(
    'with status %d is reported with that status',
    async (status) => {
      const receiver = await receiverThat(says(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
      expect(await outcomeOf(post(receiver.url))).toBe(`status ${status}`);
    },
  );

  test('D150: is not charged with a timeout while our own process was paused', async () => {
    const receiver = await receiverThat(ok);
    const outcome = post(receiver.url, { connectTimeoutMs: 300 });
    await new Promise(setImmediate);
    standStill(1_500);
    expect(await outcome).toMatchObject({ kind: 'response', status: 200 });
  });

  test('gets a new connection for each attempt', async () => {
    const receiver = await receiverThat((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'),
    );
    for (let n = 1; n <= 3; n++) expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    expect(receiver.connections).toBe(3);
  });

  test('D208: presents its certificate at every attempt: an expiry is noticed', async () => {
    const resumed: boolean[] = [];
    const server = tls.createServer(goodCertificate, (socket) => {
      resumed.push(socket.isSessionReused());
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    });
    const receiver = await listen(server);
    for (let n = 1; n <= 2; n++) expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    expect(resumed).toEqual([false, false]);
    // The same receiver with the same ticket keys, an hour after its certificate has expired.
    const keys = server.getTicketKeys();
    server.setSecureContext(ca.issue({ names: ['127.0.0.1'], notAfter: new Date(Date.now() - 3_600_000) }));
    server.setTicketKeys(keys);
    expect(await outcomeOf(post(receiver.url))).toBe('tls');
  });

  test('is not confused with a replacement that has a self-signed certificate', async () => {
    const first = await receiverThat(ok);
    expect(await outcomeOf(post(first.url))).toBe('status 200');
    await closeLast();
    const second = await receiverThat(ok, selfSignedCertificate({ names: ['127.0.0.1'] }), '127.0.0.1', first.port);
    expect(await outcomeOf(post(second.url))).toBe('tls');
    expect(second.received).toEqual([]);
  });

  test('with a redirect is not followed, and its cookie is not sent back', async () => {
    const trap = await listen(net.createServer());
    const location = `http://127.0.0.1:${trap.port}/`;
    const receiver = await receiverThat(says(`HTTP/1.1 308 X\r\nLocation: ${location}\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n`));
    expect(await outcomeOf(post(receiver.url))).toBe('status 308');
    expect(await outcomeOf(post(receiver.url))).toBe('status 308');
    expect(trap.connections).toBe(0);
    expect(receiver.received[1]!.toString()).not.toMatch(/cookie/i);
  });

  test('is reached directly whatever the proxy variables are', async () => {
    const trap = await listen(net.createServer());
    const receiver = await receiverThat(ok);
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${trap.port}`;
    try {
      expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(trap.connections).toBe(0);
  });

  test('with a name is verified by it and reached at the checked address, looked up once', async () => {
    const receiver = await receiverThat(ok, goodCertificate, '127.0.0.2');
    const trap = await listen(net.createServer(), '127.0.0.1', receiver.port);
    let asked = 0;
    const flipping: HostResolver = { resolve4: async () => (asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']), resolve6: async () => [] };
    const url = `https://Hooks.Store-Receiver.org.:${receiver.port}/hook`;
    expect(await outcomeOf(post(url, { resolver: flipping }))).toBe('status 200');
    expect(asked).toBe(1);
    expect(trap.connections).toBe(0);
    expect(receiver.received[0]!.toString()).toContain(`Host: hooks.store-receiver.org:${receiver.port}\r\n`);
  });

  test('with one refusing address is reached at another, by one POST', async () => {
    const receiver = await receiverThat(ok, goodCertificate, '127.0.0.2');
    const url = `https://hooks.store-receiver.org:${receiver.port}/`;
    expect(await outcomeOf(post(url, { resolver: resolvesTo('127.0.0.1', '127.0.0.2') }))).toBe('status 200');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an address that is not allowed', () => {
  test('DNS rebinding: a name that comes to it reaches nothing, 1,000 times', async () => {
    const trap = await listen(net.createServer());
    const url = `https://hooks.store-receiver.org:${trap.port}/`;
    const outcomes = new Set<string>();
    const answers = [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1']];
    for (let n = 0; n < 1_000; n++)
      outcomes.add(await outcomeOf(post(url, { allowCidrs: readRanges([]), resolver: resolvesTo(...answers[n % 3]!) })));
    expect([...outcomes]).toEqual(['blocked']);
    expect(trap.connections).toBe(0);
  });

  test.each([
    ['http://127.0.0.1:8080/', 'not_https'],
    ['https://127.0.0.1:80/', 'blocked'],
    ['https://localhost:8443/', 'blocked'],
    ['https://10.0.0.1:8443/', 'blocked'],
  ])('%s comes to %s', async (url, expected) => {
    expect(await outcomeOf(post(url))).toBe(expected);
  });
});

describe('an unreachable receiver', () => {
  test('refuses the connection', async () => {
    const receiver = await receiverThat(() => undefined);
    await closeLast();
    expect(await outcomeOf(post(receiver.url))).toBe('refused');
  });

  test.each([
    ['does not resolve', () => Promise.reject(new Error('ENOTFOUND'))],
    ['no name server answers for', () => new Promise<never>(() => undefined)],
  ])('has a name that %s', async (_title, resolve) => {
    const resolver = { resolve4: resolve, resolve6: resolve };
    expect(await outcomeOf(post('https://hooks.store-receiver.org/', { resolver }))).toBe('dns');
  });

  test('has one connect timeout for DNS and TLS together', async () => {
    const receiver = await listen(net.createServer());
    const slow: HostResolver = {
      resolve4: () => new Promise((resolve) => setTimeout(() => resolve(['127.0.0.1']), 1_500)),
      resolve6: async () => [],
    };
    const outcome = await post(`https://hooks.store-receiver.org:${receiver.port}/`, { resolver: slow, connectTimeoutMs: 3_000 });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
    // Two timeouts would be 4.5 s.
    expect(outcome.durationMs).toBeLessThan(4_400);
  });

  const expired = { names: ['127.0.0.1'], notBefore: new Date(Date.now() - 10 * 86_400_000), notAfter: new Date(Date.now() - 60_000) };
  const early = { names: ['127.0.0.1'], notBefore: new Date(Date.now() + 3_600_000) };
  test.each([
    ['signed by itself', selfSignedCertificate({ names: ['127.0.0.1'] })],
    ['of an unknown authority', throwAwayCa().issue({ names: ['127.0.0.1'] })],
    ['that has expired', ca.issue(expired)],
    ['that is not valid yet', ca.issue(early)],
    ['for another host', ca.issue({ names: ['other.example.org', '127.0.0.9'] })],
  ])('has a certificate %s: nothing is sent', async (_title, certificate) => {
    const receiver = await receiverThat(ok, certificate);
    expect(await outcomeOf(post(receiver.url))).toBe('tls');
    expect(receiver.received).toEqual([]);
  });

  test('speaks no TLS at all', async () => {
    const receiver = await listen(net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await outcomeOf(post(receiver.url))).toBe('tls');
  });

  test('closes the connection during the handshake', async () => {
    const receiver = await listen(net.createServer((socket) => socket.destroy()));
    expect(await outcomeOf(post(receiver.url))).toBe('reset');
  });
});

test('without WEBHOOK_CA_FILE a certificate of the test authority is refused', async () => {
  const receiver = await receiverThat(ok);
  expect(await outcomeOf(post(receiver.url, { caPem: undefined }))).toBe('tls');
});
