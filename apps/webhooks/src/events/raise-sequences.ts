/** After restoring a backup the log would reuse numbers that receivers have seen, and they would miss those events. */
import { parseArgs } from 'node:util';
import { type Db, openDb, sql, systemClock } from '@store/db';
import { BadConfig, printUsage, readConfig, serviceSettings } from '@store/service';

const stepDefault = 1_000_000;
const stepMax = 1_000_000_000;

const usage = `raise-sequences: after a restore, before the processes start: events get numbers that no receiver has seen.

  --by <n>   how far each store's number is raised (default ${stepDefault}); more than its events since the backup`;

/** Returns the number of stores. One without events and subscriptions starts at 1, like a new one. */
export function raiseSequences(db: Db, by: number): Promise<number> {
  return db.unit(0, async (em) => {
    await sql(em, 'insert into webhooks.stores (id) select distinct store_id from webhooks.subscriptions on conflict do nothing', []);
    const [row] = await sql<{ stores: number }>(
      em,
      'with raised as (update webhooks.stores set last_sequence = last_sequence + $1 returning id) select count(*)::int as stores from raised',
      [by],
    );
    return row!.stores;
  });
}

export async function raiseSequencesCommand(args: string[]): Promise<boolean> {
  const options = { by: { type: 'string', default: String(stepDefault) }, help: { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return printUsage(usage);
  const by = Number(values.by);
  if (!Number.isInteger(by) || by < 1 || by > stepMax) throw new BadConfig(`--by must be a whole number from 1 to ${stepMax}.`);
  const { DATABASE_URL: url } = readConfig({ DATABASE_URL: serviceSettings.DATABASE_URL }, process.env);
  const db = await openDb({ url, schema: 'webhooks', entities: [], poolMax: 1, clock: systemClock });
  try {
    console.log(`Raised the last sequence of ${await raiseSequences(db, by)} stores by ${by}.`);
  } finally {
    await db.close();
  }
  return true;
}
