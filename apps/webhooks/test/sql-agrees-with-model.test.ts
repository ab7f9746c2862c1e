/**
 * Claims and lost leases are decided in SQL, results by the model: over random rows of the real tables each
 * of them changes every row as the model says, and no other row.
 */
import { expect, test } from '@jest/globals';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { type EngineEffect, isDeliverable } from '../src/deliveries/attempt-ended.ts';
import { type Claimed, claimDue, claimFor, inFlightMax } from '../src/deliveries/claim.ts';
import { releaseLost } from '../src/deliveries/leases.ts';
import { recordResults } from '../src/deliveries/record.ts';
import { isSuccess, retryWaitsMs } from '../src/deliveries/schedule.ts';
import { type ModelInput, modelStep } from './delivery-model.ts';
import { anyRows, deadOwner, putRows, type Row, type Rows, seen, storeId, tables, tokenOf } from './engine-rows.ts';
import { shareWebhooks, webhooks } from './webhooks-under-test.ts';

/** CHECK_RUNS=5000 makes a long run. */
const numRuns = Number(process.env.CHECK_RUNS || 120);
const timeoutMs = Math.max(120_000, numRuns * 250);
const nowMs = Date.parse('2026-11-21T09:30:00.000Z');

shareWebhooks();

/** The model's effect on one row, written into `rows`; other columns follow the state. */
function apply(rows: Rows, row: Row, input: ModelInput, atMs = nowMs): EngineEffect[] {
  const before = { delivery: row.delivery, subscription: rows.subscriptions.get(row.subscription)! };
  const { state, effects } = modelStep(before, input, atMs, retryWaitsMs);
  const changed = state.delivery !== row.delivery;
  row.delivery = state.delivery;
  rows.subscriptions.set(row.subscription, state.subscription);
  const ended = changed && (input.kind === 'ended' || row.delivery.state === 'skipped');
  // D141: the next event of the record may start when the first attempt has ended.
  if (ended && row.firstPending) {
    row.firstPending = false;
    const next = rows.rows.find((one) => one.held && one.subscription === row.subscription && one.record === row.record);
    if (next) next.held = false;
  }
  return effects;
}

/** Pending deliveries of a subscription that may not receive do not resume (D152). */
function cancel(rows: Rows, subscription: number): void {
  for (const row of rows.rows) {
    if (row.subscription !== subscription || row.delivery.state !== 'pending') continue;
    row.delivery = { ...row.delivery, state: 'skipped' };
    Object.assign(row, { held: false, firstPending: false });
  }
}

/** As `cancel`, for its replays; of each record the first that they held back goes on. */
function cancelReplays(rows: Rows, subscription: number): void {
  const own = rows.rows.filter((row) => row.subscription === subscription);
  const skipped = own.filter(({ delivery }) => delivery.manual && delivery.state === 'pending');
  for (const row of skipped) Object.assign(row, { delivery: { ...row.delivery, state: 'skipped' }, held: false, firstPending: false });
  for (const { record } of skipped) {
    const lane = own.filter((row) => row.record === record);
    const next = lane.find(({ held }) => held);
    if (next && !lane.some(({ firstPending, held }) => firstPending && !held)) next.held = false;
  }
}

/** What one store may have of so many slots (D256). */
const storesPart = (slots: number) => slots - Math.floor(slots / 4);

function expectedClaim(rows: Rows, slots: number, of = [...rows.subscriptions.keys()]): Map<number, number> {
  const lines: { free: number; since: number; due: Row[] }[] = [];
  for (const [id, subscription] of rows.subscriptions) {
    if (!of.includes(id)) continue;
    const own = rows.rows.filter((row) => row.subscription === id);
    const due = own.filter(({ delivery, held }) => delivery.state === 'pending' && !held && delivery.dueAtMs <= nowMs);
    const free = inFlightMax - own.filter(({ delivery }) => delivery.state === 'leased').length;
    if (due.length === 0 || free <= 0) continue;
    if (isDeliverable(subscription, nowMs)) {
      due.sort((a, b) => a.delivery.dueAtMs - b.delivery.dueAtMs || a.id - b.id);
      lines.push({ free, since: due[0]!.delivery.dueAtMs, due });
    } else {
      for (const row of due) expect(apply(rows, row, { kind: 'claimed' })).toEqual([]);
      cancel(rows, id);
    }
  }
  const taken: Row[] = [];
  while (taken.length < storesPart(slots)) {
    const [next] = lines.filter(({ free, due }) => free > 0 && due.length > 0).sort((a, b) => b.free - a.free || a.since - b.since);
    if (!next) break;
    taken.push(next.due.shift()!);
    next.free -= 1;
  }
  return new Map(
    taken.map((row) => {
      const sends = apply(rows, row, { kind: 'claimed' }).map((effect) => (effect.kind === 'send' ? effect.attempt : 0));
      return [row.id, sends[0]!];
    }),
  );
}

test(
  'claim: what is due and may be sent, ten in flight, first where fewest are',
  async () => {
    const property = fc.asyncProperty(anyRows(nowMs), fc.constantFrom(1, 3, 8, 500), async (rows, slots) => {
      await putRows(webhooks, rows);
      const { claimed } = (await claimDue({ ...webhooks.app, limiter: webhooks.newLimiter(slots) }, 0)).claims!;
      const expected = expectedClaim(rows, slots);
      expect(new Map(claimed.map(({ deliveryId, number }) => [deliveryId, number]))).toEqual(expected);
      expect(await tables(webhooks)).toEqual(seen(rows));
      const open = 'select delivery_id::int as id, number from webhooks.attempts where id >= 1000 and ended_at is null order by 1';
      const logged = [...expected].map(([id, number]) => ({ id, number })).sort((a, b) => a.id - b.id);
      expect(await webhooks.rows(open)).toEqual(logged);
    });
    await holds(property, { numRuns });
  },
  timeoutMs,
);

test(
  'claimFor: the same for some subscriptions, in a transaction that has locked them',
  async () => {
    const slots = 500;
    const property = fc.asyncProperty(anyRows(nowMs), fc.infiniteStream(fc.boolean()), async (rows, choose) => {
      await putRows(webhooks, rows);
      const due = (id: number) =>
        rows.rows.some((row) => row.subscription === id && row.delivery.state === 'pending' && !row.held && row.delivery.dueAtMs <= nowMs);
      const ids = [...rows.subscriptions.keys()].filter((id) => due(id) && choose.next().value);
      const asked = ids.map((id) => ({ storeId, id }));
      const refilled = await webhooks.db.unit(0, (em) => claimFor({ ...webhooks.app, limiter: webhooks.newLimiter(slots) }, em, asked));
      const expected = expectedClaim(rows, slots, ids);
      expect(new Map(refilled!.claimed.map(({ deliveryId, number }) => [deliveryId, number]))).toEqual(expected);
      expect(await tables(webhooks)).toEqual(seen(rows));
    });
    await holds(property, { numRuns: Math.ceil(numRuns / 3) });
  },
  timeoutMs,
);

test(
  'lost: leases that ran out or whose process is dead are due at once, or skipped',
  async () => {
    const property = fc.asyncProperty(anyRows(nowMs), fc.boolean(), async (rows, dead) => {
      await putRows(webhooks, rows);
      await releaseLost({ ...webhooks.app, owners: { own: 1, isHeld: true, dead: async () => (dead ? [deadOwner] : []) } });
      const lost = rows.rows.filter(
        ({ leaseUntilMs, owner }) => leaseUntilMs !== null && (leaseUntilMs <= nowMs || (dead && owner === deadOwner)),
      );
      for (const row of lost) expect(apply(rows, row, { kind: 'lost' })).toEqual([]);
      expect(await tables(webhooks)).toEqual(seen(rows));
      const logged = await webhooks.rows(
        `select id::int from webhooks.attempts where outcome = 'lost' and ended_at is not null order by id`,
      );
      expect(logged).toEqual(lost.map(({ id }) => ({ id })));
    });
    await holds(property, { numRuns });
  },
  timeoutMs,
);

/** As the dispatcher holds it between its claim and its result. */
const claimedOf = (row: Row): Claimed => ({
  ...{ deliveryId: row.id, attemptId: row.id, number: row.delivery.attempts + 1, subscriptionId: row.subscription, storeId },
  ...{ event: 'product.updated', eventId: tokenOf(row.id), sequence: row.id, body: Buffer.from('{}'), requestId: null },
  leaseToken: tokenOf(row.stale ? row.id + 1_000 : row.id),
  url: `https://hooks.shop-erp.com/${row.subscription}`,
  signers: { secrets: ['whsec_AAAA'] },
  place: { subscriptionId: row.subscription, storeId, host: `${storeId} ${row.subscription}.shop-erp.com:`, isOfHost: true },
});

test(
  'ended: a batch in its order; those whose lease has passed on are only logged',
  async () => {
    const property = fc.asyncProperty(anyRows(nowMs), async (rows) => {
      const ending = rows.rows
        .filter(({ delivery }) => delivery.state === 'leased')
        .sort((a, b) => a.endsAfterMs - b.endsAfterMs)
        .map((row) => ({ row, claimed: claimedOf(row), outcome: row.outcome, endedAt: new Date(nowMs + row.endsAfterMs) }));
      if (ending.length === 0) return;
      await putRows(webhooks, rows);
      await recordResults(webhooks.app, ending, { retryWaitsMs });
      const cancelled = new Set<number>();
      const replaysCancelled = new Set<number>();
      const notices: object[] = [];
      for (const { row, outcome, endedAt } of ending) {
        if (row.stale) continue;
        for (const effect of apply(rows, row, { kind: 'ended', outcome }, endedAt.getTime())) {
          if (effect.kind === 'cancel_pending') cancelled.add(row.subscription);
          if (effect.kind === 'cancel_replays') replaysCancelled.add(row.subscription);
          if (effect.kind === 'notice')
            notices.push({ subscription: row.subscription, kind: effect.notice, count: effect.failureCount, delivery: row.id });
        }
      }
      for (const id of cancelled) cancel(rows, id);
      for (const id of replaysCancelled) cancelReplays(rows, id);
      expect(await tables(webhooks)).toEqual(seen(rows));
      const written = `select subscription_id::int as subscription, kind, failure_count as count, delivery_id::int as delivery
      from webhooks.notices order by id`;
      expect(await webhooks.rows(written)).toEqual(notices);
      const logged = await webhooks.rows('select id::int, success from webhooks.attempts where ended_at is not null order by id');
      const all = ending.map(({ row, outcome }) => ({ id: row.id, success: isSuccess(outcome) }));
      expect(logged).toEqual(all.sort((a, b) => a.id - b.id));
    });
    await holds(property, { numRuns });
  },
  timeoutMs,
);
