/**
 * Records results as `attemptEnded` decides, in one transaction. An attempt whose lease was lost is logged and changes nothing else: the
 * process that took the delivery over decides about it. Text: each statement changes a batch of rows.
 */
import { type EntityManager, sql } from '@store/db';
import { keyValues, type RowKey } from '../row-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { attemptEnded, type DeliveryState, type NoticeKind, type SubscriptionState } from './attempt-ended.ts';
import { type Claimed, type Claims, claimFor } from './claim.ts';
import { type AttemptOutcome, isSuccess } from './schedule.ts';
import { releaseNext, skipPending, skipReplays } from './skip-deliveries.ts';

export interface AttemptResult {
  claimed: Claimed;
  outcome: AttemptOutcome;
  endedAt: Date;
}

interface RecordOptions {
  retryWaitsMs: readonly number[];
  /** Subscriptions of these results that have more due: it is claimed in the same transaction. */
  refill?: RowKey[];
}

export interface Recorded {
  /** Something has become due that was not claimed: a delivery that waited behind one of these, or a retry at once. */
  due: boolean;
  /** What was claimed of `refill`; undefined: nothing was asked for, or another process is claiming. */
  refilled: Claims | undefined;
}

/** The changes of one transaction, collected while `attemptEnded` processes the results in their order. */
interface Changes {
  subscriptions: Map<number, SubscriptionState>;
  deliveries: (RowKey & { subscriptionId: number; isFirst: boolean; state: DeliveryState; endedAt: Date })[];
  disabled: Set<number>;
  replaysCancelled: Set<number>;
  notices: { claimed: Claimed; kind: NoticeKind; failureCount: number }[];
}

export async function recordResults(
  app: Webhooks,
  results: AttemptResult[],
  { retryWaitsMs, refill = [] }: RecordOptions,
): Promise<Recorded> {
  const keys = subscriptionsOf(results);
  const { changes, released, refilled } = await app.db.unit(0, async (em) => {
    const [subscriptions, held] = await Promise.all([lockSubscriptions(em, keys), lockDeliveries(em, results)]);
    const changes = decide(results, { subscriptions, held, retryWaitsMs });
    const now = app.db.clock.now();
    const [released] = await Promise.all([
      writeDeliveries(em, changes.deliveries),
      writeAttempts(em, results),
      writeSubscriptions(em, results, { keys, states: changes.subscriptions }),
    ]);
    await skipPending(em, [...changes.disabled], now);
    const cancelled = keys.filter(({ id }) => changes.replaysCancelled.has(id));
    await skipReplays(em, cancelled, now);
    await writeNotices(em, changes.notices, now);
    return { changes, released, refilled: refill.length > 0 ? await claimFor(app, em, refill) : undefined };
  });
  const states = changes.deliveries.map(({ state }) => state.state).filter((state) => state !== 'pending');
  app.metrics.note(outcomesOf(results), states);
  app.announce({ attempts: attemptsOf(results), subscriptions: keys.filter(({ id }) => changes.disabled.has(id)) });
  const nowMs = app.db.clock.now().getTime();
  const retried = changes.deliveries.filter(({ state }) => state.state === 'pending' && state.dueAtMs <= nowMs);
  const due = [...released, ...retried.map(({ subscriptionId }) => subscriptionId)];
  return { due: due.some((id) => !refilled?.left.has(id)), refilled };
}

const outcomesOf = (results: AttemptResult[]) => results.map(({ outcome }) => outcome);
const attemptsOf = (results: AttemptResult[]): RowKey[] =>
  results.map(({ claimed: { storeId, attemptId } }) => ({ storeId, id: attemptId }));
const deliveriesOf = (results: AttemptResult[]): RowKey[] =>
  results.map(({ claimed: { storeId, deliveryId } }) => ({ storeId, id: deliveryId }));

/** Each once. */
function subscriptionsOf(results: AttemptResult[]): RowKey[] {
  const keys = results.map(({ claimed: { storeId, subscriptionId } }) => ({ storeId, id: subscriptionId }));
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

async function lockSubscriptions(em: EntityManager, keys: RowKey[]): Promise<Map<number, SubscriptionState>> {
  const rows = await sql<SubscriptionState & { id: number }>(
    em,
    `select s.id, s.active, s.failure_count as "failureCount", s.replay_failures as "replayFailures", s.deleted_at is not null as deleted,
       (extract(epoch from s.disabled_at) * 1000)::float8 as "disabledAtMs",
       (extract(epoch from s.key_revoked_at) * 1000)::float8 as "keyRevokedAtMs",
       (extract(epoch from s.key_expires_at) * 1000)::float8 as "keyExpiresAtMs"
     from unnest($1::bigint[], $2::bigint[]) as x(store_id, id)
     join webhooks.subscriptions s on s.store_id = x.store_id and s.id = x.id order by s.id for no key update of s`,
    keyValues(keys),
  );
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

interface HeldDelivery {
  delivery: DeliveryState;
  /** Its first attempt ends: later events of the record wait for it. */
  isFirst: boolean;
}

/** Only deliveries whose lease this process still holds. */
async function lockDeliveries(em: EntityManager, results: AttemptResult[]): Promise<Map<number, HeldDelivery>> {
  const rows = await sql<DeliveryState & { id: number; isFirst: boolean }>(
    em,
    `select d.id, d.first_pending as "isFirst", d.state, d.attempts, d.manual, (extract(epoch from d.due_at) * 1000)::float8 as "dueAtMs"
     from unnest($1::bigint[], $2::bigint[], $3::uuid[]) as x(store_id, id, token)
     join webhooks.deliveries d on d.store_id = x.store_id and d.id = x.id and d.lease_token = x.token
     where d.state = 'leased' order by d.id for update of d`,
    [...keyValues(deliveriesOf(results)), results.map(({ claimed }) => claimed.leaseToken)],
  );
  return new Map(rows.map(({ id, isFirst, ...delivery }) => [id, { delivery, isFirst }]));
}

interface Locked {
  subscriptions: Map<number, SubscriptionState>;
  held: Map<number, HeldDelivery>;
  retryWaitsMs: readonly number[];
}

function decide(results: AttemptResult[], { subscriptions, held, retryWaitsMs }: Locked): Changes {
  const changes: Changes = { subscriptions, deliveries: [], disabled: new Set(), replaysCancelled: new Set(), notices: [] };
  for (const { claimed, outcome, endedAt } of results) {
    const { storeId, deliveryId: id, subscriptionId } = claimed;
    const locked = held.get(id);
    const subscription = subscriptions.get(subscriptionId);
    if (!locked || !subscription) continue;
    const { delivery, isFirst } = locked;
    const { state, effects } = attemptEnded({ delivery, subscription }, outcome, endedAt.getTime(), retryWaitsMs);
    subscriptions.set(subscriptionId, state.subscription);
    changes.deliveries.push({ storeId, id, subscriptionId, isFirst, state: state.delivery, endedAt });
    for (const effect of effects) {
      if (effect.kind === 'cancel_pending') changes.disabled.add(subscriptionId);
      if (effect.kind === 'cancel_replays') changes.replaysCancelled.add(subscriptionId);
      if (effect.kind === 'notice') changes.notices.push({ claimed, kind: effect.notice, failureCount: effect.failureCount });
    }
  }
  return changes;
}

async function writeAttempts(em: EntityManager, results: AttemptResult[]): Promise<void> {
  await sql(
    em,
    `update webhooks.attempts a set response_status = x.status, duration_ms = x.duration_ms, success = x.success,
       outcome = x.outcome, ended_at = x.ended_at
     from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::boolean[], $6::text[], $7::timestamptz[])
       as x(store_id, id, status, duration_ms, success, outcome, ended_at)
     where a.store_id = x.store_id and a.id = x.id`,
    [
      ...keyValues(attemptsOf(results)),
      results.map(({ outcome }) => (outcome.kind === 'response' ? outcome.status : 0)),
      results.map(({ outcome }) => Math.round(outcome.durationMs)),
      results.map(({ outcome }) => isSuccess(outcome)),
      results.map(({ outcome }) => (outcome.kind === 'response' ? 'response' : outcome.reason)),
      results.map(({ endedAt }) => endedAt),
    ],
  );
}

/** last_triggered_at is the time of the latest attempt, whatever its outcome (D133). */
async function writeSubscriptions(
  em: EntityManager,
  results: AttemptResult[],
  { keys, states }: { keys: RowKey[]; states: Changes['subscriptions'] },
): Promise<void> {
  const triggered = new Map(results.map(({ claimed, endedAt }) => [claimed.subscriptionId, endedAt]));
  const locked = keys.flatMap((key) => (states.has(key.id) ? { ...key, state: states.get(key.id)! } : []));
  await sql(
    em,
    `update webhooks.subscriptions s set active = x.active, failure_count = x.failure_count, replay_failures = x.replay_failures,
       disabled_at = x.disabled_at, last_triggered_at = greatest(s.last_triggered_at, x.triggered_at)
     from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::int[], $5::int[], $6::timestamptz[], $7::timestamptz[])
       as x(store_id, id, active, failure_count, replay_failures, disabled_at, triggered_at)
     where s.store_id = x.store_id and s.id = x.id`,
    [
      ...keyValues(locked),
      locked.map(({ state }) => state.active),
      locked.map(({ state }) => state.failureCount),
      locked.map(({ state }) => state.replayFailures),
      locked.map(({ state }) => (state.disabledAtMs === null ? null : new Date(state.disabledAtMs))),
      locked.map(({ id }) => triggered.get(id)!),
    ],
  );
}

/** The end of a first attempt releases the next event of its record (D141). Returns the subscriptions of what was released. */
async function writeDeliveries(em: EntityManager, deliveries: Changes['deliveries']): Promise<number[]> {
  const released = await sql<{ subscription_id: number }>(
    em,
    `with ended as (
       update webhooks.deliveries d set state = x.state, attempts = x.attempts, due_at = x.due_at, first_pending = false,
         lease_until = null, lease_token = null, ended_at = case when x.state = 'pending' then null else x.ended_at end
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::boolean[])
         as x(store_id, id, state, attempts, due_at, ended_at, is_first)
       where d.store_id = x.store_id and d.id = x.id returning d.store_id, d.subscription_id, d.record, x.is_first
     )
     ${releaseNext('(select * from ended where is_first)')} returning d.subscription_id`,
    [
      ...keyValues(deliveries),
      deliveries.map(({ state }) => state.state),
      deliveries.map(({ state }) => state.attempts),
      deliveries.map(({ state }) => new Date(state.dueAtMs)),
      deliveries.map(({ endedAt }) => endedAt),
      deliveries.map(({ isFirst }) => isFirst),
    ],
  );
  return released.map((row) => row.subscription_id);
}

async function writeNotices(em: EntityManager, notices: Changes['notices'], now: Date): Promise<void> {
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
