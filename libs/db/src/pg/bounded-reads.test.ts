/** D260: reads within a bound reject once their rows are larger, whatever they still would bring. */
import { expect, test } from '@jest/globals';
import { db, nextRound, shareDatabase } from '../../test/database.ts';
import { withinBytes } from './bounded-reads.ts';

shareDatabase('', { poolMax: 2 });

const mb = 1024 * 1024;
/** Rows are made as they are sent. */
const some = `select repeat('x', 1000) as text, generate_series(1, $1::int) as n`;
const read = (rows: number) => db.read<{ n: number }>(some, [rows]);
const shortRead = (rows: number) => db.read<{ n: number }>(some, [rows], { short: true });
const tooLarge = { kind: 'too_large' };

test.each([
  ['a read', read],
  ['a short read', shortRead],
])('%s within the bound has its rows, a larger one rejects', async (_, reads) => {
  expect(await withinBytes(mb, () => reads(1_000))).toHaveLength(1_000);
  await expect(withinBytes(mb, () => reads(2_000))).rejects.toMatchObject(tooLarge);
  expect(await reads(2_000)).toHaveLength(2_000);
  expect(db.pool.inUse).toBe(0);
});

test('the reads of one work count together, and those of another do not', async () => {
  const twice = () => withinBytes(mb, async () => [await read(600), await shortRead(600)]);
  await expect(twice()).rejects.toMatchObject(tooLarge);
  expect(await Promise.all([1, 2].map(() => withinBytes(mb, () => read(600))))).toHaveLength(2);
});

test('what would take minutes ends with the first rows beyond the bound', async () => {
  await expect(withinBytes(mb, () => read(100_000_000))).rejects.toMatchObject(tooLarge);
  expect(await read(1)).toHaveLength(1);
  const left = `select 1 from pg_stat_activity where datname = current_database() and query like '%generate_series%' and state = 'active' and pid <> pg_backend_pid()`;
  while ((await db.read(left)).length > 0) await nextRound();
});

test('a short read that is too large leaves those beside it their rows', async () => {
  const [large, beside] = await Promise.allSettled([withinBytes(mb, () => shortRead(2_000)), shortRead(3)]);
  expect([large.status, beside.status === 'fulfilled' && beside.value.length]).toEqual(['rejected', 3]);
});

test('what a work has set off without waiting is unbound once the work has ended', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let later: Promise<unknown[]> | undefined;
  await withinBytes(mb, async () => {
    later = ended.then(() => read(2_000));
  });
  end();
  expect(await later).toHaveLength(2_000);
});

test('another failure stays what it is', async () => {
  await expect(withinBytes(mb, () => db.read('select 1 / $1::int', [0]))).rejects.toMatchObject({ kind: 'database' });
});
