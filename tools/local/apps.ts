/** Loads an app's exports by its name, so that code which starts or migrates all apps lists none. */
import type { MigrateOptions } from '@store/db';
import { type Running, type ServiceDeclaration, type Settings, type StartOptions, settingsOf } from '@store/service';

/** Address of its own door as `address`, of the door `stream` as `streamAddress`. */
type Started = Running & Record<string, unknown>;

export async function startApp(app: string, options: StartOptions): Promise<Started> {
  const { start } = (await import(`@store/${app}`)) as { start(options: StartOptions): Promise<Started> };
  return start(options);
}

/** The declaration of a service, which its package exports under the app's name. */
export async function declarationOf(app: string): Promise<ServiceDeclaration<unknown>> {
  return ((await import(`@store/${app}`)) as Record<string, ServiceDeclaration<unknown>>)[app]!;
}

/** Every setting that the app reads. */
export async function settingsOfApp(app: string): Promise<Settings> {
  return settingsOf(await declarationOf(app));
}

export async function migrationsOf(app: string): Promise<MigrateOptions['migrations']> {
  return ((await import(`@store/${app}/migrations`)) as { migrations: MigrateOptions['migrations'] }).migrations;
}
