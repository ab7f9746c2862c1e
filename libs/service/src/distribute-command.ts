/** `distribute`, a command of every app: puts the app's tables onto the workers of a Citus cluster. */
import { parseArgs } from 'node:util';
import { appsBeforeStore } from '@store/contract';
import { CannotDistribute, distributeByStore, distributeSchema } from '@store/db';
import { printUsage } from './command.ts';
import { BadConfig } from './config.ts';
import { databaseUrls } from './database-urls.ts';

const usage = (
  schema: string,
) => `distribute: gives the schema ${schema} a machine of its own, or each store one of several, where PostgreSQL is a Citus cluster.

  --by-store        the tables are split by store over all workers; without it the whole schema lies on one
  --shards <n>      with --by-store, parts of each table: at most so many workers share them; 32
  --help

DATABASE_URL (or DATABASE_SESSION_URL) names the coordinator, as the schema's owner. All processes are of this version. They may use the
schema meanwhile: reads go on, writes wait until the rows are copied. Run again it goes on where it stopped. What later migrations add,
migrate distributes itself. docs/operations/citus.md says how rows are moved from one machine to another.`;

const shardsMax = 1_000;

const options = {
  'by-store': { type: 'boolean', default: false },
  shards: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

export async function distributeCommand(schema: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const { values } = parseArgs({ args, options });
  if (values.help) return printUsage(usage(schema));
  if (values.shards !== undefined && !values['by-store'])
    throw new BadConfig('--shards goes with --by-store: a whole schema has no parts.');
  const { sessionUrl } = databaseUrls(env);
  try {
    console.log(values['by-store'] ? await byStore(sessionUrl, schema, values.shards) : await whole(sessionUrl, schema));
  } catch (error) {
    throw error instanceof CannotDistribute ? new BadConfig(`${error.message}.`, { cause: error }) : error;
  }
  return true;
}

async function whole(url: string, schema: string): Promise<string> {
  const { isNew, place } = await distributeSchema(url, schema);
  return `The schema ${schema} ${isNew ? 'is' : 'was'} distributed; it is on ${place}.`;
}

async function byStore(url: string, schema: string, given = '32'): Promise<string> {
  if (appsBeforeStore.includes(schema))
    throw new CannotDistribute(
      `${schema} reads rows before their store is known, so it lies on one worker: run distribute without --by-store`,
    );
  const shards = Number(given);
  if (!Number.isInteger(shards) || shards < 1 || shards > shardsMax)
    throw new BadConfig(`--shards must be a number from 1 to ${shardsMax}.`);
  const { added, tables, ...found } = await distributeByStore(url, schema, shards);
  const before = added === 0 ? 'was' : 'is';
  return `The schema ${schema} ${before} distributed by store: ${tables} tables in ${found.shards} shards on ${found.workers} workers.`;
}
