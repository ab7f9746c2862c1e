/** Idempotency-Key on POST and PATCH (D185). */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';
import { databaseText } from './database-text.ts';

let key: string;
const world = await useWorld();
key = await world.newKey(world.store);

let names = 0;
const fresh = () => `attempt-${++names}`;
const post = (path: string, idempotencyKey: string, body: unknown, more = {}) =>
  world.call('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey }, ...more });
const products = async (name: string) =>
  Number((await world.database.query('select count(*) as n from catalog.products where name = $1', [name])).rows[0].n);

describe('D185: the same key with the same body', () => {
  test('is answered with the stored answer, marked Idempotency-Replayed: true, and changes nothing', async () => {
    const id = fresh();
    const first = await post('/products', id, { product: { name: id, price: 3 } });
    const again = await post('/products', id, { product: { name: id, price: 3 } });
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
    expect([first, again].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(again.body.meta.request_id).toBe(again.headers.get('x-request-id'));
    expect(await products(id)).toBe(1);
  });

  test('replays what was answered then, whatever the record has become since', async () => {
    const id = fresh();
    const first = await post('/products', id, { product: { name: id } });
    await world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [first.body.data.id], updates: { price: 99 } } });
    expect((await post('/products', id, { product: { name: id } })).body.data).toEqual(first.body.data);
  });

  test('of a key without costs:read is replayed without costs', async () => {
    const blind = await world.newKey(world.store, { scopes: ['products:write', 'products:read'] });
    const id = fresh();
    const send = () => post('/products', id, { product: { name: id, cost: 5 } }, { key: blind });
    for (const answer of [await send(), await send()]) expect([answer.status, answer.text.includes('"cost"')]).toEqual([201, false]);
  });

  test('moves stock once: POST /stock_adjustments and PATCH /products/bulk_update', async () => {
    const { id: productId } = (await post('/products', fresh(), { product: { name: fresh() } })).body.data;
    const id = fresh();
    const adjustment = { product_id: productId, adjustment_type: 'receive', quantity_change: 5 };
    for (let n = 0; n < 3; n++) expect((await post('/stock_adjustments', id, adjustment)).status).toBe(201);
    const patched = fresh();
    const updates = { product_ids: [productId], updates: { stock_adjustment: { type: 'add', amount: 2 } } };
    const answers = [];
    for (let n = 0; n < 3; n++) {
      answers.push(await world.call('PATCH', '/products/bulk_update', { key, body: updates, headers: { 'Idempotency-Key': patched } }));
    }
    expect(answers.map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true', 'true']);
    expect(answers.map((answer) => answer.body.data)).toEqual(Array(3).fill(answers[0]!.body.data));
    expect((await world.call('GET', `/products/${productId}`, { key })).body.data.current_stock).toBe(7);
  });

  test('replays a 207 of bulk_upsert with its rows', async () => {
    const id = fresh();
    const body = { products: [{ sku: id, name: id }, { sku: '' }] };
    const [first, again] = [await post('/products/bulk_upsert', id, body), await post('/products/bulk_upsert', id, body)];
    expect([first.status, again.status]).toEqual([207, 207]);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.body.data).toMatchObject({ created: 1, failed: 1 });
  });

  test('sent ten times at once executes once; all get the one answer', async () => {
    const id = fresh();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/products', id, { product: { name: id } })));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body.data]))).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await products(id)).toBe(1);
  });

  test('is new again after 24 hours, and not a millisecond before', async () => {
    const id = fresh();
    await post('/products', id, { product: { name: id } });
    const day = 24 * 3_600_000;
    world.clock.advance(day);
    expect((await post('/products', id, { product: { name: id } })).headers.get('idempotency-replayed')).toBe('true');
    world.clock.advance(1);
    expect((await post('/products', id, { product: { name: id } })).headers.get('idempotency-replayed')).toBeNull();
    expect(await products(id)).toBe(2);
    world.store.token = (
      await world.call('POST', '/staff_sessions', { body: { email: world.store.email, password: world.store.password } })
    ).body.token;
  });
});

describe('D185: which key it is', () => {
  test('the same key with another body, path or method is a 422 and changes nothing', async () => {
    const id = fresh();
    await post('/products', id, { product: { name: id } });
    const other = await post('/products', id, { product: { name: `${id}b` } });
    const message = 'Idempotency-Key was already used with another request';
    expect([other.status, other.body]).toEqual([422, { error: message, errors: [message] }]);
    expect((await post('/products/bulk_upsert', id, { product: { name: id } })).status).toBe(422);
    expect((await post('/products?x=1', id, { product: { name: id } })).status).toBe(422);
    expect(await products(`${id}b`)).toBe(0);
    expect((await post('/products', id, { product: { name: id } })).headers.get('idempotency-replayed')).toBe('true');
  });

  test('two keys, and two stores, do not share it', async () => {
    const id = fresh();
    const body = { product: { name: id } };
    const sibling = await world.newKey(world.store);
    const foreign = await world.newKey(await world.newStore());
    for (const one of [key, sibling, foreign]) {
      const answer = await post('/products', id, body, { key: one });
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    }
    expect(await products(id)).toBe(3);
  });

  test.each(['', 'has space', 'x'.repeat(256), 'ümlaut'])('"%s" is no Idempotency-Key: 400 and no change', async (id) => {
    const answer = await post('/products', id, { product: { name: 'Never' } });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces' },
    ]);
    expect(await products('Never')).toBe(0);
  });

  test('on GET and DELETE it means nothing', async () => {
    const headers = { 'Idempotency-Key': fresh() };
    const read = () => world.call('GET', '/products/0', { key, headers });
    expect([(await read()).status, (await read()).headers.get('idempotency-replayed')]).toEqual([404, null]);
  });
});

describe('D185: refusals', () => {
  test.each([
    ['a 422 of the change is stored and replayed', '/products', { product: { name: '' } }, 422, 'true'],
    [
      'D275: a 404 that another service gave is asked for again',
      '/stock_adjustments',
      { product_id: 999_999, adjustment_type: 'receive', quantity_change: 1 },
      404,
      null,
    ],
  ])('%s', async (_name, path, body, status, replayed) => {
    const id = fresh();
    const [first, again] = [await post(path, id, body), await post(path, id, body)];
    expect([first.status, again.status, again.body]).toEqual([status, status, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe(replayed);
  });

  test('a 422 stays the answer although the cause is gone', async () => {
    const id = fresh();
    const body = { product: { name: id, sku: id } };
    const { id: taken } = (await post('/products', fresh(), body)).body.data;
    expect((await post('/products', id, body)).status).toBe(422);
    await world.call('DELETE', `/products/${taken}`, { token: world.store.token });
    const again = await post('/products', id, body);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([422, 'true']);
  });

  test('401, 403 and 429 are not stored: the same request later is executed', async () => {
    const id = fresh();
    const body = { product: { name: id } };
    expect((await post('/products', id, body, { key: 'none' })).status).toBe(401);
    const store = await world.newStore();
    const own = await world.newKey(store, { rate_limit: 3 });
    await world.setStore(store, { features: [] });
    expect((await post('/products', id, body, { key: own })).status).toBe(403);
    await world.setStore(store, { features: ['developer_api'] });
    await world.call('GET', '/key', { key: own });
    await world.call('GET', '/key', { key: own });
    expect((await post('/products', id, body, { key: own })).status).toBe(429);
    world.clock.advance(60_000);
    const answer = await post('/products', id, body, { key: own });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('a 500 is not stored: the same request later is executed', async () => {
    const id = fresh();
    const body = { product: { name: id } };
    await world.database.query(`alter table catalog.products add constraint fault check (name <> '${id}')`);
    const failed = await post('/products', id, body);
    expect(failed.status).toBe(500);
    await world.database.query('alter table catalog.products drop constraint fault');
    const answer = await post('/products', id, body);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await products(id)).toBe(1);
  });
});

describe('D185: "answers holding a secret are encrypted"', () => {
  test('POST /api_keys replays the same key; the stored answer holds it encrypted', async () => {
    const id = fresh();
    const send = () =>
      world.call('POST', '/api_keys', {
        token: world.store.token,
        body: { api_key: { name: 'Replayed', scopes: ['products:read'] } },
        headers: { 'Idempotency-Key': id },
      });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('cache-control')).toBe('no-store');
    const { rows } = await world.database.query('select answer from gateway.idempotency where key = $1', [id]);
    expect(rows[0].answer.toString()).toMatch(/^v1\|1\|/);
    expect(await databaseText(world)).not.toContain(first.body.key);
    const count = await world.database.query(`select from gateway.api_keys where name = 'Replayed'`);
    expect(count.rowCount).toBe(1);
  });

  test('two at once make one key', async () => {
    const id = fresh();
    const body = { api_key: { name: `Twin ${id}`, scopes: ['products:read'] } };
    const send = () => world.call('POST', '/api_keys', { token: world.store.token, body, headers: { 'Idempotency-Key': id } });
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map((answer) => answer.body.key)).size).toBe(1);
    const { rowCount } = await world.database.query('select from gateway.api_keys where name = $1', [`Twin ${id}`]);
    expect(rowCount).toBe(1);
  });
});
