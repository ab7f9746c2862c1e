/** One store beside another (D256), and the end of what nobody waits for (D257), over HTTP through everything. */
import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

/** The index knows all parts of the text, so PostgreSQL looks into each row, and takes about 0.2 ms to find that it is not in it. */
const rows = `insert into catalog.products (store_id, name, search_text, price, stock, stock_version, created_at, updated_at)
  select $1, 'a', repeat('a', 400) || 'b', 1, 0, 0, now(), now() from generate_series(1, 30000)`;
const search = `/products?search=${'a'.repeat(401)}b`;

const world = await useWorld();

const searching = async () => {
  const text = `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query like '%search_text like%' and pid <> pg_backend_pid()`;
  return (await world.database.query<{ n: number }>(text)).rows[0]!.n;
};
const until = async (isSo: (n: number) => boolean) => {
  while (!isSo(await searching())) await new Promise((resolve) => setImmediate(resolve));
};

const other = await world.newStore();
const [slow, beside] = [await world.newKey(world.store), await world.newKey(other)];
await world.database.query(rows, [world.store.id]);
await world.call('POST', '/products', { key: beside, body: { product: { name: 'Lantern', price: '1.00' } } });
// A key's first request is answered: until then its limit is a cold key's.
for (const key of [slow, beside]) await world.call('GET', '/brands', { key });

test("a store is answered while another's slow searches would fill every connection", async () => {
  const gone = new AbortController();
  const headers = { 'X-API-Key': slow };
  const flood = Array.from({ length: 60 }, () =>
    fetch(`${world.baseUrl}/api/v1${search}`, { headers, signal: gone.signal }).then(
      ({ status }) => status,
      () => 'gone',
    ),
  );
  await until((n) => n >= 1);
  // Six begin; of those that take longer than 100 ms one goes on.
  await until((n) => n === 1);
  const times: number[] = [];
  for (let n = 0; n < 10; n++) {
    const startedAt = performance.now();
    const { status, body } = await world.call('GET', '/products', { key: beside });
    times.push(performance.now() - startedAt);
    expect([status, body.data?.length ?? body]).toEqual([200, 1]);
  }
  expect((await world.call('POST', '/products', { key: beside, body: { product: { name: 'Basket', price: '1.00' } } })).status).toBe(201);
  expect(await searching()).toBeGreaterThan(0);
  // A search takes until its deadline, so a request that waited for one would take seconds.
  expect(times.sort((a, b) => a - b).at(-2)).toBeLessThan(1_500);
  const leftAt = performance.now();
  gone.abort();
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['gone']));
  await until((n) => n === 0);
  expect(performance.now() - leftAt).toBeLessThan(2_000);
});

test('a search at its deadline ends in PostgreSQL too, and no store is refused after', async () => {
  const startedAt = performance.now();
  const flood = Array.from({ length: 10 }, () => world.call('GET', search, { key: slow }));
  await until((n) => n >= 1);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  // A fast machine may end one of them in time.
  expect(statuses.filter((status) => status === 500).length).toBeGreaterThan(5);
  expect(statuses.filter((status) => status !== 500 && status !== 200)).toEqual([]);
  // Ten late calls in a row are no service that hangs.
  for (const key of [beside, slow]) expect((await world.call('GET', '/brands', { key })).status).toBe(200);
  await until((n) => n === 0);
  expect(performance.now() - startedAt).toBeLessThan(9_000);
});
