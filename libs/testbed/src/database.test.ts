import { expect, test } from '@jest/globals';
import { testDatabase } from './database.ts';
import { ask } from './with-client.ts';

let migrated = 0;
const migrate = async (url: string) => {
  migrated += 1;
  await ask(url, 'create table notes (id bigint generated always as identity, text text)');
};

test('two databases of one app start from the same schema and share no rows', async () => {
  const [one, other] = await Promise.all([testDatabase('testbed', migrate), testDatabase('testbed', migrate)]);
  await ask(one.url, `insert into notes (text) values ('mine')`);
  expect(await ask(one.url, 'select text from notes')).toEqual([{ text: 'mine' }]);
  expect(await ask(other.url, 'select text from notes')).toEqual([]);
  expect(migrated).toBeLessThanOrEqual(1);
  await Promise.all([one.close(), other.close()]);
});

test('a closed database is gone', async () => {
  const database = await testDatabase('testbed', migrate);
  await database.close();
  await expect(ask(database.url, 'select 1')).rejects.toThrow('does not exist');
});
