/**
 * Records results of attempts: their log rows, the deliveries' new states, and the subscription's failure_count, in
 * one transaction and as `attemptEnded` decides. An attempt whose lease was lost is logged and changes nothing else:
 * the process that took the delivery over decides about it. Text: one statement for a batch of three tables.
 */
import { type EntityManager, type Row, sql } from '@store/db';
import { skipPending } from '../keys/revoke-key.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Webhooks } from '../webhooks.ts';
import { attemptEnded } from './attempt-ended.ts';
import { type Claimed, type Claims, refill } from './claim.ts';
import type { Delivery } from './delivery.ts';
import { isSuccess } from './schedule.ts';
import { skipReplays } from './skip-replays.ts';
import type { AttemptOutcome, DeliveryState, EngineEffect, NoticeKind, SubscriptionState } from './types.ts';

export interface Ended {
  claimed: Claimed;
  outcome: AttemptOutcome;
  endedAt: Date;
}

export interface RecordOptions {
  retryWaitsMs: readonly number[];
  /** Subscriptions of these ends that have more due: it is claimed in the same transaction. */
  refill?: number[];
}

export interface Recorded {
  /** Something has become due that was not claimed: a delivery that waited behind one of these, or a retry at once. */
  due: boolean;
  refilled: Claims | undefined;
}

type LockedSubscription = Pick<
  Row<typeof Subscription>,
  'id' | 'active' | 'failure_count' | 'replay_failures' | 'disabled_at' | 'deleted_at' | 'key_revoked_at' | 'key_expires_at'
>;

type LockedDelivery = Pick<Row<typeof Delivery>, 'id' | 'attempts' | 'manual' | 'due_at'>;

interface NewNotice {
  claimed: Claimed;
  kind: NoticeKind;
  failureCount: number;
}

/** The changes of one transaction, collected while `attemptEnded` processes the results in their order. */
interface Changes {
  subscriptions: Map<number, SubscriptionState>;
  deliveries: { id: number; subscriptionId: number; state: DeliveryState; endedAt: Date }[];
  cancelled: Set<number>;
  replaysCancelled: Set<number>;
  notices: NewNotice[];
  /** Subscriptions with a delivery that no longer waits behind another one's first attempt. */
  released: number[];
}

export async function record(app: Webhooks, batch: Ended[], options: RecordOptions): Promise<Recorded> {
  const { cancelled, deliveries, released, refilled } = await app.db.unit(0, async (em) => {
    const [subscriptions, deliveries] = await Promise.all([lockSubscriptions(em, batch), lockDeliveries(em, batch)]);
    const changes: Changes = {
      subscriptions,
      deliveries: [],
      cancelled: new Set(),
      replaysCancelled: new Set(),
      notices: [],
      released: [],
    };
    for (const ended of batch) decide(changes, ended, deliveries.get(ended.claimed.deliveryId), options);
    changes.released = await write(em, batch, changes);
    await skipPending(em, [...changes.cancelled], app.db.clock.now());
    await skipReplays(em, [...changes.replaysCancelled], app.db.clock.now());
    await writeNotices(em, changes.notices, app.db.clock.now());
    const more = options.refill ?? [];
    return { ...changes, refilled: more.length > 0 ? await refill(app, em, more) : undefined };
  });
  app.counts.note(
    batch.map(({ outcome }) => outcome),
    deliveries.map(({ state }) => state.state).filter((state) => state !== 'pending'),
  );
  app.announce({ attempts: batch.map(({ claimed }) => claimed.attemptId), subscriptions: [...cancelled] });
  const nowMs = app.db.clock.now().getTime();
  const retried = deliveries.filter(({ state }) => state.state === 'pending' && state.dueAtMs <= nowMs);
  const due = [...released, ...retried.map(({ subscriptionId }) => subscriptionId)];
  return { due: due.some((id) => !refilled?.left.has(id)), refilled };
}

async function lockSubscriptions(em: EntityManager, batch: Ended[]): Promise<Map<number, SubscriptionState>> {
  const rows = await sql<LockedSubscription>(
    em,
    `select id, active, failure_count, replay_failures, disabled_at, deleted_at, key_revoked_at, key_expires_at
     from webhooks.subscriptions where id = any($1::bigint[]) order by id for no key update`,
    [[...new Set(batch.map(({ claimed }) => claimed.subscriptionId))]],
  );
  return new Map(rows.map((row) => [row.id, subscriptionState(row)]));
}

function subscriptionState(row: LockedSubscription): SubscriptionState {
  return {
    active: row.active,
    failureCount: row.failure_count,
    replayFailures: row.replay_failures,
    disabledAtMs: msOf(row.disabled_at),
    deleted: row.deleted_at !== null,
    keyRevokedAtMs: msOf(row.key_revoked_at),
    keyExpiresAtMs: msOf(row.key_expires_at),
  };
}

const msOf = (time: Date | null): number | null => time?.getTime() ?? null;

/** Only deliveries whose lease this process still holds. */
async function lockDeliveries(em: EntityManager, batch: Ended[]): Promise<Map<number, DeliveryState>> {
  const rows = await sql<LockedDelivery>(
    em,
    `select d.id, d.attempts, d.manual, d.due_at
     from webhooks.deliveries d join unnest($1::bigint[], $2::uuid[]) as x(id, token) on x.id = d.id and x.token = d.lease_token
     where d.state = 'leased' order by d.id for update of d`,
    [batch.map(({ claimed }) => claimed.deliveryId), batch.map(({ claimed }) => claimed.leaseToken)],
  );
  return new Map(
    rows.map((row) => [row.id, { state: 'leased', attempts: row.attempts, manual: row.manual, dueAtMs: row.due_at.getTime() }]),
  );
}

function decide(changes: Changes, { claimed, outcome, endedAt }: Ended, delivery: DeliveryState | undefined, options: RecordOptions): void {
  const subscription = changes.subscriptions.get(claimed.subscriptionId);
  if (!delivery || !subscription) return;
  const { state, effects } = attemptEnded({ delivery, subscription }, outcome, endedAt.getTime(), options.retryWaitsMs);
  changes.subscriptions.set(claimed.subscriptionId, state.subscription);
  // A subscription disabled earlier in this batch has already cancelled this retry.
  changes.deliveries.push({ id: claimed.deliveryId, subscriptionId: claimed.subscriptionId, state: state.delivery, endedAt });
  for (const effect of effects) note(changes, claimed, effect);
}

function note(changes: Changes, claimed: Claimed, effect: EngineEffect): void {
  if (effect.kind === 'cancel_pending') changes.cancelled.add(claimed.subscriptionId);
  if (effect.kind === 'cancel_replays') changes.replaysCancelled.add(claimed.subscriptionId);
  if (effect.kind === 'notice') changes.notices.push({ claimed, kind: effect.notice, failureCount: effect.failureCount });
}

/**
 * The attempts' log rows, the deliveries and the subscriptions in one statement. The end of a first attempt, failed or
 * not, releases the next event of its record (D141); last_triggered_at is the time of the latest attempt, whatever its
 * outcome (D133).
 */
const writeEnds = `
  with logged as (
    update webhooks.attempts a set response_status = x.status, duration_ms = x.duration_ms, success = x.success,
      outcome = x.outcome, ended_at = x.ended_at
    from unnest($1::bigint[], $2::int[], $3::int[], $4::boolean[], $5::text[], $6::timestamptz[])
      as x(id, status, duration_ms, success, outcome, ended_at)
    where a.id = x.id
  ), counted as (
    update webhooks.subscriptions s set active = x.active, failure_count = x.failure_count, replay_failures = x.replay_failures, disabled_at = x.disabled_at,
      last_triggered_at = greatest(s.last_triggered_at, x.triggered_at)
    from unnest($7::bigint[], $8::boolean[], $9::int[], $10::timestamptz[], $11::timestamptz[], $17::int[])
      as x(id, active, failure_count, disabled_at, triggered_at, replay_failures)
    where s.id = x.id
  ), before as (
    select d.id, d.subscription_id, d.record from webhooks.deliveries d where d.id = any($12::bigint[]) and d.first_pending
  ), ended as (
    update webhooks.deliveries d set state = x.state, attempts = x.attempts, due_at = x.due_at, first_pending = false,
      lease_until = null, lease_token = null, ended_at = case when x.state = 'pending' then null else x.ended_at end
    from unnest($12::bigint[], $13::text[], $14::int[], $15::timestamptz[], $16::timestamptz[]) as x(id, state, attempts, due_at, ended_at)
    where d.id = x.id
  )
  update webhooks.deliveries d set held = false
  from before cross join lateral (
    select h.id from webhooks.deliveries h
    where h.subscription_id = before.subscription_id and h.record = before.record and h.held order by h.id limit 1) next
  where d.id = next.id returning d.subscription_id`;

/** Returns the subscriptions of the deliveries that were released. */
async function write(em: EntityManager, batch: Ended[], { subscriptions, deliveries }: Changes): Promise<number[]> {
  const triggered = new Map(batch.map(({ claimed, endedAt }) => [claimed.subscriptionId, endedAt]));
  const states = [...subscriptions.values()];
  const released = await sql<Pick<Row<typeof Delivery>, 'subscription_id'>>(em, writeEnds, [
    batch.map(({ claimed }) => claimed.attemptId),
    batch.map(({ outcome }) => (outcome.kind === 'response' ? outcome.status : 0)),
    batch.map(({ outcome }) => Math.round(outcome.durationMs)),
    batch.map(({ outcome }) => isSuccess(outcome)),
    batch.map(({ outcome }) => (outcome.kind === 'response' ? 'response' : outcome.reason)),
    batch.map(({ endedAt }) => endedAt),
    [...subscriptions.keys()],
    states.map((state) => state.active),
    states.map((state) => state.failureCount),
    states.map(({ disabledAtMs }) => (disabledAtMs === null ? null : new Date(disabledAtMs))),
    [...subscriptions.keys()].map((id) => triggered.get(id)!),
    deliveries.map(({ id }) => id),
    deliveries.map(({ state }) => state.state),
    deliveries.map(({ state }) => state.attempts),
    deliveries.map(({ state }) => new Date(state.dueAtMs)),
    deliveries.map(({ endedAt }) => endedAt),
    states.map((state) => state.replayFailures),
  ]);
  return released.map((row) => row.subscription_id);
}

async function writeNotices(em: EntityManager, notices: NewNotice[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  await sql(
    em,
    `insert into webhooks.notices (store_id, subscription_id, kind, url, failure_count, delivery_id, created_at)
     select x.*, $7 from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::bigint[]) as x`,
    [
      notices.map(({ claimed }) => claimed.storeId),
      notices.map(({ claimed }) => claimed.subscriptionId),
      notices.map(({ kind }) => kind),
      notices.map(({ claimed }) => claimed.url),
      notices.map(({ failureCount }) => failureCount),
      notices.map(({ claimed }) => claimed.deliveryId),
      now,
    ],
  );
}
