/** PostgreSQL stopped immediately, its backends ended, and back (P17). */

import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { texts } from '@store/problem';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { type FleetWorld, isReady } from '../kit/fleet-world.ts';
import { send } from '../kit/http.ts';
import { type OwnServer, ownPostgres } from '../kit/own-servers.ts';
import { useFleet } from '../kit/use.ts';
import { expectNothingLostOrDoubled, expectRepeatable, pidsOf, settled } from './invariants.ts';
import { type Done, type Load, report, startLoad, statuses } from './load.ts';

const startMs = 180_000;
const seconds = Number(process.env.FAULT_SECONDS ?? 4);
/** Two seconds on a quiet machine; other tests run beside this one. */
const recoveryMaxMs = 20_000;

describeWithKafka('PostgreSQL', () => {
  let postgres: OwnServer;
  const world = useFleet(async (opened) => {
    postgres = await opened(ownPostgres());
    return { gateways: 2, env: { DATABASE_URL: postgres.address } };
  });
  let pids: (number | undefined)[];
  beforeAll(() => {
    pids = pidsOf(world);
  });

  test('has each process logged in by the role of its own schema, and by no other', async () => {
    const { rows } = await world.database.query<{ role: string; app: string }>(
      `select distinct usename as role, substring(application_name from '^store-([a-z]+)') as app from pg_stat_activity
       where datname = current_database() and application_name like 'store-%' order by 2`,
    );
    expect(rows).toEqual([...appNames].sort().map((app) => ({ role: `store_${app}`, app })));
  });

  test(
    'whose backends are ended under load costs requests in flight a 500, no more',
    async () => {
      const load = await startLoad(world, { writers: 10, readers: 10 });
      const giveUpAt = performance.now() + seconds * 1_000;
      let ended = 0;
      while (performance.now() < giveUpAt) {
        await wait(300);
        const { rowCount } = await world.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
           order by random() limit 8`,
        );
        ended += rowCount ?? 0;
      }
      await recovered(world, load);
      await load.stop();
      report('backends ended', ended, statuses(load.writes));
      expectOnlyDatabaseErrors([...load.writes, ...load.reads]);
      await expectWholeHistory(world, load);
      expect(pidsOf(world)).toEqual(pids);
    },
    startMs + seconds * 1_000,
  );

  test(
    'that is stopped at once and started again loses no acknowledged change',
    async () => {
      const load = await startLoad(world, { writers: 10, readers: 10 });
      await wait(500);
      await postgres.crash();
      await wait(seconds * 500);
      await postgres.start();
      const acceptedAtMs = performance.now();
      await connectAgain(world, postgres);
      const recoveryMs = (await recovered(world, load)) - acceptedAtMs;
      await wait(500);
      await load.stop();
      report({ recoveryMs }, statuses(load.writes));
      expect(recoveryMs).toBeLessThanOrEqual(recoveryMaxMs);
      expectOnlyDatabaseErrors([...load.writes, ...load.reads]);
      await expectWholeHistory(world, load);
      expect(pidsOf(world)).toEqual(pids);
    },
    startMs + seconds * 1_000,
  );

  test.each<[what: string, begin: (database: pg.Client) => Promise<unknown>, end: (database: pg.Client) => Promise<unknown>]>([
    [
      'that is read-only, as a standby that is not promoted yet',
      (database) => readOnly(database, true),
      (database) => readOnly(database, false),
    ],
    ['whose disk is full', fillDisk, emptyDisk],
    ['whose statements are cancelled by an operator', cancelSome, async () => undefined],
  ])(
    '%s refuses writes with a 500 and reads; then nothing is lost or a dead letter',
    async (_, begin, end) => {
      const load = await startLoad(world, { writers: 6, readers: 6 });
      await wait(500);
      await begin(world.database);
      await wait(seconds * 500);
      await end(world.database);
      await recovered(world, load);
      await load.stop();
      expect(load.writes.filter(({ status }) => status === 500)).not.toEqual([]);
      expectOnlyDatabaseErrors([...load.writes, ...load.reads]);
      await expectWholeHistory(world, load);
      const letters = appNames.map((app) => `(select count(*) from ${app}.dead_letters)`).join(' + ');
      expect((await world.database.query(`select ${letters} as letters`)).rows).toEqual([{ letters: '0' }]);
      expect(pidsOf(world)).toEqual(pids);
    },
    startMs + seconds * 1_000,
  );

  test("that is back is listened to: a key's change is in force on every gateway", async () => {
    const { id, key } = await world.newKey();
    for (const url of world.api) expect((await send('GET', `${url}/products`, { key })).status).toBe(200);
    expect((await world.call('DELETE', `/api_keys/${id}`, { token: world.token })).status).toBe(200);
    for (const url of world.api) expect((await send('GET', `${url}/products`, { key })).status).toBe(401);
    const listening = `select from pg_stat_activity where application_name = 'store-gateway-notices'`;
    await until(async () => (await world.database.query(listening)).rowCount === 2, recoveryMaxMs);
  });

  test(
    'that is down when the relay starts is awaited; then all is published and audited',
    async () => {
      const relay = world.fleet.member('relay');
      await relay.kill();
      const load = await startLoad(world, { writers: 4, readers: 0, pace: 10 });
      await until(() => load.writes.length >= 20, recoveryMaxMs);
      await load.stop();
      await postgres.crash();
      relay.start();
      await until(() => world.log('relay').includes('The relay cannot reach PostgreSQL yet; trying again'), recoveryMaxMs);
      const { pid } = relay;
      await postgres.start();
      await connectAgain(world, postgres);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
      expect([relay.running, relay.pid]).toEqual([true, pid]);
    },
    startMs,
  );
});

/** Sessions that are open take it over with their next transaction (25006). */
async function readOnly(database: pg.Client, on: boolean): Promise<void> {
  await database.query('set default_transaction_read_only = off');
  await database.query(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await database.query('select pg_reload_conf()');
}

/** Every table that the load and its consumers write says what PostgreSQL says of a full disk (53100). */
const written = ['catalog.products', 'inventory.stock_adjustments', 'gateway.audit_entries', 'webhooks.events'];

async function fillDisk(database: pg.Client): Promise<void> {
  await database.query(`
    create function public.disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  // Each by itself: one transaction with locks on several tables would wait for running services, and they for it.
  for (const table of written)
    await database.query(`create trigger disk_full before insert on ${table} for each statement execute function public.disk_full()`);
}

async function emptyDisk(database: pg.Client): Promise<void> {
  for (const table of written) await database.query(`drop trigger disk_full on ${table}`);
  await database.query('drop function public.disk_full');
}

/** 57014, until a write has met it: only what runs at that moment can be cancelled. */
async function cancelSome(database: pg.Client): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1_000;
  while (performance.now() < giveUpAt) {
    await database.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend' and state in ('active', 'idle in transaction') and application_name ~ '^store-(catalog|inventory)$'`,
    );
  }
}

/** The test's own connection ended with the server. */
async function connectAgain(world: FleetWorld, postgres: OwnServer): Promise<void> {
  world.database = await openClient(postgres.address);
  world.database.on('error', () => undefined);
}

/** When all clients' requests succeed again: the start of the first 40 successes in a row. */
async function recovered(world: FleetWorld, load: Load): Promise<number> {
  const enough = 40;
  const lastBad = () => Math.max(0, ...[...load.writes, ...load.reads].filter(({ status }) => status >= 500 || status === 0).map(endOf));
  const goodSince = (atMs: number) => [...load.writes, ...load.reads].filter((done) => done.atMs > atMs && done.status < 300);
  await until(() => goodSince(lastBad()).length >= enough, 60_000);
  expect(await isReady(world.fleet.gateways[0]!)).toBe(true);
  return lastBad();
}

const endOf = ({ atMs, ms }: Done) => atMs + ms;

/** D175: a failed or lost statement is `Database error occurred` with the request's id, and never another error. */
function expectOnlyDatabaseErrors(requests: Done[]): void {
  const other = requests.filter(({ status, body }) => {
    if (status < 300 && status > 0) return false;
    const { error, details, ...rest } = (body ?? {}) as { error?: string; details?: string };
    return status !== 500 || error !== texts.database || !details || Object.keys(rest).length > 0;
  });
  expect(other.map(({ status, body, lost }) => ({ status, body, lost }))).toEqual([]);
}

async function expectWholeHistory(world: FleetWorld, load: Load): Promise<void> {
  await settled(world);
  await expectNothingLostOrDoubled(world, load);
  await expectRepeatable(world, load);
  await settled(world);
  await expectNothingLostOrDoubled(world, load);
}
