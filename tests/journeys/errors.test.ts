/** Specification: Errors, each row of both tables. */
import { describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { until } from '@store/testbed/until';
import { useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const post = (path: string, body: unknown, more = {}) => world.call('POST', path, { key, body, ...more });

/** Checks status, machine code and exact text of an error answer, and that it is plain JSON. */
function errorOf(answer: Answer): [number, string | null, unknown] {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
  expect(answer.headers.get('x-request-id')).not.toBeNull();
  for (const name of ['data', 'meta', 'pagination']) expect(answer.body).not.toHaveProperty(name);
  return [answer.status, answer.headers.get('x-error-code'), answer.body];
}

const idOf = ({ headers }: Answer) => headers.get('x-request-id');

test('D23: each error has a request id of its own', async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ids = [await world.call('GET', '/products/0', { key }), await world.call('GET', '/products')].map(idOf);
  for (const id of ids) expect(id).toMatch(uuid);
  expect(ids[0]).not.toBe(ids[1]);
});

describe('statuses', () => {
  test('409 record already exists, with a details field: two writers of one sku (D27)', async () => {
    await post('/products', { product: { name: 'First', sku: 'FIRST' } });
    // Another transaction has inserted the sku but not committed when the request looks for it.
    const columns = (
      await world.database.query(
        `select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
         where table_schema = 'catalog' and table_name = 'products' and column_name not in ('id', 'sku') and is_generated = 'NEVER'`,
      )
    ).rows[0].list;
    await world.database.query('begin');
    await world.database.query(
      `insert into catalog.products (sku, ${columns}) select 'RACED', ${columns} from catalog.products where sku = 'FIRST'`,
    );
    const racing = post('/products', { product: { name: 'Second', sku: 'RACED' } });
    await untilOneWaits();
    await world.database.query('commit');
    expect(errorOf(await racing)).toEqual([409, 'conflict', { error: 'Record already exists', details: 'sku has already been taken' }]);
  });

  test('409 for an Idempotency-Key whose first request is still in progress after 10 s', async () => {
    const headers = { 'Idempotency-Key': 'in-progress' };
    const body = { product: { name: 'Waiting' } };
    await post('/products', body, { headers: { 'Idempotency-Key': 'shape' } });
    const actor = (await world.database.query(`select actor from catalog.idempotency where key = 'shape'`)).rows[0].actor;
    await world.database.query('begin');
    await world.database.query(
      `insert into catalog.idempotency (store_id, actor, key, hash, created_at) values ($1, $2, 'in-progress', '', now())`,
      [world.store.id, actor],
    );
    const answer = await post('/products', body, { headers });
    await world.database.query('rollback');
    const [status, code, seen] = errorOf(answer);
    expect([status, code]).toEqual([409, 'conflict']);
    expect(seen).toEqual({ error: 'A request with this Idempotency-Key is still in progress', details: expect.any(String) });
    expect((await post('/products', body, { headers })).status).toBe(201);
  });

  test('D28: 500 "Database error occurred" has the request id, never the statement', async () => {
    await world.database.query('alter table catalog.brands rename to brands_away');
    const answer = await world.call('GET', '/brands', { key });
    await world.database.query('alter table catalog.brands_away rename to brands');
    expect(errorOf(answer)).toEqual([500, 'database', { error: texts.database, details: answer.headers.get('x-request-id') }]);
    expect((await world.call('GET', '/brands', { key })).status).toBe(200);
  });

  test('500 "An unexpected error occurred. Please contact support." for all else', async () => {
    const headers = { 'Idempotency-Key': 'tampered' };
    const body = { api_key: { name: 'T', scopes: ['sales:read'] } };
    const create = () => world.call('POST', '/api_keys', { token: world.store.token, body, headers });
    expect((await create()).status).toBe(201);
    await world.database.query(`update gateway.idempotency set answer = 'v1|1|AAAA|AAAA|AAAA' where key = 'tampered'`);
    expect(errorOf(await create())).toEqual([500, 'unavailable', { error: texts.unexpected }]);
  });
});

/** Resolves when a transaction of a service waits for another one's row lock. */
function untilOneWaits(): Promise<void> {
  const waiting = 'select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()';
  return until(async () => (await world.database.query(waiting)).rowCount! > 0, 60_000);
}
