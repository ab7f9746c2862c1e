/**
 * A rolling update from an earlier release: its own processes, started from a checkout of it, on the installation that it left
 * (tests/faults/releases). The load has a store of its own there, which the release made.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { appNames } from '@store/contract';
import { until } from '@store/testbed/until';
import { withClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { leftBy, restoreInstallation } from '../faults/releases/installation.ts';
import { succeed } from '../kit/http.ts';
import { outboxRows } from '../kit/outbox-rows.ts';
import type { Login } from '../kit/stores.ts';
import { rowsOf } from './collect.ts';
import { differing } from './collect-rest.ts';
import type { Violation } from './history.ts';
import type { RollingWorld } from './rolling-world.ts';

export interface EarlierRelease {
  version: string;
  /** A checkout of it, with its packages installed. */
  folder: string;
}

/** Into an empty database. What waited in the installation goes to `url`, as nobody listens any more where it went. */
export async function openInstallation({ version }: EarlierRelease, databaseUrl: string, url: string): Promise<void> {
  await restoreInstallation(version, databaseUrl);
  await withClient(databaseUrl, (client) => client.query('update webhooks.subscriptions set url = $1', [url]));
}

/** Its peppers and keys. */
export const secretsOf = ({ version }: EarlierRelease): Record<string, string> => leftBy(version).secrets;

/** By the release's own command: this version does not know its tables. */
export const makeStoreOf =
  ({ folder }: EarlierRelease) =>
  async (url: string): Promise<Login & { id: number }> => {
    const [email, password] = ['admin@faults.example', randomBytes(12).toString('hex')];
    const options = `--name Faults --timezone UTC --admin-email ${email} --admin-password ${password}`;
    const make = ['store', 'create', '--json', ...options.split(' ')];
    const env = { PATH: process.env.PATH, DATABASE_URL: url };
    const said = execFileSync(process.execPath, [path.join(folder, 'apps/gateway/src/run.ts'), ...make], { env, encoding: 'utf8' });
    return { id: (JSON.parse(said) as { store_id: number }).store_id, email, password };
  };

/** A session of a release that did not ask for the password before a key is made has not been asked. */
export async function confirm({ fleet: { token, password }, load }: Pick<RollingWorld, 'fleet' | 'load'>): Promise<void> {
  await succeed('POST', `${load.api[0]}/staff_sessions/confirm`, { token, body: { password } });
}

const drainedWithinMs = 120_000;

/** Until the release has published what waited. Of what is due some may stay until this version ends it: its event is gone. */
export async function drained(database: pg.Client): Promise<void> {
  await until(async () => (await outboxRows(database)) === 0, drainedWithinMs);
}

/** The rules of a history are of one store: the other stores' rows go. Returns what their copies have otherwise than their sources. */
export async function forgetOtherStores(judge: pg.Client, storeId: number): Promise<Violation[]> {
  const copies = await differing(judge);
  const tables = await rowsOf<{ name: string }>(
    judge,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.columns
     where table_schema = any ($1) and column_name = 'store_id' order by 1`,
    [appNames],
  );
  await judge.query('set session_replication_role = replica');
  for (const { name } of tables) await judge.query(`delete from ${name} where store_id <> $1`, [storeId]);
  for (const app of ['catalog', 'customers', 'gateway', 'inventory', 'sales'])
    await judge.query(`delete from ${app}.stores where id <> $1`, [storeId]);
  await judge.query('reset session_replication_role');
  return copies.map((detail) => ({ rule: 'copy', detail }));
}
