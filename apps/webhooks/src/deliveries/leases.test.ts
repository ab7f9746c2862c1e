/** Leases of a dead process are released once PostgreSQL has ended its session, before they expire (P13). */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { lockWaits, logNothing } from '@store/testbed';
import { event, events, respond, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';
import { Replicas } from '../replicas.ts';
import { claimDue } from './claim.ts';
import { Dispatcher } from './dispatcher.ts';
import { LeaseOwners, releaseLost } from './leases.ts';
import { retryWaitsMs } from './schedule.ts';
import { skipPending } from './skip-deliveries.ts';

shareWebhooks();

const deadAfterMs = 300;
const pollMs = 20;

/** Runs `work` beside two other processes: each claims with its own number, and counts as alive while its session exists. */
async function withProcesses(work: (...processes: Awaited<ReturnType<typeof process>>[]) => Promise<void>): Promise<void> {
  const processes = [await process(), await process()];
  try {
    await work(...processes);
  } finally {
    for (const { replicas } of processes) await replicas.stop();
  }
}

async function process() {
  const owners = new LeaseOwners(webhooks.db, { deadAfterMs });
  const { promise: listens, resolve: onGap } = Promise.withResolvers<void>();
  const onLock = (isHeld: boolean) => owners.hold(isHeld);
  const nothing = () => undefined;
  const replicas = new Replicas(webhooks.url, { owner: owners.own, onLock, onWake: nothing, onChanges: nothing, onGap, log: logNothing });
  replicas.start();
  await listens;
  return { owners, replicas };
}

const claimAs = async (owners: LeaseOwners) =>
  (await claimDue({ ...webhooks.app, owners, limiter: webhooks.newLimiter(100) }, 0)).claims!.claimed;
const sweepAs = (owners: LeaseOwners) => releaseLost({ ...webhooks.app, owners });
const leased = async () => (await webhooks.states()).filter((state) => state === 'leased').length;

test('a process whose session has ended loses its leases, a live one keeps them', () =>
  withProcesses(async (dying, living) => {
    await webhooks.subscribe();
    await webhooks.publish(...events(20));
    const sweeper = new LeaseOwners(webhooks.db, { deadAfterMs });
    const first = await claimAs(dying!.owners);
    expect(first).toHaveLength(10);
    await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/other' });
    await webhooks.publish(event());
    expect(await claimAs(living!.owners)).toHaveLength(1);
    await sweepAs(sweeper);
    await wait(deadAfterMs + pollMs);
    await sweepAs(sweeper);
    expect(await leased()).toBe(11);

    /** How long it took until so many were left. */
    const sweptMs = async (left: number) => {
      const startedAtMs = performance.now();
      for (; (await leased()) > left; await wait(pollMs)) await sweepAs(sweeper);
      return performance.now() - startedAtMs;
    };
    await dying!.replicas.stop();
    expect(await sweptMs(1)).toBeGreaterThanOrEqual(deadAfterMs);
    const again = await claimAs(living!.owners);
    expect(again.map(({ eventId, number }) => [eventId, number])).toEqual(first.map(({ eventId }) => [eventId, 1]));
    await living!.replicas.stop();
    await sweptMs(0);
    expect(new Set(await webhooks.states())).toEqual(new Set(['pending']));
  }));

test('all sessions end at once: processes that reconnect soon keep their leases', () =>
  withProcesses(async (holder) => {
    await webhooks.subscribe();
    await webhooks.publish(event());
    const sweeper = new LeaseOwners(webhooks.db, { deadAfterMs: 5_000 });
    await claimAs(holder!.owners);
    await webhooks.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'store-webhooks-replicas'`,
    );
    const locked = `select from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = $1`;
    while ((await webhooks.rows(locked, [holder!.owners.own])).length > 0) await wait(pollMs);
    expect(await sweeper.dead()).toEqual([]);
    while ((await webhooks.rows(locked, [holder!.owners.own])).length === 0) await wait(pollMs);
    await sweepAs(sweeper);
    expect(await webhooks.states()).toEqual(['leased']);
  }));

test('a process never releases its own leases, whatever happens to its session', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const own = new LeaseOwners(webhooks.db, { deadAfterMs: 0 });
  await claimAs(own);
  await sweepAs(own);
  await sweepAs(own);
  expect(await webhooks.states()).toEqual(['leased']);
});

test('processes that lost their lock claim nothing until they have it again', () =>
  withProcesses(async (one, other) => {
    await webhooks.subscribe();
    await webhooks.publish(event());
    const gates = webhooks.gates();
    const sweeps = [0, 0];
    const loops = [one!, other!].map(({ owners }, index) => {
      const dead = () => {
        sweeps[index]! += 1;
        return owners.dead();
      };
      const counted = Object.defineProperty({ own: owners.own, dead, isHeld: true }, 'isHeld', { get: () => owners.isHeld });
      return new Dispatcher({ ...webhooks.app, owners: counted }, { retryWaitsMs, pollMs: 5 });
    });
    try {
      for (const loop of loops) loop.start();
      while (gates.length === 0) await wait(pollMs);
      await one!.replicas.stop();
      await other!.replicas.stop();
      // The other process finds the lease's owner dead.
      while ((await webhooks.states())[0] !== 'pending') await wait(pollMs);
      const before = [...sweeps];
      while (sweeps.some((count, index) => count < before[index]! + 20)) await wait(pollMs);
      expect(webhooks.received).toHaveLength(1);
      expect(await webhooks.states()).toEqual(['pending']);
      other!.replicas.start();
      while (gates.length < 2) await wait(pollMs);
    } finally {
      for (const gate of gates) gate.resolve(respond(200));
      for (const loop of loops) await loop.stop();
    }
    expect(await webhooks.states()).toEqual(['succeeded']);
  }));

test('D152: a subscription disabled while a lease is released keeps nothing for later', async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.publish(event());
  const owners = new LeaseOwners(webhooks.db, { deadAfterMs });
  await claimAs(owners);
  webhooks.clock.advance(31_000);
  let released: Promise<unknown> = Promise.resolve();
  await webhooks.db.unit(1, async (em) => {
    await sql(em, 'update webhooks.subscriptions set active = false where id = $1', [id]);
    await skipPending(em, [id], webhooks.clock.now());
    released = sweepAs(owners);
    await lockWaits(webhooks.db, 1, released);
  });
  await released;
  expect(await webhooks.states()).toEqual(['skipped']);
});
