/** ETag and If-Match (D285): a change of a record that somebody else changed meanwhile is refused. */
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const { token } = world.store;
const key = await world.newKey(world.store);
const { create } = world;
const product = await create('/products', { product: { name: 'Lantern', price: '3.39', cost: '1.00' } });
const customer = await create('/customers', { customer: { name: 'Maya' } });
const line_items = [{ product_id: product.id, quantity: 1 }];
const sale = await create('/sales', { sale: { status: 'pending', line_items } });
const card = await create('/gift_cards', { gift_card: { amount: '20.00' } });
const supplier = await create('/suppliers', { supplier: { name: 'Lights' } });
const lines = [{ product_id: product.id, quantity_ordered: 2, unit_price: '1.00' }];
const order = await create('/purchase_orders', { purchase_order: { supplier_id: supplier.id, line_items: lines } });
const received = await create('/purchase_orders', { purchase_order: { line_items: lines } });
const line = (await world.staff('GET', `/purchase_orders/${received.id}`)).purchase_order.line_items[0].id as number;
/** What changes a part of that order under its address. */
const parts: Record<string, { path: string; body: unknown }> = {
  'POST /purchase_orders/{id}/invoice': { path: '/invoice', body: { line_items: [{ id: line, quantity_invoiced: 2 }] } },
  'POST /purchase_orders/{id}/receive': { path: '/receive', body: { line_items: [{ id: line, quantity_received: 1 }] } },
  'PATCH /purchase_orders/{id}/lines/{line_id}': { path: `/lines/${line}`, body: { line_item: { quantity_received: 2 } } },
};
const day = (n: number) => `2099-01-0${n}`;
/** Path of the record, and two bodies of which each changes it. */
const records: Record<string, { path: string; changes: [unknown, unknown] }> = {
  '/products/{id}': { path: `/products/${product.id}`, changes: [{ product: { price: '4.00' } }, { product: { price: '5.00' } }] },
  '/customers/{id}': { path: `/customers/${customer.id}`, changes: [{ customer: { notes: 'a' } }, { customer: { notes: 'b' } }] },
  '/sales/{id}': {
    path: `/sales/${sale.id}`,
    changes: [{ sale: { line_items: [{ ...line_items[0], quantity: 2 }] } }, { sale: { line_items: [{ ...line_items[0], quantity: 3 }] } }],
  },
  '/gift_cards/{id}': {
    path: `/gift_cards/${card.id}`,
    changes: [{ gift_card: { expires_at: day(1) } }, { gift_card: { expires_at: day(2) } }],
  },
  '/purchase_orders/{id}': {
    path: `/purchase_orders/${order.id}`,
    changes: [{ purchase_order: { status: 'confirmed' } }, { purchase_order: { status: 'cancelled' } }],
  },
  '/suppliers/{id}': {
    path: `/suppliers/${supplier.id}`,
    changes: [{ supplier: { email: 'a@lights.example' } }, { supplier: { email: 'b@lights.example' } }],
  },
  '/settings': { path: '/settings', changes: [{ settings: { locale: 'fr' } }, { settings: { locale: 'es' } }] },
};

const read = async (path: string, as: object = { token }) => (await world.call('GET', path, as)).headers.get('etag')!;
const change = (path: string, body: unknown, version: string, as: object = { token }) =>
  world.call('PATCH', path, { ...as, body, headers: { 'If-Match': version } });

/** Only a password is changed there, which its answer does not show. */
const ownAccount = '/staff_users/me';

describe('each record that is read and changed under one path', () => {
  test('is in this test', () => {
    const changes = endpoints().filter(({ takesIfMatch, path }) => takesIfMatch && path !== ownAccount);
    // A PUT is the rpc of the PATCH beside it.
    const named = changes.flatMap(({ httpMethod, path }) => (httpMethod === 'PUT' ? [] : [`${httpMethod} ${path}`]));
    expect(named.sort()).toEqual([...Object.keys(records).map((path) => `PATCH ${path}`), ...Object.keys(parts)].sort());
  });

  test('is changed at the version seen and at no other: of two changes one is made', async () => {
    for (const { path, changes } of Object.values(records)) {
      const seen = await read(path);
      expect(seen).toMatch(/^"[\w-]{22}"$/);
      expect([path, await read(path)]).toEqual([path, seen]);
      const answers = await Promise.all(changes.map((body) => change(path, body, seen)));
      expect([path, ...answers.map(({ status }) => status).sort()]).toEqual([path, 200, 412]);
      const accepted = answers.find(({ status }) => status === 200)!;
      const refused = answers.find(({ status }) => status === 412)!;
      const after = accepted.headers.get('etag');
      expect([path, after]).toEqual([path, path.startsWith('/customers') ? null : await read(path)]);
      expect([refused.body.error, refused.headers.get('x-error-code')]).toEqual(['Record was changed', 'record_changed']);
    }
  });

  test('is changed under its address at the version seen and at no other', async () => {
    const path = `/purchase_orders/${received.id}`;
    await world.settled();
    for (const [name, { path: part, body }] of Object.entries(parts)) {
      const send = (version: string) => world.call(name.split(' ')[0]!, path + part, { token, body, headers: { 'If-Match': version } });
      const seen = await read(path);
      const { status, body: refused } = await send('"another"');
      expect([name, status, refused]).toEqual([name, 412, expect.objectContaining({ changed_by: expect.any(String) })]);
      expect([name, await read(path)]).toEqual([name, seen]);
      const accepted = await send(seen);
      expect([name, accepted.status, accepted.headers.get('etag')]).toEqual([name, 200, await read(path)]);
      expect([name, (await send(seen)).status]).toEqual([name, 412]);
    }
  });

  test('tells staff who changed it and when, and a key not', async () => {
    await world.settled();
    for (const { path, changes } of Object.values(records)) {
      const { body } = await change(path, changes[0], '"another"');
      expect([path, body.changed_by, Number.isNaN(Date.parse(body.changed_at))]).toEqual([path, expect.any(String), false]);
    }
    const { path, changes } = records['/customers/{id}']!;
    expect((await change(path, changes[0], '"another"', { key })).body).toEqual({ error: 'Record was changed' });
  });
});

test('a repetition with the current version is tried anew, under the same key too', async () => {
  const { path, changes } = records['/customers/{id}']!;
  const headers = (version: string) => ({ 'Idempotency-Key': 'again', 'If-Match': version });
  const send = (version: string) => world.call('PATCH', path, { token, body: changes[0], headers: headers(version) });
  expect((await send('"another"')).status).toBe(412);
  expect((await send(await read(path))).status).toBe(200);
});

test('If-None-Match of the current version is a 304 without a body, another is not', async () => {
  for (const { path } of Object.values(records)) {
    const version = await read(path, { key });
    const asked = (names: string, method = 'GET') => world.call(method, path, { key, headers: { 'If-None-Match': names } });
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await asked(`"other", W/${version}`, method);
      expect([path, status, text, headers.get('etag')]).toEqual([path, 304, '', version]);
    }
    expect([path, (await asked('"other"')).status]).toEqual([path, 200]);
  }
  expect((await world.call('GET', '/products', { key, headers: { 'If-None-Match': '*' } })).status).toBe(200);
});

test('without If-Match, and with *, a change is made whatever the version', async () => {
  const { path, changes } = records['/products/{id}']!;
  expect((await world.call('PATCH', path, { token, body: changes[0] })).status).toBe(200);
  expect((await change(path, changes[1], '*')).status).toBe(200);
});

test('a sale that takes stock is another version of its product', async () => {
  const seen = await read(`/products/${product.id}`);
  const body = { product_id: product.id, adjustment_type: 'receive', quantity_change: 1 };
  await world.call('POST', '/stock_adjustments', { token, body });
  expect((await change(`/products/${product.id}`, { product: { name: 'Lamp' } }, seen)).status).toBe(412);
});

test('what a key may not see is no part of the version that it gets', async () => {
  const blind = await world.newKey(world.store, { scopes: ['products:read'] });
  const seen = await read(`/products/${product.id}`, { key: blind });
  await world.call('PATCH', `/products/${product.id}`, { token, body: { product: { cost: '1.25' } } });
  const [row] = (await world.database.query('select cost from catalog.products where id = $1', [product.id])).rows;
  expect(row.cost).toBe('1.25');
  const shown = JSON.parse((await world.call('GET', `/products/${product.id}`, { key: blind })).text).data;
  expect('cost' in shown).toBe(false);
  expect(await read(`/products/${product.id}`, { key: blind })).toBe(seen);
});

test('a change that cannot heed a version is refused', async () => {
  const answer = await change('/categories/1', { category: { name: 'x' } }, '"seen"');
  expect([answer.status, answer.body.error]).toEqual([400, 'If-Match is not available for this endpoint']);
});
