/** Idempotency-Key on POST and PATCH (D185). */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';
import { databaseText } from './database-text.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

let names = 0;
const fresh = () => `attempt-${++names}`;
const post = (path: string, idempotencyKey: string, body: unknown, more = {}) =>
  world.call('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey }, ...more });
const products = async (name: string) =>
  Number((await world.database.query('select count(*) as n from catalog.products where name = $1', [name])).rows[0].n);

describe('D185: the same key with the same body', () => {
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

  test('on GET and DELETE it means nothing', async () => {
    const headers = { 'Idempotency-Key': fresh() };
    const read = () => world.call('GET', '/products/0', { key, headers });
    expect([(await read()).status, (await read()).headers.get('idempotency-replayed')]).toEqual([404, null]);
  });
});

describe('D185: refusals', () => {
  test('D275: a 404 that another service gave is asked for again', async () => {
    const id = fresh();
    const send = () => post('/stock_adjustments', id, { product_id: 999_999, adjustment_type: 'receive', quantity_change: 1 });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body]).toEqual([404, 404, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });

  test('a 422 stays the answer although the cause is gone', async () => {
    const id = fresh();
    const body = { product: { name: id, sku: id } };
    const { id: taken } = (await post('/products', fresh(), body)).body.data;
    const first = await post('/products', id, body);
    expect(first.status).toBe(422);
    await world.call('DELETE', `/products/${taken}`, { token: world.store.token });
    const again = await post('/products', id, body);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([422, first.body, 'true']);
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
});
