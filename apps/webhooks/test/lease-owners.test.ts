/** Leases of a process that died are released when PostgreSQL has ended its session, not when they run out (P13). */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { logNothing } from '@store/testbed';
import { claim } from '../src/deliveries/claim.ts';
import { LeaseOwners } from '../src/deliveries/lease-owners.ts';
import { releaseLost } from '../src/deliveries/release-lost.ts';
import { Replicas } from '../src/replicas.ts';
import { event, type WebhooksUnderTest, webhooksUnderTest } from './webhooks-under-test.ts';

let webhooks: WebhooksUnderTest;
beforeAll(async () => {
  webhooks = await webhooksUnderTest();
});
afterAll(() => webhooks.close());
beforeEach(() => webhooks.reset());

const deadAfterMs = 300;
const pollMs = 20;
/** Another process: it claims with a number of its own, and lives while its session does. */
async function process(): Promise<{ owners: LeaseOwners; replicas: Replicas }> {
  const owners = new LeaseOwners(webhooks.db, { deadAfterMs });
  const { promise: listens, resolve } = Promise.withResolvers<void>();
  const replicas = new Replicas(webhooks.url, {
    owner: owners.own,
    onWake: () => undefined,
    onNews: () => undefined,
    onGap: resolve,
    log: logNothing,
  });
  replicas.start();
  await listens;
  return { owners, replicas };
}
const claimAs = async (owners: LeaseOwners) => (await claim({ ...webhooks.app, owners }, 100, '0')).claimed;
const states = async () => (await webhooks.deliveries()).map(({ state }) => state);

/** How long the sweep of a process took to release what another held. */
async function releasedAfterMs(sweeper: LeaseOwners): Promise<number> {
  const startedAtMs = performance.now();
  while ((await states()).includes('leased')) {
    await releaseLost({ ...webhooks.app, owners: sweeper });
    await wait(pollMs);
  }
  return performance.now() - startedAtMs;
}

test('a process whose session has ended loses its leases after the pause, under its number, and one that lives keeps them', async () => {
  await webhooks.subscribe();
  await webhooks.publish(...Array.from({ length: 20 }, () => event()));
  const [dying, living] = [await process(), await process()];
  try {
    const sweeper = new LeaseOwners(webhooks.db, { deadAfterMs });
    const first = await claimAs(dying.owners);
    expect(first).toHaveLength(10);
    await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/other' });
    await webhooks.publish(event());
    expect(await claimAs(living.owners)).toHaveLength(1);
    await releaseLost({ ...webhooks.app, owners: sweeper });
    await wait(deadAfterMs + pollMs);
    await releaseLost({ ...webhooks.app, owners: sweeper });
    expect((await states()).filter((state) => state === 'leased')).toHaveLength(11);

    await dying.replicas.stop();
    const looked = releasedAfterMs(sweeper);
    await wait(deadAfterMs / 2);
    expect((await states()).filter((state) => state === 'leased')).toHaveLength(11);
    // The living one's is the only one that is left; it ends this wait.
    while ((await states()).filter((state) => state === 'leased').length > 1) await wait(pollMs);
    const again = await claimAs(living.owners);
    expect(again.map(({ eventId, number }) => [eventId, number])).toEqual(first.map(({ eventId }) => [eventId, 1]));
    await living.replicas.stop();
    await looked;
    expect(new Set(await states())).toEqual(new Set(['pending']));
  } finally {
    await dying.replicas.stop();
    await living.replicas.stop();
  }
});

test('all sessions gone at once, as when PostgreSQL restarts: who is back before the pause is over keeps its leases', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const holder = await process();
  try {
    const sweeper = new LeaseOwners(webhooks.db, { deadAfterMs: 5_000 });
    await claimAs(holder.owners);
    await webhooks.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'store-webhooks-replicas'`,
    );
    const locked = `select from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = $1`;
    while ((await webhooks.rows(locked, [holder.owners.own])).length > 0) await wait(pollMs);
    expect(await sweeper.dead()).toEqual([]);
    while ((await webhooks.rows(locked, [holder.owners.own])).length === 0) await wait(pollMs);
    await releaseLost({ ...webhooks.app, owners: sweeper });
    expect(await states()).toEqual(['leased']);
  } finally {
    await holder.replicas.stop();
  }
});

test('its own leases are never given up by the process itself, whatever became of its session', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const own = new LeaseOwners(webhooks.db, { deadAfterMs: 0 });
  await claimAs(own);
  await releaseLost({ ...webhooks.app, owners: own });
  await releaseLost({ ...webhooks.app, owners: own });
  expect(await states()).toEqual(['leased']);
});
