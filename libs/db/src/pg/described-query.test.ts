/** Columns of a prepared statement are described once per connection, and answers are the same. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { shareDatabase, url } from '../../test/database.ts';
import { closeSession, newSession } from './session.ts';

// Before the database is dropped.
afterAll(() => closeSession(client));
shareDatabase('create table public.goods (id int primary key, name text, price numeric(12, 2), at timestamptz)');
let client: pg.Client;
let descriptions = 0;
beforeAll(async () => {
  client = newSession({ url, applicationName: 'described' });
  await client.connect();
  const { connection } = client as unknown as { connection: { on(event: string, listener: () => void): void } };
  for (const answer of ['rowDescription', 'noData']) connection.on(answer, () => descriptions++);
});

/** The answers of two runs of a statement, and how many descriptions each caused. */
async function twice(statement: pg.QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null; descriptions: number }[]> {
  const runs = [];
  for (let run = 0; run < 2; run++) {
    const before = descriptions;
    const { rows, rowCount } = await client.query(statement);
    runs.push({ rows, rowCount, descriptions: descriptions - before });
  }
  return runs;
}

test('a later run of a statement gives the same rows without a description', async () => {
  await client.query("insert into goods values (1, 'Lamp', 9.5, '2026-11-20T12:00:00Z'), (2, null, null, null)");
  const [first, second] = await twice({ name: 'all', text: 'select price, id, name, at from goods order by id' });
  const rows = [
    { price: '9.50', id: 1, name: 'Lamp', at: new Date('2026-11-20T12:00:00Z') },
    { price: null, id: 2, name: null, at: null },
  ];
  expect(first).toEqual({ rows, rowCount: 2, descriptions: 1 });
  expect(second).toEqual({ ...first, descriptions: 0 });
  expect(Object.keys(second!.rows[0] as object)).toEqual(['price', 'id', 'name', 'at']);
});

test('so does one that finds nothing, and one that returns no rows', async () => {
  const none = await twice({ name: 'none', text: 'select id from goods where id = $1', values: [9] });
  expect(none).toEqual([1, 0].map((count) => ({ rows: [], rowCount: 0, descriptions: count })));
  const write = await twice({ name: 'write', text: 'update goods set name = $1 where id = 2', values: ['Rug'] });
  expect(write).toEqual([1, 0].map((count) => ({ rows: [], rowCount: 1, descriptions: count })));
});

test('statements that are sent together get their own answers', async () => {
  const one = { name: 'one', text: 'select name from goods where id = $1' };
  const answers = await Promise.all([1, 2, 1, 9].map((id) => client.query({ ...one, values: [id] })));
  expect(answers.map(({ rows }) => rows)).toEqual([[{ name: 'Lamp' }], [{ name: 'Rug' }], [{ name: 'Lamp' }], []]);
});

test('a statement that failed gives rows once it succeeds', async () => {
  const quotient = (by: number) => client.query({ name: 'quotient', text: 'select 6 / $1::int as part', values: [by] });
  await expect(quotient(0)).rejects.toThrow('division by zero');
  expect((await quotient(2)).rows).toEqual([{ part: 3 }]);
  await expect(quotient(0)).rejects.toThrow('division by zero');
  expect((await quotient(3)).rows).toEqual([{ part: 2 }]);
});

test('a statement whose columns have changed is refused', async () => {
  const whole = { name: 'whole', text: 'select * from goods where id = 1' };
  await client.query(whole);
  await client.query('alter table goods drop column name');
  await expect(client.query(whole)).rejects.toThrow('cached plan must not change result type');
});

test('an error leads to who asked', async () => {
  const ask = async () => {
    await client.query({ name: 'wrong', text: 'select nothing' });
  };
  await expect(ask()).rejects.toHaveProperty('stack', expect.stringContaining('described-query.test.ts'));
});
