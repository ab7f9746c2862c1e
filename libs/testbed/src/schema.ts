/** Tests of what an app declares about its schema: its migrations and its entities say the same. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate, schemaDrift } from '@store/db';
import { commonEntities, type ServiceDeclaration } from '@store/service';
import pg from 'pg';
import { type TestDatabase, testDatabase } from './database.ts';

export type DeclaredSchema = Pick<ServiceDeclaration<never>, 'app' | 'migrations' | 'entities'>;

/** A database with the migrated schema of the app; all tests of an app copy the same template. */
export function migratedSchema({ app, migrations }: Pick<DeclaredSchema, 'app' | 'migrations'>): Promise<TestDatabase> {
  return testDatabase(app, (url) => migrate({ url, schema: app, migrations }));
}

/** `planted`: a change of the migrated schema, and the statements that must be found missing after it. */
export function testSchema(declared: DeclaredSchema, planted: { change: string; found: RegExp }): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await migratedSchema(declared);
  });
  afterAll(() => database?.close());

  test('the migrated tables are what the entities declare, and a drift that is planted is found', async () => {
    const drift = () => schemaDrift({ url: database.url, schema: declared.app, entities: [...declared.entities, ...commonEntities] });
    expect(await drift()).toBe('');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(planted.change);
    await client.end();
    expect(await drift()).toMatch(planted.found);
  });
}
