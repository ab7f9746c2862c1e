/** Both sides notice when the other side of a connection vanishes, and one unanswered statement costs one connection. */
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { db, nextRound, shareDatabase, url } from '../../test/database.ts';
import { migrate } from '../migrate.ts';
import { sql } from '../sql.ts';
import { sqlState } from './database-errors.ts';
import { closeSession, dropIdleWhenSilent, newSession, Session, type SessionOptions, sessionConfig } from './session.ts';

type Ask = (statement: pg.QueryConfig, done: (error: Error | null, result: pg.QueryResult) => void) => void;

shareDatabase('', { poolMax: 1 });

/** A session, and its end. */
async function opened(options: Partial<SessionOptions>) {
  const client = newSession({ url, applicationName: 'opened', ...options });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  client.on('error', () => undefined);
  client.once('end', resolve);
  await client.connect();
  return { client, ended };
}

const settings = `select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
  current_setting('tcp_keepalives_count') as count, current_setting('tcp_user_timeout') as unanswered,
  current_setting('idle_in_transaction_session_timeout') as transaction, current_setting('idle_session_timeout') as session`;
const found = { idle: '10', interval: '5', count: '3', unanswered: '20000', transaction: '15s' };

test('PostgreSQL notices within half a minute that a client has vanished', async () => {
  expect(await db.read(settings)).toEqual([{ ...found, session: '0' }]);
  expect(await db.unit(0, async (em) => (await sql(em, settings))[0]!)).toEqual({ ...found, session: '0' });
});

test('a session with locks ends by itself when no statement is sent over it any more', async () => {
  const { client, ended } = await opened({ idleMaxMs: 50 });
  await client.query('select pg_advisory_lock(7)');
  await ended;
  expect(await db.read(`select from pg_locks where locktype = 'advisory' and objid = 7`)).toEqual([]);
});

test("a setting in the operator's URL takes precedence", async () => {
  const own = new URL(url);
  own.searchParams.set('options', '-c tcp_user_timeout=7s -c work_mem=5MB');
  const { client } = await opened({ url: own.href });
  const { rows } = await client.query(`${settings}, current_setting('work_mem') as memory`);
  await closeSession(client);
  expect(rows).toEqual([{ ...found, unanswered: '7000', session: '0', memory: '5MB' }]);
});

test('a statement without an answer in time fails and closes its connection', async () => {
  const { client, ended } = await opened({ queryTimeoutMs: 50 });
  await expect(client.query('select pg_sleep(60)')).rejects.toThrow('PostgreSQL did not answer in time');
  await ended;
  await expect(client.query('select 1')).rejects.toThrow('not queryable');
});

test('a migration waits for another without a waiting statement, and leaves no session', async () => {
  const { client: holder } = await opened({});
  await holder.query(`select pg_advisory_lock(hashtext('migrate:late'))`);
  let done = false;
  const migrated = migrate({ url, schema: 'late', migrations: {} }).then(() => {
    done = true;
  });
  const waiting = `select wait_event_type from pg_stat_activity where application_name = 'store-late-migrations'`;
  let rows: { wait_event_type: string | null }[] = [];
  while (rows.length === 0) rows = await db.read(waiting);
  expect([done, rows[0]!.wait_event_type]).not.toEqual([true, 'Lock']);
  expect(done).toBe(false);
  await closeSession(holder);
  await migrated;
  while ((await db.read(waiting)).length > 0);
});

test.each([
  ['EPIPE', undefined],
  ['EBUSY', undefined],
  ['40P01', '40P01'],
  ['0A000', '0A000'],
  ['P0001', 'P0001'],
  ['XX000', 'XX000'],
  ['HV000', 'HV000'],
])('the code %s of an error is the SQLSTATE %s', (code, state) => {
  expect(sqlState(Object.assign(new Error('failed'), { code }))).toBe(state);
  expect(sqlState(new Error('outer', { cause: Object.assign(new Error('inner'), { code }) }))).toBe(state);
});

test.each<[how: string, ask: (client: pg.PoolClient) => Promise<unknown>]>([
  ['awaited', (client) => client.query('select pg_sleep(60)')],
  ['asked with a callback, as short reads are', (client) => promisify(client.query.bind(client) as Ask)({ text: 'select pg_sleep(60)' })],
])('one silent statement of a pool, %s, closes its idle connections too', async (_, ask) => {
  const pool = new pg.Pool({
    ...sessionConfig({ url, applicationName: 'silent', queryTimeoutMs: 100 }),
    connectionString: url,
    Client: Session,
    max: 3,
  } as pg.PoolConfig);
  pool.on('error', () => undefined);
  dropIdleWhenSilent(pool);
  const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
  for (const client of clients) client.on('error', () => undefined);
  for (const client of clients.slice(1)) client.release();
  expect([pool.totalCount, pool.idleCount]).toEqual([3, 2]);
  await expect(ask(clients[0]!)).rejects.toThrow('PostgreSQL did not answer in time');
  clients[0]!.release();
  while (pool.totalCount > 0) await nextRound();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});
