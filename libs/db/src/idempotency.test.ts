import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { notFound, Problem } from '@store/problem';
import { countStatements } from '@store/testbed';
import { admin, clock, db, shareDatabase, url } from '../test/database.ts';
import { type AnswerCodec, forgetOldAnswers, idempotencyTable, once as onceOf } from './idempotency.ts';
import { type Db, type EntityManager, openDb } from './index.ts';
import type { IdempotentRequest } from './request-digest.ts';
import { sql } from './sql.ts';

/** Calls `once` as `change` does. */
const once = <T, Asked = undefined>(
  on: Db,
  request: IdempotentRequest,
  work: (em: EntityManager, asked: Asked) => Promise<T>,
  codec: AnswerCodec<T>,
  ask?: () => Promise<Asked>,
) => onceOf(on, { request, codec, ask }, work);

const poolMax = 6;
const hourMs = 3_600_000;
// Before the database is dropped.
afterAll(() => otherProcess.close());
shareDatabase(`create table sales (id int generated always as identity); ${idempotencyTable}`, { poolMax });
let otherProcess: Db;
beforeAll(async () => {
  otherProcess = await openDb({ url, schema: 'shop', entities: [], clock, poolMax });
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
const sell = async (em: EntityManager) => (await sql<{ id: number }>(em, 'insert into shop.sales default values returning id'))[0]!.id;
const sales = async () => (await admin.query('select id from shop.sales')).rowCount;

test('a key belongs to one store and one actor', async () => {
  await once(db, request(), sell, codec);
  for (const other of [{ storeId: 2 }, { actor: 'key:13' }, { actor: 'user:12' }, { key: 'k2' }])
    await once(db, request(other), sell, codec);
  expect(await sales()).toBe(5);
});

/** Work that starts and then waits until the test lets it continue or fail. */
function held(work: (em: EntityManager) => Promise<number> = sell) {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = async (em: EntityManager) => {
    begun.resolve();
    await gate.promise;
    return work(em);
  };
  return { run, begun: begun.promise, goOn: () => gate.resolve(), fail: () => gate.reject(new Error('the process dies')) };
}
const processes = () => [
  ['the same process', db],
  ['another process', otherProcess],
];

test("a concurrent duplicate gets the first one's answer, in whichever process", async () => {
  const outcomes = await Promise.all([db, otherProcess, db, otherProcess, db].map((on) => once(on, request(), sell, codec)));
  expect(outcomes.filter((outcome) => typeof outcome === 'number')).toHaveLength(1);
  expect(await sales()).toBe(1);
});

test('a concurrent duplicate of a change that is rolled back makes it, in any process', async () => {
  for (const [name, on] of processes() as [string, Db][]) {
    const first = held();
    const refused = expect(once(db, request({ key: name }), first.run, codec)).rejects.toThrow('the process dies');
    await first.begun;
    let ended = false;
    const second = once(on, request({ key: name }), sell, codec).finally(() => {
      ended = true;
    });
    await on.ping();
    expect(ended).toBe(false);
    first.fail();
    await refused;
    expect([name, typeof (await second)]).toEqual([name, 'number']);
  }
  expect(await sales()).toBe(2);
});

test('duplicates that wait hold no connection, in this process and in another', async () => {
  const first = held();
  const selling = once(db, request(), first.run, codec);
  await first.begun;
  const waiting = processes().flatMap(([, on]) => Array.from({ length: 5 * poolMax }, () => once(on as Db, request(), sell, codec)));
  for (const [name, on] of processes() as [string, Db][]) {
    expect(typeof (await once(on, request({ key: `beside, in ${name}` }), sell, codec))).toBe('number');
  }
  const { rows } = await admin.query(
    `select count(*)::int as transactions from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect(rows[0].transactions).toBe(0);
  first.goOn();
  expect(typeof (await selling)).toBe('number');
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ replayed: true });
  expect(await sales()).toBe(3);
});

test('a repetition costs one statement and no transaction', async () => {
  await once(db, request(), sell, codec);
  const count = await countStatements(() => once(db, request(), sell, codec));
  expect(count).toBe(1);
});

describe('calls to other services before the transaction', () => {
  test('hold no connection', async () => {
    const gate = Promise.withResolvers<void>();
    const asking = Array.from({ length: 5 * poolMax }, (_, n) => once(db, request({ key: `asks ${n}` }), sell, codec, () => gate.promise));
    await db.ping();
    expect(typeof (await once(db, request(), sell, codec))).toBe('number');
    gate.resolve();
    for (const outcome of await Promise.all(asking)) expect(typeof outcome).toBe('number');
  });

  test('are made once: a change that runs again, or a repetition, gets the same result', async () => {
    let asked = 0;
    const given: number[] = [];
    const work = async (em: EntityManager, said: number) => {
      given.push(said);
      if (given.length === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      return sell(em);
    };
    const ask = async () => (asked += 1);
    await once(db, request(), work, codec, ask);
    await once(db, request(), work, codec, ask);
    expect([given, asked]).toEqual([[1, 1], 1]);
  });

  test('D275: do not have their refusal stored, nor has a change one of another service', async () => {
    const ask = () => Promise.reject(notFound('Product'));
    await expect(once(db, request(), sell, codec, ask)).rejects.toMatchObject({ status: 404 });
    const refused = Object.assign(notFound('Product'), { isOfService: true });
    await expect(once(db, request(), () => Promise.reject(refused), codec)).rejects.toMatchObject({ status: 404 });
    expect(typeof (await once(db, request(), sell, codec))).toBe('number');
  });

  test('do not have their failure stored', async () => {
    const ask = () => Promise.reject(new Problem('unavailable', 'not now'));
    await expect(once(db, request(), sell, codec, ask)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(typeof (await once(db, request(), sell, codec))).toBe('number');
  });
});

test('a refusal is stored with its status although the change is rolled back', async () => {
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

test('D185: a key is remembered for 24 hours and is new afterwards', async () => {
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

test('a row that another transaction wrote without the lock is waited for as well', async () => {
  await admin.query('begin');
  await admin.query(`insert into shop.idempotency values (1, 'key:12', 'k1', 'body one', 201, 'sale 7', '2026-11-20T12:00:00Z')`);
  const waiting = once(db, request(), sell, codec);
  expect(typeof (await once(db, request({ key: 'k2' }), sell, codec))).toBe('number');
  await admin.query('commit');
  expect(await waiting).toEqual({ status: 201, bytes: Buffer.from('sale 7'), replayed: true });
});

test('the lock timeout of the wait does not apply to the change itself', async () => {
  const [row] = (await once(db, request(), (em) => sql<{ lock_timeout: string }>(em, 'show lock_timeout'), {
    encode: () => ({ status: 200, bytes: Buffer.alloc(0) }),
    encodeProblem: codec.encodeProblem,
  })) as { lock_timeout: string }[];
  expect(row).toEqual({ lock_timeout: '0' });
});

describe('the digest of a request', () => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  /** As the gateway sends it: bare, then under each pepper. */
  const sentBy = (body: string, ...peppers: string[]) => Buffer.concat([digest(body), ...peppers.map((pepper) => digest(pepper + body))]);
  const ask = (key: string, hash: Buffer) => once(db, request({ key, hash }), sell, codec);
  const isReplayed = (answer: unknown) => (answer as { replayed?: boolean }).replayed === true;

  test('is stored under a pepper, and the bare one nowhere', async () => {
    await ask('keyed', sentBy('a password', 'new', 'old'));
    const [row] = await db.read<{ hash: Buffer }>(`select hash from ${db.schema}.idempotency where key = 'keyed'`);
    expect(row!.hash).toEqual(Buffer.concat([Buffer.of(1), digest('newa password')]));
  });

  test.each([
    ['a pepper that was put first meanwhile', sentBy('b', 'old'), sentBy('b', 'new', 'old')],
    ['a gateway of the version before, then a newer one', sentBy('b'), sentBy('b', 'new')],
    ['a newer gateway, then one of the version before', sentBy('b', 'new'), sentBy('b')],
  ])('knows a repetition across %s', async (name, first, second) => {
    expect(isReplayed(await ask(name, first))).toBe(false);
    expect(isReplayed(await ask(name, second))).toBe(true);
    if (second.length > 32) await expect(ask(name, sentBy('another', 'new', 'old'))).rejects.toMatchObject({ status: 422 });
  });
});

test('a refusal whose key another process has used is answered like that process', async () => {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let units = 0;
  const unit: Db['unit'] = async (...args) => {
    units += 1;
    // The second is the one that stores the refusal.
    if (units === 2) {
      begun.resolve();
      await gate.promise;
    }
    return db.unit(...args);
  };
  const refused = once({ ...db, unit }, request(), () => Promise.reject(notFound('Customer')), codec);
  await begun.promise;
  const id = await once(otherProcess, request(), sell, codec);
  gate.resolve();
  expect(await refused).toEqual({ status: 201, bytes: Buffer.from(`sale ${id}`), replayed: true });
});
