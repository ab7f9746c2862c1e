/** Loads an app's exports by its name, so that code which starts or migrates all apps lists none. */
import type { MigrateOptions } from '@store/db';
import type { Running, StartOptions } from '@store/service';

/** Address of its own door as `address`, of the door `stream` as `streamAddress`. */
type Started = Running & Record<string, unknown>;

export async function startApp(app: string, options: StartOptions): Promise<Started> {
  const { start } = (await import(`@store/${app}`)) as { start(options: StartOptions): Promise<Started> };
  return start(options);
}

export async function migrationsOf(app: string): Promise<MigrateOptions['migrations']> {
  return ((await import(`@store/${app}/migrations`)) as { migrations: MigrateOptions['migrations'] }).migrations;
}
