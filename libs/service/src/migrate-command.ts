/**
 * `migrate`, a command of every app: brings its schema up to date and ends. An app does the same when it starts; by itself it
 * is the first step of an upgrade, whose failure leaves the old processes as they are.
 */
import { type MigrateOptions, migrate } from '@store/db';
import { BadConfig } from './config.ts';

export async function migrateCommand(
  app: string,
  migrations: MigrateOptions['migrations'],
  args: string[],
  { DATABASE_URL: url } = process.env,
): Promise<boolean> {
  if (args.includes('--help')) {
    console.log(
      `migrate: brings the schema ${app} of DATABASE_URL up to date. Run again it changes nothing; run twice at once, one waits.`,
    );
    return true;
  }
  if (!url) throw new BadConfig('Name PostgreSQL by DATABASE_URL.');
  await migrate({ url, schema: app, migrations, say: (sentence) => console.log(`${sentence}.`) });
  console.log(`The schema ${app} is up to date: ${Object.keys(migrations).at(-1)}.`);
  return true;
}
