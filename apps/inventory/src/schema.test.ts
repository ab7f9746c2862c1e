import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, schemaDrift } from '@store/db';
import { commonEntities } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { inventory } from './main.ts';

const schema = 'inventory';
let database: TestDatabase;
const drift = () => schemaDrift({ url: database.url, schema, entities: [...inventory.entities, ...commonEntities] });

beforeAll(async () => {
  database = await testDatabase('inventory_schema', (url) => migrate({ url, schema, migrations: inventory.migrations }));
});
afterAll(() => database.close());

test('migrated tables are what the entities declare, and a planted drift is found', async () => {
  expect(await drift()).toBe('');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    'alter table inventory.stock_items alter column quantity drop not null; drop index inventory.stock_adjustments_of_type',
  );
  await client.end();
  expect(await drift()).toMatch(/"quantity" set not null[\s\S]*stock_adjustments_of_type/);
});
