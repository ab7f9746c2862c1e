/** `migrate`: brings an app's schema up to date and ends. As a step of its own its failure leaves the old processes as they are. */
import { type MigrateOptions, migrate } from '@store/db';
import { printUsage } from './command.ts';
import { databaseUrls } from './database-urls.ts';

const usage = (
  app: string,
) => `migrate: brings the schema ${app} of DATABASE_URL up to date. Run again it changes nothing; run twice at once, one waits.
Where that leads through a pooler, DATABASE_SESSION_URL names PostgreSQL itself.`;

export async function migrateCommand(
  app: string,
  migrations: MigrateOptions['migrations'],
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  if (args.includes('--help')) return printUsage(usage(app));
  await migrate({ url: databaseUrls(env).sessionUrl, schema: app, migrations, say: (sentence) => console.log(`${sentence}.`) });
  console.log(`The schema ${app} is up to date: ${Object.keys(migrations).at(-1)}.`);
  return true;
}
