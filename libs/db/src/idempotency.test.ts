import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { notFound, Problem } from '@store/problem';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { SetClock } from './clock.ts';
import { type AnswerCodec, forgetOldAnswers, type IdempotentRequest, idempotencyTable, once } from './idempotency.ts';
import { type Db, type EntityManager, openDb } from './index.ts';
import { sql, sqlOne } from './sql.ts';

const clock = new SetClock('2026-11-20T12:00:00Z');
const hourMs = 3_600_000;
let database: TestDatabase;
let db: Db;
let admin: pg.Client;

async function makeShop(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create schema shop; set search_path to shop; create table sales (id int generated always as identity); ${idempotencyTable}`,
  );
  await client.end();
}

beforeAll(async () => {
  database = await testDatabase('idempotency', makeShop);
  db = await openDb({ url: database.url, schema: 'shop', entities: [], clock, poolMax: 6 });
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterAll(async () => {
  await db.close();
  await admin.end();
  await database.close();
});
beforeEach(async () => {
  clock.set('2026-11-20T12:00:00Z');
  await admin.query('truncate shop.sales, shop.idempotency');
});

const codec: AnswerCodec<number> = {
  encode: (id) => ({ status: 201, bytes: Buffer.from(`sale ${id}`) }),
  encodeProblem: (problem) => Buffer.from(problem.message),
};
const request = (changes: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  storeId: 1,
  actor: 'key:12',
  key: 'k1',
  hash: Buffer.from('body one'),
  ...changes,
});
const sell = async (em: EntityManager) => (await sqlOne<{ id: number }>(em, 'insert into shop.sales default values returning id')).id;
const sales = async () => (await admin.query('select id from shop.sales')).rowCount;

test('D185: the same key with the same body sells once and gets the stored answer', async () => {
  const id = await once(db, request(), sell, codec);
  const again = await once(db, request(), sell, codec);
  expect(again).toEqual({ status: 201, bytes: Buffer.from(`sale ${id}`), replayed: true });
  expect(await sales()).toBe(1);
});

test('D185: the same key with another body is a 422, and the stored answer stays', async () => {
  const id = await once(db, request(), sell, codec);
  await expect(once(db, request({ hash: Buffer.from('body two') }), sell, codec)).rejects.toMatchObject({ status: 422 });
  expect(await once(db, request(), sell, codec)).toMatchObject({ bytes: Buffer.from(`sale ${id}`) });
  expect(await sales()).toBe(1);
});

test('a key belongs to one store and one actor', async () => {
  await once(db, request(), sell, codec);
  for (const other of [{ storeId: 2 }, { actor: 'key:13' }, { actor: 'user:12' }, { key: 'k2' }])
    await once(db, request(other), sell, codec);
  expect(await sales()).toBe(5);
});

test('a concurrent duplicate waits for the first and gets its answer', async () => {
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => once(db, request(), sell, codec)));
  expect(outcomes.filter((outcome) => typeof outcome === 'number')).toHaveLength(1);
  expect(await sales()).toBe(1);
});

test('a concurrent duplicate of a change that is rolled back makes the change itself', async () => {
  let fail: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const gate = new Promise<void>((_resolve, reject) => {
    fail = () => reject(new Error('the process dies'));
  });
  const first = once(
    db,
    request(),
    async () => {
      begun();
      await gate;
      return 0;
    },
    codec,
  );
  const refused = expect(first).rejects.toThrow('the process dies');
  await started;
  const second = once(db, request(), sell, codec);
  while (
    (await admin.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)).rowCount === 0
  );
  fail();
  await refused;
  expect(typeof (await second)).toBe('number');
  expect(await sales()).toBe(1);
});

test('a refusal is kept with its status although the change is rolled back', async () => {
  let asked = 0;
  const refuse = async (em: EntityManager): Promise<number> => {
    asked += 1;
    await sell(em);
    throw notFound('Customer');
  };
  await expect(once(db, request(), refuse, codec)).rejects.toMatchObject({ status: 404 });
  expect(await once(db, request(), refuse, codec)).toEqual({ status: 404, bytes: Buffer.from('Customer not found'), replayed: true });
  expect(asked).toBe(1);
  expect(await sales()).toBe(0);
});

test.each(['forbidden', 'rate_limited', 'database', 'unavailable', 'unauthenticated'] as const)(
  'D185: a %s answer is not kept, so a repetition tries again',
  async (kind) => {
    const refuse = () => Promise.reject(new Problem(kind, 'not now'));
    await expect(once(db, request(), refuse, codec)).rejects.toMatchObject({ kind });
    expect(typeof (await once(db, request(), sell, codec))).toBe('number');
  },
);

test('D185: a key is remembered for 24 hours and is new afterwards, another body included', async () => {
  await once(db, request(), sell, codec);
  clock.advance(24 * hourMs);
  expect(await once(db, request(), sell, codec)).toMatchObject({ replayed: true });
  clock.advance(1);
  expect(typeof (await once(db, request({ hash: Buffer.from('body two') }), sell, codec))).toBe('number');
  expect(await sales()).toBe(2);
});

test('answers older than 24 hours are removed, younger ones stay', async () => {
  await once(db, request({ key: 'old' }), sell, codec);
  clock.advance(2 * hourMs);
  await once(db, request({ key: 'young' }), sell, codec);
  clock.advance(23 * hourMs);
  await forgetOldAnswers(db);
  const { rows } = await admin.query('select key from shop.idempotency');
  expect(rows).toEqual([{ key: 'young' }]);
});

test('the lock limit of the wait does not reach the change itself', async () => {
  const [row] = (await once(db, request(), (em) => sql<{ lock_timeout: string }>(em, 'show lock_timeout'), {
    encode: () => ({ status: 200, bytes: Buffer.alloc(0) }),
    encodeProblem: codec.encodeProblem,
  })) as { lock_timeout: string }[];
  expect(row).toEqual({ lock_timeout: '0' });
});
