/** D260: large records are listed like small ones: the same JSON, sent in pieces, from services whose memory stays flat. */
import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const families = 12;
const products = 60;

/** Products of 60 KB each, and families whose variations have 100 barcodes each, as 100 requests would make them. */
async function makeProducts(): Promise<void> {
  const storeId = world.store.id;
  await world.database.query(
    `/* lists are kept here */ insert into catalog.products (store_id, name, description, created_at, updated_at)
     select $1, 'Large ' || lpad(n::text, 3, '0'), repeat('x', 60000), now(), now() from generate_series(1, $2) n`,
    [storeId, products - families],
  );
  await world.database.query(
    `/* lists are kept here */ with parents as (insert into catalog.products (store_id, name, has_variations, created_at, updated_at)
       select $1, 'Family ' || lpad(n::text, 3, '0'), true, now(), now() from generate_series(1, $2) n returning id)
     insert into catalog.products (store_id, name, parent_id, additional_barcodes, created_at, updated_at)
     select $1, 'V ' || lpad(v::text, 3, '0'), p.id,
       (select jsonb_agg(jsonb_build_object('code', repeat(p.id || '-' || v || '-' || b, 20), 'label', repeat('l', 100))) from generate_series(1, 100) b),
       now(), now()
     from parents p cross join generate_series(1, 30) v`,
    [storeId, families],
  );
  await world.database.query('insert into catalog.product_totals (store_id, delta) values ($1, $2)', [storeId, products]);
}

const data = (text: string) => /^\{"data":(\[.*\]),"pagination":/s.exec(text)![1]!;
const page = async (query: string) => world.call('GET', `/products?${query}`, { key });

test('GET /products: a page of 30 MB is its one-record pages, for a key and for staff', async () => {
  await makeProducts();
  const large = await page('per_page=100');
  expect([large.status, large.headers.get('content-length')]).toEqual([200, null]);
  expect(large.body.pagination).toEqual({ current_page: 1, per_page: 100, total_count: products, total_pages: 1 });
  expect(Object.keys(large.body)).toEqual(['data', 'pagination', 'meta']);
  const each: string[] = [];
  for (let n = 1; n <= products; n++) each.push(data((await page(`per_page=1&page=${n}`)).text).slice(1, -1));
  expect(data(large.text) === `[${each.join(',')}]`).toBe(true);
  const own = await world.call('GET', '/products?per_page=100', { token: world.store.token });
  expect(Object.keys(own.body)).toEqual(['products', 'pagination']);
  expect(own.body.products.map(({ id }: { id: number }) => id)).toEqual(large.body.data.map(({ id }: { id: number }) => id));
  expect((await page('updated_since=2000-01-01&per_page=60')).body.data).toHaveLength(60);
});

test('clients that read nothing of theirs leave the others their answers', async () => {
  const readers = await Promise.all(
    Array.from({ length: 10 }, () => {
      const asked = request(`${world.baseUrl}/api/v1/products?per_page=100`, { headers: { 'X-API-Key': key }, agent: false });
      asked.end();
      return new Promise<typeof asked>((resolve, reject) => {
        asked.once('error', reject);
        asked.once('response', (response) => {
          response.pause();
          response.on('error', () => undefined);
          resolve(asked);
        });
      });
    }),
  );
  expect((await page('per_page=1')).status).toBe(200);
  for (const reader of readers) reader.destroy();
  expect((await page('per_page=1')).status).toBe(200);
});

test("GET /audit_entries, which the gateway's own database answers, likewise", async () => {
  await world.settled();
  await world.database.query(
    `insert into gateway.audit_entries (store_id, actor_type, action, resource_type, resource_id, after, created_at, request_id, ip, event_ids)
     select $1, 'system', 'updated', 'Product', n, jsonb_build_object('description', repeat('y', 200000)), now(), 'r' || n, '', '{}' from generate_series(1, 100) n`,
    [world.store.id],
  );
  const answer = await world.call('GET', '/audit_entries?per_page=100&resource_type=Product', { token: world.store.token });
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, null]);
  expect(answer.body.audit_entries).toHaveLength(100);
  expect(answer.body.pagination.total_count).toBe(100);
});

test('GET /requests/:request_id shows the first large audit entries, and the count', async () => {
  const created = await world.call('POST', '/products', {
    key,
    body: { product: { name: 'Traced' } },
    headers: { 'X-Request-Id': 'traced-large' },
  });
  expect(created.status).toBe(201);
  await world.database.query(`update gateway.audit_entries set request_id = 'traced-large' where request_id ~ '^r[0-9]+$'`);
  const { status, text, body } = await world.call('GET', '/requests/traced-large', { token: world.store.token });
  expect([status, body.request.audit_entry_count >= 100]).toEqual([200, true]);
  expect(body.request.audit_entries.length).toBeGreaterThan(5);
  expect(text.length).toBeLessThan(4_000_000);
});
