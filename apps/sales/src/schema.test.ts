import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, schemaDrift } from '@store/db';
import { commonEntities } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { sales } from './main.ts';

const schema = 'sales';
let database: TestDatabase;
const drift = () => schemaDrift({ url: database.url, schema, entities: [...sales.entities, ...commonEntities] });

beforeAll(async () => {
  database = await testDatabase('sales_schema', (url) => migrate({ url, schema, migrations: sales.migrations }));
});
afterAll(() => database.close());

test('migrated tables are what the entities declare, and a planted drift is found', async () => {
  expect(await drift()).toBe('');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('alter table sales.outbox alter column name drop not null; drop index sales.inbox_received_at');
  await client.end();
  expect(await drift()).toMatch(/inbox_received_at[\s\S]*"name" set not null/);
});
