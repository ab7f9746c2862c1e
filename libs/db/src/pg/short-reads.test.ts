/** Short reads of one moment share a connection, and each has its own answer. */
import { expect, test } from '@jest/globals';
import { db, nextRound, shareDatabase } from '../../test/database.ts';
import { sql } from '../sql.ts';

shareDatabase('', { poolMax: 2 });

const session = 'select pg_backend_pid() as pid, $1::int as n';
const ask = async (n: number) => (await db.read<{ pid: number; n: number }>(session, [n], { short: true }))[0]!;
const quotient = (by: number) => db.read<{ part: number }>('select 6 / $1::int as part', [by], { short: true });

test('eight that are asked in one moment share a connection, a ninth has another', async () => {
  const asked = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const answers = await Promise.all(asked.map(ask));
  expect(answers.map(({ n }) => n)).toEqual(asked);
  expect(new Set(answers.slice(0, 8).map(({ pid }) => pid)).size).toBe(1);
  expect(answers[8]!.pid).not.toBe(answers[0]!.pid);
  expect(db.pool.inUse).toBe(0);
});

test('one that fails leaves the others their answers', async () => {
  const answers = await Promise.allSettled([3, 0, 2].map(quotient));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.kind))).toEqual([
    [{ part: 2 }],
    'database',
    [{ part: 3 }],
  ]);
  expect(await quotient(1)).toEqual([{ part: 6 }]);
  expect(db.pool.inUse).toBe(0);
});

test('one that finds no free connection waits for its own', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const units = [1, 2].map(() =>
    db.unit(1, async (em) => {
      await sql(em, 'select 1', []);
      await held;
    }),
  );
  while (db.pool.inUse < 2) await nextRound();
  const answer = ask(7);
  while (db.pool.waiting < 1) await nextRound();
  release();
  expect((await answer).n).toBe(7);
  await Promise.all(units);
  await expect(quotient(6)).resolves.toEqual([{ part: 1 }]);
  expect(db.pool.inUse).toBe(0);
});

test('a connection that is lost fails those that wait on it alone', async () => {
  const lost = db.read('select pg_sleep(60)', [], { short: true });
  const refused = expect(lost).rejects.toMatchObject({ kind: 'database' });
  const sleeping = `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  while ((await db.read(sleeping)).length === 0) await nextRound();
  await refused;
  expect((await ask(8)).n).toBe(8);
  expect(db.pool.inUse).toBe(0);
});
