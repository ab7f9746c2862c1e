/** Request bodies (D199): none is read before the caller is authenticated, and none beyond its limits. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { type Door, httpUnderTest, shareDoor } from '../../test/http-under-test.ts';
import type { Connection } from '../../test/open-connection.ts';
import { BodyRoom } from './body-room.ts';
import { Routes } from './routes.ts';

const room = new BodyRoom({ anonymousBytes: 20_000 });
const anonymousBytes = 1024 * 1024;
const wide = new BodyRoom({ anonymousBytes });
const door = shareDoor({}, { room });
/** Room for the largest bodies of the bulk endpoints. */
const large = shareDoor({}, { room: wide, routes: new Routes(new Set(['gateway', 'catalog'])) });
let admin: string;
beforeAll(async () => {
  admin = `Authorization: Bearer ${(await large.store()).token}`;
});

const head = (path: string, lines: string[]) =>
  [`POST /api/v1${path} HTTP/1.1`, 'Host: store.example', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');
const status = (connection: Connection) => Number(/^HTTP\/1\.1 (\d+)/.exec(connection.received())?.[1]);

async function answerTo(at: Door, text: string): Promise<Connection> {
  const connection = at.open();
  connection.socket.write(text);
  await connection.until('}');
  return connection;
}

describe('a request whose caller is refused', () => {
  test.each([
    ['a key of a wrong shape', ['X-API-Key: nonsense'], '/api_keys', 401],
    ['a session that is none', ['Authorization: Bearer nonsense'], '/api_keys', 401],
    ['nobody', [], '/api_keys', 401],
    ["another site's page", ['Sec-Fetch-Site: cross-site'], '/staff_sessions', 403],
  ])('is answered before a byte of its body has come, and is not asked for it: %s', async (_who, lines, path, expected) => {
    const connection = await answerTo(door, head(path, [...lines, 'Expect: 100-continue', 'Content-Length: 5000000']));
    expect(status(connection)).toBe(expected);
    expect(connection.received()).toMatch(/Connection: close/);
    connection.socket.destroy();
  });

  test('a client that sends its body anyway still reads the answer', async () => {
    const response = await fetch(`${door.baseUrl}/api/v1/api_keys`, { method: 'POST', body: 'a'.repeat(4_000_000) });
    expect([response.status, await response.json()]).toEqual([401, { error: 'Authentication required' }]);
    expect(room.taken).toBe(0);
  });

  test('with a small body keeps its connection', async () => {
    const connection = await answerTo(door, `${head('/api_keys', ['Content-Length: 2'])}{}`);
    expect(connection.received()).not.toMatch(/Connection: close/);
    connection.socket.destroy();
  });
});

test('a client that sends Expect: 100-continue continues only after authentication', async () => {
  const connection = door.open();
  connection.socket.write(head('/staff_sessions', ['Expect: 100-continue', 'Content-Length: 2']));
  await connection.until('100 Continue');
  connection.socket.write('{}');
  await connection.until('missing or the value is empty: email');
  connection.socket.destroy();
});

describe('a body is limited by its endpoint', () => {
  test('16 KB on public endpoints, 5 MB bulk, 1 MB purchase orders, 256 KB elsewhere', () => {
    const larger = endpoints().filter(({ access, bodyBytesMax }) => bodyBytesMax !== (access.public ? 16_384 : 262_144));
    expect(larger.map(({ path, bodyBytesMax }) => [path, bodyBytesMax]).sort()).toEqual([
      ['/products/bulk_update', 5_242_880],
      ['/products/bulk_upsert', 5_242_880],
      ['/purchase_orders', 1_048_576],
      ['/purchase_orders/{id}/receive', 1_048_576],
    ]);
    const small = endpoints().filter(({ bodyBytesMax }) => bodyBytesMax === 16_384);
    expect(small.map(({ path }) => path)).toEqual(['/staff_sessions', '/staff_users/accept_invite']);
  });

  test.each([
    ['/staff_sessions', 16_384],
    ['/api_keys', 262_144],
    ['/products/bulk_upsert', 5_242_880],
  ])('%s: as many bytes as it takes are read, and one more is a 413', async (path, bytes) => {
    const headers = { 'Content-Type': 'application/json', Authorization: admin.slice('Authorization: '.length) };
    const ask = async (size: number) =>
      (await fetch(`${large.baseUrl}/api/v1${path}`, { method: 'POST', headers, body: '['.padEnd(size) })).json();
    expect([await ask(bytes), await ask(bytes + 1)]).toEqual([{ error: 'Malformed JSON' }, { error: 'Request body too large' }]);
  });

  test('a body whose Content-Length is too large is refused before it is sent', async () => {
    const connection = await answerTo(large, head('/staff_sessions', ['Content-Length: 16385']));
    expect(status(connection)).toBe(413);
    connection.socket.destroy();
  });

  test('a body without a length is refused once it is too large, before it is complete', async () => {
    const chunk = `4001\r\n${' '.repeat(0x4001)}\r\n`;
    const connection = await answerTo(large, `${head('/staff_sessions', ['Transfer-Encoding: chunked'])}${chunk}`);
    expect(status(connection)).toBe(413);
    connection.socket.destroy();
  });

  test('more than 200,000 JSON values are refused before the body is complete', async () => {
    const values = `{"products":[${'{},'.repeat(200_000)}`;
    const connection = await answerTo(large, `${head('/products/bulk_upsert', [admin, 'Content-Length: 5000000'])}${values}`);
    expect(status(connection)).toBe(413);
    connection.socket.destroy();
    expect(wide.taken).toBe(0);
  });
});

describe('room for bodies that are being read', () => {
  const login = (address: string) => head('/staff_sessions', [`X-Forwarded-For: ${address}`, 'Content-Length: 10000']);
  const body = '{}'.padEnd(10_000);

  test('a body without room is not read until there is some', async () => {
    const [first, second, third] = [door.open(), door.open(), door.open()];
    first.socket.write(`${login('192.0.2.1')}{`);
    second.socket.write(`${login('192.0.2.2')}{`);
    await taken(20_000);
    third.socket.write(`${login('192.0.2.3')}${body}`);
    // A request without a body is answered meanwhile.
    expect((await fetch(`${door.baseUrl}/api/v1/settings`)).status).toBe(401);
    expect(third.received()).toBe('');
    first.socket.write(body.slice(1));
    await Promise.all([first.until('}'), third.until('}')]);
    expect([status(first), status(third)]).toEqual([400, 400]);
    second.socket.destroy();
    await taken(0);
    for (const { socket } of [first, third]) socket.destroy();
  });

  test('one address leaves room for others, and the one that holds least is next', async () => {
    const [slow, same, other] = [door.open(), door.open(), door.open()];
    slow.socket.write(`${login('2001:db8::1')}{`);
    await taken(10_000);
    same.socket.write(`${login('2001:db8::2')}${body}`);
    other.socket.write(`${login('192.0.2.9')}${body}`);
    await other.until('}');
    expect(same.received()).toBe('');
    slow.socket.destroy();
    await same.until('}');
    for (const { socket } of [same, other]) socket.destroy();
  });

  test('four addresses with 300 half-sent logins delay no POST of a store', async () => {
    const [key, strangers] = [await large.key(await large.store(), { scopes: ['products:write'] }), [] as Connection[]];
    for (let n = 0; n < 300; n++) {
      const connection = large.open();
      connection.socket.write(`${head('/staff_sessions', [`X-Forwarded-For: 198.51.100.${n % 4}`, 'Content-Length: 16384'])}{`);
      strangers.push(connection);
    }
    await until(() => wide.taken >= anonymousBytes);
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key.key! };
    const post = fetch(`${large.baseUrl}/api/v1/products`, { method: 'POST', headers, body: '[' });
    expect(await (await post).json()).toEqual({ error: 'Malformed JSON' });
    // It did not wait until one of them was refused as too slow.
    expect(strangers.map(({ received }) => received()).join('')).toBe('');
    for (const { socket } of strangers) socket.destroy();
    await until(() => wide.taken === 0);
  });
});

test('only so many bodies wait for room; the address of which most wait gets a 429', async () => {
  const small = await httpUnderTest({}, { room: new BodyRoom({ anonymousBytes: 1_000, anonymousWaiting: 3 }) });
  const from = (address: string) => `${head('/staff_sessions', [`X-Forwarded-For: ${address}`, 'Content-Length: 1000'])}{`;
  const held = Array.from({ length: 4 }, () => small.open());
  for (const { socket } of held) socket.write(from('192.0.2.1'));
  const beyond = await answerTo(small, from('192.0.2.1'));
  await beyond.closed;
  expect(beyond.received()).toMatch(/^HTTP\/1\.1 429 [\s\S]*Retry-After: 1\r\n/);
  const other = small.open();
  other.socket.write(`${head('/staff_sessions', ['X-Forwarded-For: 192.0.2.2', 'Content-Length: 2'])}{}`);
  await Promise.race(held.map(({ until }) => until('429')));
  for (const { socket } of held) socket.destroy();
  await other.until('missing');
  other.socket.destroy();
  await small.close();
});

test('a body slower than 1 KB/s ends with a 408 and a close; a faster one is read', async () => {
  const strict = new BodyRoom({ slowAfterMs: 50 });
  const hurried = await httpUnderTest({}, { room: strict });
  const fast = hurried.open();
  fast.socket.write(`${head('/staff_sessions', ['Content-Length: 15000'])}${'{'.padEnd(14_990)}`);
  const slow = await answerTo(hurried, `${head('/staff_sessions', ['Content-Length: 16000'])}{`);
  await slow.closed;
  expect(slow.received()).toMatch(/^HTTP\/1\.1 408 [\s\S]*X-Error-Code: too_slow[\s\S]*\{"error":"The request did not arrive in time"\}$/);
  expect(strict.taken).toBe(15_000);
  fast.socket.write(' '.repeat(10));
  await fast.until('Malformed JSON');
  fast.socket.destroy();
  await hurried.close();
});

const taken = (bytes: number) => until(() => room.taken === bytes);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
