import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, schemaDrift } from '@store/db';
import { commonEntities } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { customers } from './main.ts';

const schema = 'customers';
let database: TestDatabase;
const drift = () => schemaDrift({ url: database.url, schema, entities: [...customers.entities, ...commonEntities] });

beforeAll(async () => {
  database = await testDatabase('customers_schema', (url) => migrate({ url, schema, migrations: customers.migrations }));
});
afterAll(() => database.close());

test('migrated tables are what the entities declare, and a planted drift is found', async () => {
  expect(await drift()).toBe('');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('alter table customers.outbox alter column name drop not null; drop index customers.inbox_received_at');
  await client.end();
  expect(await drift()).toMatch(/inbox_received_at[\s\S]*"name" set not null/);
});
