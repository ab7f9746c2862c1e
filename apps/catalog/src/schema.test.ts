import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, schemaDrift } from '@store/db';
import { commonEntities } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

let database: TestDatabase;
const drift = () => schemaDrift({ url: database.url, schema: 'catalog', entities: [...entities, ...commonEntities] });

beforeAll(async () => {
  database = await testDatabase('catalog', (url) => migrate({ url, schema: 'catalog', migrations }));
});
afterAll(() => database.close());

test('the migrated tables are what their entities declare', async () => {
  expect(await drift()).toBe('');
});

test('a column that no entity declares is drift', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('alter table catalog.brands add column color text');
  } finally {
    await client.end();
  }
  expect(await drift()).toContain('drop column "color"');
});
