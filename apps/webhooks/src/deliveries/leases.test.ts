/** Leases of a dead process are released once PostgreSQL has ended its session, before they expire (P13). */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { logNothing } from '@store/testbed';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, untilWaiting } from '../../test/webhooks-under-test.ts';
import { skipPending } from '../deliveries/skip-deliveries.ts';
import type { Outcome } from '../receivers/types.ts';
import { Replicas } from '../replicas.ts';
import { claimDue } from './claim.ts';
import { Dispatcher } from './dispatcher.ts';
import { LeaseOwners, releaseLost } from './leases.ts';
import { Room } from './room.ts';
import { retryWaitsMs } from './schedule.ts';

shareWebhooks();

const deadAfterMs = 300;
const pollMs = 20;
/** Another process: it claims with its own number, and counts as alive while its session exists. */
async function process(): Promise<{ owners: LeaseOwners; replicas: Replicas }> {
  const owners = new LeaseOwners(webhooks.db, { deadAfterMs });
  const { promise: listens, resolve } = Promise.withResolvers<void>();
  const replicas = new Replicas(webhooks.url, {
    owner: owners.own,
    onLock: (isHeld) => owners.hold(isHeld),
    onWake: () => undefined,
    onChanges: () => undefined,
    onGap: resolve,
    log: logNothing,
  });
  replicas.start();
  await listens;
  return { owners, replicas };
}
const claimAs = async (owners: LeaseOwners) => (await claimDue({ ...webhooks.app, owners, room: new Room(100) }, 0)).claims!.claimed;
const states = async () => (await webhooks.deliveries()).map(({ state }) => state);

/** How long a process took to release another one's leases. */
async function releasedAfterMs(sweeper: LeaseOwners): Promise<number> {
  const startedAtMs = performance.now();
  while ((await states()).includes('leased')) {
    await releaseLost({ ...webhooks.app, owners: sweeper });
    await wait(pollMs);
  }
  return performance.now() - startedAtMs;
}

test('a process whose session has ended loses its leases after the pause, and a live one keeps them', async () => {
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
    const endedAtMs = performance.now();
    const looked = releasedAfterMs(sweeper);
    // Only the live process's lease is left; this ends the wait.
    while ((await states()).filter((state) => state === 'leased').length > 1) await wait(pollMs);
    expect(performance.now() - endedAtMs).toBeGreaterThanOrEqual(deadAfterMs);
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

test('all sessions end at once, as when PostgreSQL restarts: processes that reconnect within the pause keep their leases', async () => {
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

test('a process never releases its own leases, whatever happens to its session', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const own = new LeaseOwners(webhooks.db, { deadAfterMs: 0 });
  await claimAs(own);
  await releaseLost({ ...webhooks.app, owners: own });
  await releaseLost({ ...webhooks.app, owners: own });
  expect(await states()).toEqual(['leased']);
});

test('processes that lost their lock (no session, a working pool) claim nothing until they have it again', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const hangs = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => hangs.promise;
  const [one, other] = [await process(), await process()];
  const sweeps = { one: 0, other: 0 };
  const loopOf = (name: 'one' | 'other', { owners }: { owners: LeaseOwners }) => {
    const dead = async () => {
      sweeps[name] += 1;
      return owners.dead();
    };
    const counted = {
      own: owners.own,
      dead,
      get isHeld() {
        return owners.isHeld;
      },
    };
    return new Dispatcher({ ...webhooks.app, owners: counted }, { retryWaitsMs, pollMs: 5 });
  };
  const loops = [loopOf('one', one), loopOf('other', other)];
  try {
    for (const loop of loops) loop.start();
    while (webhooks.received.length === 0) await wait(pollMs);
    await one.replicas.stop();
    await other.replicas.stop();
    // The other process finds the lease's owner dead.
    while ((await states())[0] !== 'pending') await wait(pollMs);
    const before = { ...sweeps };
    while (sweeps.one < before.one + 20 || sweeps.other < before.other + 20) await wait(pollMs);
    expect(webhooks.received).toHaveLength(1);
    expect(await states()).toEqual(['pending']);
    other.replicas.start();
    while (webhooks.received.length < 2) await wait(pollMs);
  } finally {
    hangs.resolve({ kind: 'response', status: 200, durationMs: 1 });
    for (const loop of loops) await loop.stop();
    await other.replicas.stop();
  }
  expect(await states()).toEqual(['succeeded']);
});

test('D152: a subscription that is disabled while a lost lease is released keeps no delivery for later', async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.publish(event());
  const owners = new LeaseOwners(webhooks.db, { deadAfterMs });
  await claimAs(owners);
  webhooks.clock.advance(31_000);
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: off, resolve: isOff } = Promise.withResolvers<void>();
  const switching = webhooks.db.unit(1, async (em) => {
    await sql(em, 'update webhooks.subscriptions set active = false where id = $1', [id]);
    await skipPending(em, [id], webhooks.clock.now());
    isOff();
    await mayCommit;
  });
  await off;
  const released = releaseLost({ ...webhooks.app, owners });
  await untilWaiting(webhooks, 1);
  commit();
  await Promise.all([switching, released]);
  expect(await states()).toEqual(['skipped']);
});
