import { describe, expect, test } from '@jest/globals';
import { httpUnderTest, shareDoor } from '../../test/http-under-test.ts';
import { openConnection } from '../../test/open-connection.ts';
import { timeoutsDefault } from './server.ts';

const door = shareDoor();
const impatient = shareDoor({ timeouts: { headersMs: 200, requestMs: 600, checkEveryMs: 50 } });

async function life(text: string): Promise<{ ms: number; received: string }> {
  const connection = impatient.open();
  const startedAt = performance.now();
  connection.socket.write(text);
  await connection.closed;
  return { ms: performance.now() - startedAt, received: connection.received() };
}

/** Without its connection check Node would keep the connection open for 30 s. */
const lateMs = 20_000;

describe('a slow sender', () => {
  test('headers end at 10 s and requests at 30 s, checked every half second', () => {
    expect(timeoutsDefault).toEqual({ headersMs: 10_000, requestMs: 30_000, checkEveryMs: 500 });
  });

  test('loses the connection when the headers are late, with a 408', async () => {
    const { ms, received } = await life('GET /healthz HTTP/1.1\r\nHost: store.example\r\nX-Slow: ');
    expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*\{"error":"The request did not arrive in time"\}$/);
    expect(ms).toBeGreaterThanOrEqual(190);
    expect(ms).toBeLessThan(lateMs);
  });

  test('loses the connection when the body is late', async () => {
    const { ms, received } = await life('POST /api/v1/staff_sessions HTTP/1.1\r\nHost: store.example\r\nContent-Length: 9\r\n\r\n{');
    expect(received).toMatch(/^HTTP\/1\.1 408/);
    expect(ms).toBeLessThan(lateMs);
  });

  test('loses the connection also when it asked to keep it open', async () => {
    const connection = openConnection(impatient.baseUrl, true);
    connection.socket.write('GET /healthz HTTP/1.1\r\n');
    await connection.until('408');
    // The client notices the closed server only when it sends.
    const sends = setInterval(() => connection.socket.write('X'), 50);
    await connection.closed;
    clearInterval(sends);
  });
});

test('connections beyond the maximum are closed as they come; open ones are served', async () => {
  const small = await httpUnderTest({ connectionsMax: 2 });
  const [first, second] = [small.open(), small.open()];
  for (const { socket, until } of [first, second]) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: store.example\r\n\r\n');
    await until('"ok"');
  }
  await small.open().closed;
  first.socket.write('GET /api/v1/settings HTTP/1.1\r\nHost: store.example\r\n\r\n');
  await first.until('401');
  for (const { socket } of [first, second]) socket.destroy();
  await small.close();
});

const request = (path: string, ...lines: string[]) => [`GET ${path} HTTP/1.1`, 'Host: store.example', ...lines, '', ''].join('\r\n');

test('one address leaves a quarter of the connections free; closing frees its own', async () => {
  const small = await httpUnderTest({ connectionsMax: 8, trustedProxies: 0 });
  const held = Array.from({ length: 6 }, () => small.open());
  for (const { socket, until } of held) {
    socket.write(request('/healthz'));
    await until('"ok"');
  }
  await small.open().closed;
  for (const { socket } of held) socket.destroy();
  // Until the server has noticed.
  for (let text = ''; !text.includes('"ok"'); ) {
    const again = small.open();
    again.socket.write(request('/healthz'));
    await Promise.race([again.until('"ok"'), again.closed]);
    text = again.received();
    again.socket.destroy();
  }
  await small.close();
});

test('strangers of many addresses close no connection of a key or session', async () => {
  const small = await httpUnderTest({ connectionsMax: 8, trustedProxies: 0 });
  const store = await small.store();
  const { key } = await small.key(store);
  const asKey = (connection: ReturnType<typeof small.open>, path: string, status: number) => {
    connection.socket.write(request(path, `X-API-Key: ${key}`));
    return connection.until(`HTTP/1.1 ${status}`);
  };
  const fill = (net: number) =>
    Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const stranger = small.open(`127.0.${net}.${1 + (n >> 1)}`);
        stranger.socket.write(request('/healthz'));
        await Promise.race([stranger.until('"ok"'), stranger.closed]);
        return stranger;
      }),
    );
  const strangers = await fill(1);
  const ours = small.open('127.0.9.1');
  await asKey(ours, '/api/v1/key', 200);
  const staff = small.open('127.0.9.2');
  staff.socket.write(request('/api/v1/settings', `Authorization: Bearer ${store.token}`));
  await staff.until('HTTP/1.1 200');
  await Promise.any(strangers.map(({ closed }) => closed));
  strangers.push(...(await fill(2)));
  const another = small.open('127.0.9.3');
  await asKey(another, '/api/v1/key', 200);
  await asKey(ours, '/api/v1/nothing', 404);
  expect(staff.socket.readyState).toBe('open');
  for (const { socket } of [...strangers, ours, staff, another]) socket.destroy();
  await small.close();
});

test('behind a proxy a client with many requests in flight is refused, others not', async () => {
  const small = await httpUnderTest({ connectionsMax: 8 });
  const from = (address: string) => [`X-Forwarded-For: ${address}`, 'Content-Type: application/json'];
  const half = (address: string) => {
    const connection = small.open();
    const text = request('/api/v1/staff_sessions', ...from(address), 'Content-Length: 9', 'Expect: 100-continue').replace('GET', 'POST');
    connection.socket.write(text);
    return connection;
  };
  const held = Array.from({ length: 6 }, () => half('192.0.2.1'));
  for (const { until } of held) await until('100 Continue');
  const beyond = half('192.0.2.1');
  await beyond.until('}');
  expect(beyond.received()).toMatch(/^HTTP\/1\.1 429 [\s\S]*Retry-After: 1\r\n/);
  const other = small.open();
  other.socket.write(request('/healthz', ...from('192.0.2.2')));
  await other.until('"ok"');
  for (const { socket } of [...held, beyond, other]) socket.destroy();
  await small.close();
});

test('only where the public address is https does every answer ask for TLS only', async () => {
  const secure = await httpUnderTest({ publicUrl: 'https://api.store.example' });
  for (const path of ['/healthz', '/api/v1/settings', '/api/v1/openapi.json', '/docs', '/nothing']) {
    const headerAt = async ({ baseUrl }: { baseUrl: string }) => (await fetch(baseUrl + path)).headers.get('strict-transport-security');
    expect([path, await headerAt(secure), await headerAt(door)]).toEqual([path, 'max-age=31536000', null]);
  }
  await secure.close();
});

test('no answer is cached on the way or interpreted as another content type', async () => {
  const { token } = await door.store();
  const { key } = await door.key(await door.store());
  const asked: [string, RequestInit][] = [
    ['/api/v1/settings', { headers: { Authorization: `Bearer ${token}` } }],
    ['/api/v1/key', { headers: { 'X-API-Key': key } }],
    ['/api/v1/key', { method: 'HEAD', headers: { 'X-API-Key': key } }],
    ['/api/v1/key', { method: 'OPTIONS' }],
    ['/api/v1/nothing', { headers: { 'X-API-Key': key } }],
    ['/api/v1/settings', {}],
    ['/api/v1/staff_sessions', { method: 'POST', body: '{' }],
    ['/api/v1/openapi.json', {}],
    ['/api/v1/%', {}],
    ['/', {}],
  ];
  const answers = await Promise.all(asked.map(([path, init]) => fetch(`${door.baseUrl}${path}`, init)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204, 404, 401, 400, 200, 401, 404]);
  for (const { headers } of answers) {
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
  }
  const { received } = await life('nonsense\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*Cache-Control: no-store\r\nX-Content-Type-Options: nosniff/);
});
