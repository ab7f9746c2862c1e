/** `redrive`: sends the app's dead letters again, once the cause of their failure is fixed. */
import { closeSession, newSession } from '@store/db';
import { redrive, retentionDaysDefault } from '@store/events';
import { Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { BadConfig } from './config.ts';

interface Options {
  id?: number;
  list?: boolean;
}

export async function redriveCommand(app: string, args: string[]): Promise<boolean> {
  await new Command('redrive')
    .description(`Publishes the dead letters of ${app} again; consumers that have handled an event drop it.`)
    .option('--id <n>', 'only the dead letter of this number', number)
    .option('--list', 'only show what is there')
    .showHelpAfterError('(--help shows what there is)')
    .action((options: Options) => run(app, options))
    .parseAsync(args, { from: 'user' });
  return true;
}

async function run(app: string, { id, list }: Options): Promise<void> {
  const client = await connected();
  try {
    await demandApp(client, app);
    if (list) return await show(client, app);
    const retentionDays = retentionOf(process.env.EVENT_RETENTION_DAYS ?? String(retentionDaysDefault));
    const { sent, unreadable, tooOld } = await redrive(client, app, { id, retentionDays });
    console.log(`${sent} sent again, ${unreadable} cannot be read and stay.`);
    if (tooOld.length > 0) {
      const which = `${tooOld.length} older than ${retentionDays} days (EVENT_RETENTION_DAYS) stay: ${tooOld.join(', ')}.`;
      console.log(`${which} Who has handled such an event may not remember it any more and would do so twice.`);
    }
  } finally {
    await closeSession(client);
  }
}

function number(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('must be the number of a dead letter.');
  return Number(text);
}

function retentionOf(days: string): number {
  if (!/^[1-9]\d{0,2}$/.test(days)) throw new BadConfig('EVENT_RETENTION_DAYS must be a number of days, that of the processes.');
  return Number(days);
}

async function connected(): Promise<pg.Client> {
  const url = process.env.DATABASE_URL;
  if (!url) throw new BadConfig('No database is known: run npm start in another terminal, or set DATABASE_URL.');
  const client = newSession({ url, applicationName: 'store-redrive' });
  try {
    await client.connect();
  } catch (error) {
    throw new BadConfig('The database cannot be reached: run npm start in another terminal, or set DATABASE_URL.', { cause: error });
  }
  return client;
}

async function demandApp(client: pg.Client, app: string): Promise<void> {
  const { rows } = await client.query<{ app: string }>(
    `select table_schema as app from information_schema.tables where table_name = 'dead_letters' order by 1`,
  );
  const apps = rows.map((row) => row.app);
  if (!apps.includes(app)) throw new BadConfig(`There is no app ${app} in this database: it must be one of ${apps.join(', ')}.`);
}

async function show(client: pg.Client, app: string): Promise<void> {
  const { rows } = await client.query<{ id: string; topic: string; error: string; created_at: string; redriven_at: string | null }>(
    `select id, topic, error, created_at::text, redriven_at::text from ${client.escapeIdentifier(app)}.dead_letters order by dead_letters.id`,
  );
  for (const { id, topic, error, created_at, redriven_at } of rows) {
    console.log(`${id}  ${created_at}  ${topic}  ${error.split('\n')[0]}${redriven_at ? `  (sent again ${redriven_at})` : ''}`);
  }
  console.log(`${rows.length} dead letters.`);
}
