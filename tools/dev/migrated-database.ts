/** A database of its own with the migrated schemas of all apps, copied from one template: migrating takes longer than many tests. */
import { appNames } from '@store/contract';
import { migrate } from '@store/db';
import { type TestDatabase, testDatabase } from '@store/testbed/database';
import { migrationsOf } from '../local/apps.ts';

export function migratedDatabase(): Promise<TestDatabase> {
  return testDatabase('all', migrateAll, appNames);
}

async function migrateAll(url: string): Promise<void> {
  for (const schema of appNames) await migrate({ url, schema, migrations: await migrationsOf(schema) });
}
