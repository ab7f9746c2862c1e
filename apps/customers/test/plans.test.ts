/** What keeps the list quick in a store of many customers: the plans of its statements, not a stopwatch. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cursorOf } from '@store/input';
import { plansOf } from '@store/testbed';
import { isCluster } from '@store/testbed/one-server';
import { type CustomersUnderTest, keyOf, startCustomers } from './customers-under-test.ts';

/** What one server has and a cluster has not: the plans of its own rows. */
const onOneServer = isCluster ? test.skip : test;

let customers: CustomersUnderTest;
const large = 1;
const small = 2;
const customersOfLarge = 20_000;
const batch = 2_000;

beforeAll(async () => {
  customers = await startCustomers();
  for (let from = 1; from <= customersOfLarge; from += batch) await insert(large, from, from + batch - 1);
  await insert(small, 1, batch);
  await customers.run('analyze');
}, 120_000);
afterAll(() => customers.stop());

const insert = (storeId: number, from: number, to: number) =>
  customers.run(
    `insert into customers.customers (store_id, name, email, phone, customer_code, email_key, phone_digits, search_text,
       store_credit_balance, created_at, updated_at)
     select $1, name, email, phone, code, email, digits, lower(concat_ws(E'\\x1f', name, email, phone, code)),
       case when n % 100 = 0 then n else 0 end, now(), '2026-01-01'::timestamptz + n * interval '1 s'
     from (select n, initcap(md5(n::text)) as name, md5(n::text) || '@example.com' as email, digits,
             format('(%s) %s-%s', left(digits, 3), substr(digits, 4, 3), right(digits, 4)) as phone, 'C' || lpad(n::text, 5, '0') as code
           from generate_series($2::int, $3::int) n, lateral (select (2000000000 + n::bigint * 7919)::text as digits) d) c`,
    [storeId, from, to],
  );

const plans = (query: Record<string, string>, storeId = large) =>
  plansOf(customers.db, () => customers.call('ListCustomers', query, keyOf(storeId)));

test.each([large, small])("the plain list of store %i walks its index to the page's end and counts nothing", async (storeId) => {
  const [page, total] = await plans({}, storeId);
  expect(page).toMatch(/Index Scan Backward using customers_listed/);
  expect(page).not.toMatch(/Sort/);
  expect(total).not.toMatch(/customers_listed|Seq Scan on customers/);
});

test.each([
  ['a rare word', { q: 'c4ca4238' }, /customers_search/],
  ['an e-mail', { q: 'c4ca4238a0b923820dcc509a6f75849b@example.com' }, /customers_search/],
  ['digits of a phone', { q: '(200) 000-7919' }, /BitmapOr[\s\S]*customers_search[\s\S]*customers_search/],
  ['updated_since', { updated_since: '2026-01-01T05:33:15Z' }, /Index Scan Backward using customers_listed/],
])('%s is found by an index, and no other customer is read', async (_name, query, index) => {
  for (const plan of await plans(query)) {
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on customers/);
  }
});

test('the page of a word that everybody has ends at its limit', async () => {
  const [page] = await plans({ q: 'example' });
  expect(page).toMatch(/Index Scan Backward using customers_listed/);
});

onOneServer('by cursors the list walks an index of its own', async () => {
  for (const after of ['', cursorOf(2, { id: 10_000, createdAt: new Date('2026-11-20') })]) {
    const [page] = await plans({ after }, small);
    expect(page).toMatch(/Index Scan using customers_walked on customers/);
    expect(page).not.toMatch(/Seq Scan on customers|Sort Key: customers.created_at/);
  }
});

test('the snapshot of store credit reads those who have some by an index', async () => {
  const [snapshot] = await plansOf(customers.db, () => customers.call('GetStoreCreditSnapshot', {}, keyOf(large)));
  expect(snapshot).toMatch(/customers_credit/);
});

/** Milliseconds on a quiet machine; other tests run beside this one. */
const aMomentMs = 10_000;

test('the largest search text that a client can send is answered at once', async () => {
  for (const q of ['x'.repeat(10_000), '1'.repeat(10_000), '(a+)+$'.repeat(1_000), '%'.repeat(10_000), '_\\'.repeat(5_000)]) {
    const started = performance.now();
    expect((await customers.call('ListCustomers', { q }, keyOf(large))).json.customers).toEqual([]);
    expect(performance.now() - started).toBeLessThan(aMomentMs);
  }
});
