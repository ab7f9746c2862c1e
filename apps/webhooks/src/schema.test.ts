import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, schemaDrift } from '@store/db';
import { commonEntities } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('webhooks', (url) => migrate({ url, schema: 'webhooks', migrations }));
});
afterAll(() => database.close());

const drift = () => schemaDrift({ url: database.url, schema: 'webhooks', entities: [...entities, ...commonEntities] });

test('the migrated tables match the entities, and a planted drift is found', async () => {
  expect(await drift()).toBe('');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('alter table webhooks.deliveries drop column lease_owner');
  await client.end();
  expect(await drift()).toContain('lease_owner');
});
