/**
 * What this product needs of a pooler such as PgBouncer. What one does not give is lost without an error (another client's locks, a
 * stranger's settings), so it is tried at the start.
 */
import pg from 'pg';
import { sqlState } from './pg/database-errors.ts';
import { closeSession, heldByRole, newSession } from './pg/session.ts';

export interface DatabaseUrls {
  /** Of what serves requests; may lead through a pooler. */
  url: string;
  /** Of what keeps a session: the relay, notices, migrations. */
  sessionUrl: string;
}

export class UnusablePooler extends Error {}

const applicationName = 'store-connections';
const probe = 'store_probe';
const unknownStatement = '26000';
const knownStatement = '42P05';
/** What PgBouncer answers to a startup parameter that it does not let through. */
const refusedParameter = /unsupported startup parameter/;

/** Throws what an operator must change before the process can work over these addresses. */
export async function checkPooler({ url, sessionUrl }: DatabaseUrls): Promise<void> {
  const isOne = url === sessionUrl;
  if (await leadsThroughPooler(sessionUrl))
    throw new UnusablePooler(
      isOne
        ? 'DATABASE_URL leads through a connection pooler: set DATABASE_SESSION_URL to PostgreSQL itself, for locks, notices and migrations'
        : 'DATABASE_SESSION_URL leads through a connection pooler: it must be PostgreSQL itself, for locks, notices and migrations',
    );
  if (isOne) return;
  await demandSettings(url);
  await demandStatements(url);
}

/** A pooler gives each client a number of its own; PostgreSQL's is that of its process. */
async function leadsThroughPooler(url: string): Promise<boolean> {
  return withSessions(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!.pid !== (client as unknown as { processID: number }).processID;
  });
}

/** A pooler lets no settings of a connection through, so the role must have them. */
async function demandSettings(url: string): Promise<void> {
  const missing = await withSessions(url, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings where name = any($1)', [
      Object.keys(heldByRole),
    ]);
    return rows.filter(({ name, setting }) => (name === 'log_parameter_max_length_on_error') !== (setting === '0'));
  });
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw new UnusablePooler(
    `Through the pooler of DATABASE_URL ${names} are not in force: run the command roles again, which sets them for the role`,
  );
}

/** Two clients give one name to different statements, as two processes of this product do. */
async function demandStatements(url: string): Promise<void> {
  const isKept = await withSessions(url, (one) => withSessions(url, (other) => keepsApart(one, other)));
  if (!isKept)
    throw new UnusablePooler(
      'The pooler of DATABASE_URL mixes up the prepared statements of its clients: set max_prepared_statements (PgBouncer 1.21 or later), or pool_mode = session',
    );
}

async function keepsApart(one: pg.Client, other: pg.Client): Promise<boolean> {
  const answer = async (client: pg.Client, number: number) => {
    const { rows } = await client.query<{ answer: number }>({ name: probe, text: `select ${number} as answer` });
    return rows[0]?.answer;
  };
  try {
    return (await answer(one, 1)) === 1 && (await answer(other, 2)) === 2 && (await answer(one, 1)) === 1;
  } catch (error) {
    if ([unknownStatement, knownStatement].includes(sqlState(error) ?? '')) return false;
    throw error;
  }
}

async function withSessions<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = newSession({ url, applicationName });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof pg.DatabaseError && refusedParameter.test(error.message))
      throw new UnusablePooler('The pooler refuses startup parameters: add options to its ignore_startup_parameters', { cause: error });
    throw error;
  } finally {
    await closeSession(client);
  }
}
