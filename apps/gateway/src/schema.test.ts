import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, openDb, schemaDrift, sql, systemClock } from '@store/db';
import { commonEntities } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

const schema = 'gateway';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(schema, (url) => migrate({ url, schema, migrations }));
});
afterAll(() => database?.close());

test('the migrated tables match the entities, and a drift is found', async () => {
  const drift = () => schemaDrift({ url: database.url, schema, entities: [...entities, ...commonEntities] });
  expect(await drift()).toBe('');
  const db = await openDb({ url: database.url, schema, entities: [], clock: systemClock });
  await db.unit(0, (em) => sql(em, 'alter table gateway.api_keys alter column rate_limit drop not null'));
  await db.close();
  expect(await drift()).toContain('"rate_limit" set not null');
});
