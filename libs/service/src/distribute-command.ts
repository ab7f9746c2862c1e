/** `distribute`, a command of every app: puts the app's schema onto a worker of a Citus cluster. */
import { CannotDistribute, distributeSchema } from '@store/db';
import { printUsage } from './command.ts';
import { BadConfig } from './config.ts';
import { databaseUrls } from './database-urls.ts';

const usage = (schema: string) => `distribute: gives the schema ${schema} a machine of its own, where PostgreSQL is a Citus cluster.

DATABASE_URL (or DATABASE_SESSION_URL) names the coordinator, as the schema's owner. Processes may use the schema meanwhile, all of
this version. Run again it changes nothing. docs/operations/citus.md says how a schema is moved from one machine to another.`;

export async function distributeCommand(schema: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  if (args.includes('--help')) return printUsage(usage(schema));
  try {
    const { isNew, place } = await distributeSchema(databaseUrls(env).sessionUrl, schema);
    console.log(`The schema ${schema} ${isNew ? 'is' : 'was'} distributed; it is on ${place}.`);
  } catch (error) {
    throw error instanceof CannotDistribute ? new BadConfig(`${error.message}.`, { cause: error }) : error;
  }
  return true;
}
