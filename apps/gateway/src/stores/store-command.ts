/** `store`, a command of the gateway: creates stores and changes what their plans include (D154), in the database of DATABASE_URL. */
import { closeSession, type Db, migrate, newSession, openDb } from '@store/db';
import { Problem } from '@store/problem';
import { BadConfig, databaseUrls } from '@store/service';
import { Command } from 'commander';
import { migrations } from '../migrations/all.ts';
import { openPasswords, scryptCostDefault } from '../staff/passwords.ts';
import { entities } from '../tables.ts';
import { notifyAndWait } from './change-notices.ts';
import { createStore } from './create-store.ts';
import { type StoreChange, setStore } from './set-store.ts';

const schema = 'gateway';
/** How long `set` waits until the running gateways confirm that they apply the change. */
const inForceWithinMs = 1_000;

interface CreateOptions {
  name: string;
  timezone: string;
  currency?: string;
  adminEmail: string;
  adminPassword: string;
  features?: string;
  json?: boolean;
}

const program = new Command('store')
  .description('Makes stores and changes what their plans give, in the database of DATABASE_URL or of a running npm start.')
  .showHelpAfterError('(--help shows what there is)');

program
  .command('create')
  .description('make a store and its first admin')
  .requiredOption('--name <name>', 'name of the store')
  .requiredOption('--timezone <name>', 'IANA time zone, such as Europe/London')
  .option('--currency <symbol>', 'currency symbol', '$')
  .requiredOption('--admin-email <address>', 'e-mail address of the first admin')
  .requiredOption('--admin-password <password>', 'password of the first admin, at least 12 characters')
  .option('--features <list>', 'what the plan gives, separated by commas (default: all but cannabis and stock_locations)')
  .option('--json', 'print {"store_id": 1, "admin_id": 1}')
  .action((options: CreateOptions) =>
    withDatabase(async (db) => {
      const tools = { db, outbox: outboxOf(db), passwords: openPasswords(Number(process.env.PASSWORD_SCRYPT_COST ?? scryptCostDefault)) };
      const { storeId, adminId } = await createStore(tools, {
        name: options.name,
        timeZone: options.timezone,
        currency: options.currency,
        adminEmail: options.adminEmail,
        adminPassword: options.adminPassword,
        ...(options.features !== undefined && { features: listOf(options.features) }),
      });
      if (options.json) console.log(`{"store_id": ${storeId}, "admin_id": ${adminId}}`);
      else console.log(`Store ${storeId} (${options.name}) is made; user ${adminId}, ${options.adminEmail}, is its admin.`);
    }),
  );

program
  .command('set')
  .description('change what the plan of a store gives; in force when the command returns')
  .argument('<id>', 'id of the store')
  .argument('<change...>', 'pos_subscription=active|inactive, onboarding=done|pending, features=a,b (replaces the list)')
  .action((id: string, changes: string[]) =>
    withDatabase(async (db, sessionUrl) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new BadConfig(`${id} is no store id.`);
      await setStore({ db, outbox: outboxOf(db) }, Number(id), changeOf(changes));
      const heard = await notifyAndWait(sessionUrl, { storeId: Number(id) }, inForceWithinMs);
      console.log(`Store ${id} is changed.`);
      if (!heard) console.error('A running gateway did not confirm the change within a second; it goes by it within a minute.');
    }),
  );

const values = { pos_subscription: ['active', 'inactive'], onboarding: ['done', 'pending'] } as const;

function changeOf(changes: string[]): StoreChange {
  const change: StoreChange = {};
  for (const text of changes) {
    const [name, value] = [text.slice(0, Math.max(text.indexOf('='), 0)), text.slice(text.indexOf('=') + 1)];
    if (name === 'features') change.features = listOf(value);
    else if (name === 'pos_subscription') change.posSubscription = oneOf(name, value);
    else if (name === 'onboarding') change.onboarding = oneOf(name, value);
    else throw new BadConfig(`${text} is no change: it must be pos_subscription=…, onboarding=… or features=….`);
  }
  return change;
}

function oneOf<Name extends keyof typeof values>(name: Name, value: string): (typeof values)[Name][number] {
  const allowed: readonly (typeof values)[Name][number][] = values[name];
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new BadConfig(`${name} must be ${allowed.join(' or ')}, not ${value}.`);
  return found;
}

function listOf(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** The gateway's relay finds the rows within half a second; this process has no relay to notify. */
function outboxOf(db: Db) {
  return { db, wake: () => undefined };
}

async function withDatabase(work: (db: Db, sessionUrl: string) => Promise<void>): Promise<void> {
  const { url, sessionUrl, isPooled } = databaseUrls(
    process.env,
    'No database is known: run npm start in another terminal, or set DATABASE_URL.',
  );
  await prepare(sessionUrl);
  const db = await openDb({ url, isPooled, schema, entities, poolMax: 2 });
  try {
    await work(db, sessionUrl);
  } finally {
    await db.close();
  }
}

/** Refuses a database that does not answer, and migrates an empty one. */
async function prepare(url: string): Promise<void> {
  let migrated: boolean;
  try {
    const client = newSession({ url, applicationName: 'store-tool' });
    await client.connect();
    migrated = (await client.query(`select to_regclass('${schema}.stores') is not null as migrated`)).rows[0].migrated;
    await closeSession(client);
  } catch (error) {
    const where = URL.canParse(url) ? new URL(url).host : 'DATABASE_URL';
    const why = error instanceof Error && error.message !== '' ? error.message : String((error as { code?: unknown }).code);
    throw new BadConfig(`The database at ${where} cannot be reached (${why}): run npm start in another terminal, or set DATABASE_URL.`, {
      cause: error,
    });
  }
  if (!migrated) await migrate({ url, schema, migrations });
}

export async function storeCommand(args: string[]): Promise<boolean> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === 'database') throw error;
    const sentences = error.kind === 'invalid' ? (error.extra.errors as string[]) : [error.message];
    throw new BadConfig(sentences.map((text) => `${text}.`).join(' '), { cause: error });
  }
}
