/** `republish`: sends the present state of records to the apps that copy them, without webhooks and audit entries. */
import { setTimeout as wait } from 'node:timers/promises';
import { type DbOptions, type EntityManager, openDb, sql, systemClock } from '@store/db';
import { emit, type NewEvent, type Outbox } from '@store/events';
import { systemCaller } from '@store/rpc';
import { Command } from 'commander';
import { BadConfig } from './config.ts';
import { databaseUrls } from './database-urls.ts';

export interface State {
  id: number;
  event: NewEvent;
}

export interface Republished {
  /** Statement for the ids (`id`) of the stores that have such records, in order. */
  stores: string;
  /** The store's next records after this id, by id, as events without a webhook; their rows are locked until the transaction ends. */
  next(em: EntityManager, storeId: number, after: number, limit: number): Promise<State[]>;
}

const batchMax = 500;
/** The command waits while so many rows are not published, since those of requests stand behind them. */
const waitingMax = 2_000;
const pollMs = 200;

/** Returns how many records it sent; `say` gets a line after each batch. A relay of the app must run. */
export async function republish(
  outbox: Outbox,
  { stores, next }: Republished,
  from: { storeId: number; after: number } = { storeId: 0, after: 0 },
  say: (line: string) => void = () => undefined,
): Promise<number> {
  const { db } = outbox;
  let sent = 0;
  const ids = await db.unit(0, (em) => sql<{ id: number }>(em, stores, []));
  for (const { id: storeId } of ids) {
    if (storeId < from.storeId) continue;
    for (let after = storeId === from.storeId ? from.after : 0; ; ) {
      const states = await db.unit(storeId, async (em) => {
        const found = await next(em, storeId, after, batchMax);
        await emit(
          em,
          outbox,
          systemCaller(storeId),
          found.map(({ event }) => event),
        );
        return found;
      });
      if (states.length === 0) break;
      after = states.at(-1)!.id;
      sent += states.length;
      say(`${sent} sent; to go on from here: --from ${storeId}:${after}`);
      while (await hasBacklog(outbox)) await wait(pollMs);
    }
  }
  return sent;
}

async function hasBacklog({ db }: Outbox): Promise<boolean> {
  const rows = await db.unit(0, (em) => sql(em, `select from ${db.schema}.outbox offset $1 limit 1`, [waitingMax]));
  return rows.length > 0;
}

/** Runs the command with an app's kinds of records, in the database of DATABASE_URL. */
export async function republishCommand(
  { app, entities, kinds }: { app: string; entities: DbOptions['entities']; kinds: Record<string, Republished> },
  args: string[],
): Promise<boolean> {
  const names = Object.keys(kinds);
  await new Command('republish')
    .description(
      `Sends the present state of all ${names.join(' or ')} of ${app} to the apps that keep copies, in the database of DATABASE_URL.`,
    )
    .argument('<what>', names.join(', '))
    .option('--from <store:id>', 'go on behind this record, as the last line of a run that was stopped says')
    .showHelpAfterError('(--help shows what there is)')
    .action(async (what: string, options: { from?: string }) => {
      const kind = kinds[what];
      if (!kind) throw new BadConfig(`${app} has no ${what} that others copy: it must be ${names.join(' or ')}.`);
      const { url, isPooled } = databaseUrls(process.env);
      const db = await openDb({ url, isPooled, schema: app, entities, poolMax: 1, clock: systemClock });
      try {
        // The relay finds the rows within half a second; this process has none to notify.
        const sent = await republish({ db, wake: () => undefined }, kind, positionOf(options.from), console.log);
        console.log(`All ${what} are sent: ${sent}.`);
      } finally {
        await db.close();
      }
    })
    .parseAsync(args, { from: 'user' });
  return true;
}

function positionOf(text: string | undefined): { storeId: number; after: number } | undefined {
  if (text === undefined) return undefined;
  const [, storeId, after] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  if (storeId === undefined) throw new BadConfig(`${text} is no position: it must be store:id, such as 1:3300.`);
  return { storeId: Number(storeId), after: Number(after) };
}
