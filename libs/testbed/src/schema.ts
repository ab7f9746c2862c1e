/** Tests that an app's migrations and entities declare the same schema. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AppName } from '@store/contract';
import { migrate } from '@store/db';
import { commonEntities, type ServiceDeclaration } from '@store/service';
import { type TestDatabase, testDatabase } from './database.ts';
import { schemaDrift } from './drift.ts';
import { withClient } from './with-client.ts';

export type DeclaredSchema = Pick<ServiceDeclaration<never>, 'app' | 'migrations' | 'entities'>;

/** Number of the last migration of version 0.1.0, whose tables were empty when their indexes were made. */
const lastOfFirstRelease: Record<AppName, number> = {
  catalog: 10,
  customers: 4,
  gateway: 6,
  inventory: 4,
  purchasing: 1,
  sales: 5,
  webhooks: 4,
};

/** A database with the migrated schema of the app; all tests of an app copy the same template. */
export function migratedSchema(
  { app, migrations }: Pick<DeclaredSchema, 'app' | 'migrations'>,
  options?: { isDistributed: boolean },
): Promise<TestDatabase> {
  return testDatabase(app, (url) => migrate({ url, schema: app, migrations }), [app], options);
}

/** Changes of tables that every app has, and the statement that must be found missing after each. */
const planted: Record<string, string> = {
  'alter table outbox alter column name drop not null': '"name" set not null',
  'alter table outbox add column color text': 'drop column "color"',
  'alter table dead_letters drop column error': 'add "error"',
  'drop index inbox_received_at': 'inbox_received_at',
};

export function testSchema(declared: DeclaredSchema): void {
  let database: TestDatabase;
  beforeAll(async () => {
    // Keys of tables that are distributed by store begin with it.
    database = await migratedSchema(declared, { isDistributed: false });
  });
  afterAll(() => database?.close());

  test('D278: no migration holds a lock on a table with rows while it builds an index', () => {
    const later = Object.entries(declared.migrations).filter(([name]) => Number.parseInt(name, 10) > lastOfFirstRelease[declared.app]);
    for (const [name, Declared] of later) {
      const migration = Reflect.construct(Declared, []);
      migration.up();
      const texts = migration.getQueries().map(String);
      const newTables = new Set(
        texts.flatMap((text) => [...text.matchAll(/create table (?:if not exists )?([\w.]+)/gi)].map(([, table]) => table)),
      );
      const locking = texts.flatMap((text) => [
        ...text.matchAll(/create (?:unique )?index (?!concurrently)[^;]*? on (?:only )?([\w.]+)/gi),
      ]);
      expect([name, locking.map(([, table]) => table).filter((table) => !newTables.has(table))]).toEqual([name, []]);
    }
  });

  test('the migrated tables are what the entities declare, and a drift that is planted is found', async () => {
    const drift = () => schemaDrift({ url: database.url, schema: declared.app, entities: [...declared.entities, ...commonEntities] });
    expect(await drift()).toBe('');
    await withClient(database.url, (client) => client.query(`set search_path to ${declared.app}; ${Object.keys(planted).join(';')}`));
    const found = await drift();
    for (const statement of Object.values(planted)) expect(found).toContain(statement);
  });
}
