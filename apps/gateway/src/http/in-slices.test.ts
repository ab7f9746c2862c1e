/** D260: a page that is too large to be read at once is the same answer, asked for and sent in slices. */
import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import { Problem } from '@store/problem';
import { bounded } from '@store/service';
import { shareSales } from '../../test/sales-under-test.ts';

interface Asked {
  page?: string;
  per_page?: string;
  after?: string;
}

const list = { name: 'sales', perPage: 50, walks: true };
const sales = shareSales({ ListSales: bounded({ list }, listSales) }, 'sales:read');
const { gateway } = sales;
let asked: string[];
let total: number;
let most: number;
let note: string;
let fails: (from: number) => Error | undefined;

beforeEach(() => {
  asked = [];
  total = 1_000;
  most = 10;
  note = 'n';
  fails = () => undefined;
});

async function listSales({ page = '1', per_page = '50', after }: Asked) {
  asked.push(`${page}x${per_page}`);
  const size = Number(per_page);
  const from = (Number(page) - 1) * size;
  const failure = fails(from);
  if (failure) throw failure;
  if (size > most) throw new Problem('too_large', 'too large');
  const found = Array.from({ length: Math.max(Math.min(after === undefined ? size : size + 1, total - from), 0) }, (_, n) => ({
    id: from + n + 1,
    void_reason: note,
  }));
  const pagination = { current_page: Number(page), per_page: size, total_count: total, total_pages: Math.ceil(total / size) };
  return { sales: found, pagination };
}

const get = (query: string, init?: RequestInit) => sales.get(`/sales?${query}`, init);
const withoutMeta = (text: string) => text.replace(/"meta":.*$/, '');

test.each(['page=1&per_page=100', 'page=3&per_page=97', 'per_page=1', '', 'page=20&per_page=51', 'page=999', 'per_page=junk&page=2'])(
  '"%s" is answered byte for byte as a page that is read at once, to key and staff',
  async (query) => {
    for (const by of [sales.get, sales.getAsStaff]) {
      const read = async () => (await by(`/sales?${query}`)).text();
      most = 100;
      const whole = await read();
      for (most of [33, 7, 1]) expect(withoutMeta(await read())).toBe(withoutMeta(whole));
      expect(JSON.parse(whole)).toBeDefined();
    }
  },
);

test('a page that is read at once is asked for once, with a Content-Length', async () => {
  most = 100;
  const answer = await get('per_page=100', { headers: { 'Accept-Encoding': 'identity' } });
  expect([answer.headers.get('content-length'), asked]).toEqual([String((await answer.text()).length), ['1x100']]);
});

test('slices begin and end with the page, shrink where needed, and end with the list', async () => {
  total = 118;
  await (await get('page=2&per_page=50')).text();
  await (await get('page=3&per_page=50')).text();
  const [second, third] = ['2x50 3x25 11x5 12x5 13x5 14x5 15x5 16x5 17x5 18x5 19x5 20x5', '3x50 5x25 21x5 22x5 23x5 24x5'];
  expect(asked.join(' ')).toBe(`${second} ${third}`);
});

test('with a cursor it is a shorter page, whose Link has the size that was asked for', async () => {
  const answer = await get('per_page=50&after=');
  const { data, pagination } = (await answer.json()) as { data: object[]; pagination: object };
  expect([data.length, pagination, asked]).toEqual([5, expect.objectContaining({ per_page: 5 }), ['1x50', '1x25', '1x5']]);
  expect(answer.headers.get('link')).toMatch(/^<\/api\/v1\/sales\?per_page=50&after=[\w-]+>; rel="next"$/);
  most = 0;
  expect((await get('per_page=50&after=')).status).toBe(500);
});

test('HEAD reads the first slice alone', async () => {
  const answer = await get('per_page=20', { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-length'), await answer.text(), asked]).toEqual([200, null, '', ['1x20', '1x10']]);
});

test('what fails before the first byte is a proper body, and no GET is a 413', async () => {
  fails = (from) => (from === 0 && asked.length > 1 ? new Problem('not_found', 'Store not found') : undefined);
  const refused = await get('per_page=20');
  expect([refused.status, await refused.json()]).toEqual([404, { error: 'Store not found' }]);
  fails = () => new Problem('too_large', 'too large');
  expect((await get('per_page=20')).status).toBe(500);
});

test('a failure after it closes the connection, so no part is taken for the whole', async () => {
  fails = (from) => (from >= 10 ? new Error('the database is gone') : undefined);
  const answer = await get('per_page=20');
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('a slow reader is asked nothing for, and one that disconnects ends it', async () => {
  most = 1;
  note = 'x'.repeat(2_000_000);
  const connection = gateway.open();
  await once(connection.socket, 'connect');
  connection.socket.write(`GET /api/v1/sales?per_page=100 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${sales.key}\r\n\r\n`);
  await connection.until('"id":1,');
  connection.socket.pause();
  const held = await unchanged(() => asked.length);
  // What the sockets of both ends hold, and one or two slices on their way.
  expect(held).toBeLessThan(30);
  connection.socket.destroy();
  await unchanged(() => asked.length + sales.channel.breaker.underWay);
  while (sales.channel.breaker.underWay > 0) await unchanged(() => asked.length);
  expect(asked.length).toBeLessThan(held + 3);
});

async function unchanged(count: () => number): Promise<number> {
  for (let before = -1, same = 0; same < 20; ) {
    const other = await fetch(`${gateway.baseUrl}/healthz`);
    await other.text();
    same = count() === before ? same + 1 : 0;
    before = count();
  }
  return count();
}
