/**
 * Claims due deliveries: under a lease, as many as `Room` has places for, and the attempt's row written before its POST. Everything that
 * decides whether a POST may start is read under the subscription's lock in this transaction, so that
 * none starts after a revocation was answered (D189). Text: locks, lateral joins and changes in one statement.
 */
import { afterCommit, afterRollback, type EntityManager, type Row, sql, sqlOne } from '@store/db';
import type { LoggedEvent } from '../events/event.ts';
import { skipPending } from '../keys/revoke-key.ts';
import { deliverable } from '../subscriptions/deliverable.ts';
import { openSecrets, type SealedSecret, type Signers } from '../subscriptions/secrets.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Webhooks } from '../webhooks.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryAttempt } from './delivery-attempt.ts';
import { endWithoutEvent } from './end-without-event.ts';
import type { Candidate, Place, Taken } from './room.ts';

/** Per subscription: a slow endpoint delays only itself. */
export const inFlightMax = 10;
/** Longer than any attempt (5 s to connect, 10 s to respond); renewed while the result is recorded late. */
export const leaseMs = 30_000;
/** Subscriptions examined in one claim; the next claim continues after them. */
const subscriptionsMax = 500;
/** A process that stops in mid-transaction must not hold its locks longer. */
const idleInTransactionMs = 5_000;

export interface Claimed {
  deliveryId: number;
  attemptId: number;
  leaseToken: string;
  subscriptionId: number;
  storeId: number;
  url: string;
  event: string;
  /** X-Service-Delivery: the payload's id. */
  eventId: string;
  sequence: number;
  /** X-Service-Attempt. */
  number: number;
  body: Buffer;
  /** X-Service-Request: id of the request that caused the event. */
  requestId: string | null;
  /** The delivery's own secret first, then the others in force during a rotation. */
  signers: Signers;
  place: Place;
}

export interface Claims {
  claimed: Claimed[];
  /** More may be due, or another process was claiming: claim again soon. */
  again: boolean;
  /** Of each subscription that was asked for what is due: what keeps back the rest. */
  left: Taken['left'];
}

type LockedSubscription = Pick<Row<typeof Subscription>, 'id' | 'url' | 'store_id'> & {
  deliverable: boolean;
  free: number;
  /** Null: it has none. */
  secrets: SealedSecret[] | null;
};

type TakenDelivery = Pick<Row<typeof Delivery>, 'id' | 'subscription_id' | 'store_id' | 'sequence' | 'secret_version'> &
  Pick<Row<typeof LoggedEvent>, 'event_id' | 'request_id'> &
  Pick<Row<typeof DeliveryAttempt>, 'event' | 'number'> & { attempt_id: number; lease_token: string; body: Buffer };

/** The log no longer has the delivery's event: there is nothing to send. */
type TakenWithoutEvent = TakenDelivery | (Omit<TakenDelivery, 'attempt_id'> & { attempt_id: null });

function isWhole(row: TakenWithoutEvent): row is TakenDelivery {
  return row.attempt_id !== null;
}

/** Claims what is due; `cursor` is that of the previous claim. */
export async function claim(app: Webhooks, cursor: number): Promise<Claims & { cursor: number }> {
  return app.db.unit(0, async (em) => {
    if (!(await mayClaim(em))) return { claimed: [], again: true, cursor, left: new Map() };
    const now = app.db.clock.now();
    const waiting = await subscriptionsDue(em, now, cursor);
    const due = new Map(waiting.map((row) => [row.id, row]));
    const more = waiting.length === subscriptionsMax;
    const claims = await claimFor(app, em, { locked: due.size > 0 ? await lockSubscriptions(em, [...due.keys()], now) : [], due, now });
    return { ...claims, again: claims.again || more, cursor: more ? waiting.at(-1)!.id : 0 };
  });
}

/**
 * Claims what is due of subscriptions whose rows this transaction has locked already, to record the ends of their attempts or to
 * add deliveries: one transaction per step and not two. Undefined: another process is claiming.
 */
export async function refill(app: Webhooks, em: EntityManager, ids: number[]): Promise<Claims | undefined> {
  const now = app.db.clock.now();
  // Sent together: what is in flight is counted after the claim's lock was given, and no row is waited for.
  const [mine, locked] = await Promise.all([mayClaim(em), lockSubscriptions(em, ids, now)]);
  return mine ? claimFor(app, em, { locked, now }) : undefined;
}

/** One process claims at a time: what a subscription has in flight is counted and added to without another claim in between. */
async function mayClaim(em: EntityManager): Promise<boolean> {
  const { mine } = await sqlOne<{ mine: boolean }>(
    em,
    `select pg_try_advisory_xact_lock(hashtext('webhooks.claim')) as mine, set_config('idle_in_transaction_session_timeout', $1, true)`,
    [String(idleInTransactionMs)],
  );
  return mine;
}

/** `due`: what is due of each; without it places are taken as if all had more than enough, and given back. */
async function claimFor(
  app: Webhooks,
  em: EntityManager,
  { locked, due, now }: { locked: LockedSubscription[]; due?: Map<number, Due>; now: Date },
): Promise<Claims> {
  const silent = locked.filter((row) => row.free > 0 && !row.deliverable);
  await skipPending(
    em,
    silent.map(({ id }) => id),
    now,
  );
  const asked = locked.filter((row) => row.deliverable);
  const { places, left } = app.room.take(asked.map((row) => candidateOf(row, due?.get(row.id))));
  afterRollback(em, () => giveBack(app, places));
  const byId = new Map(asked.map((row) => [row.id, { ...row, places: places.filter(({ subscriptionId }) => subscriptionId === row.id) }]));
  const rows = await take(em, [...byId.values()], { now, owner: app.owners.own });
  const gone = rows.filter((row) => row.attempt_id === null).map(({ id }) => id);
  if (gone.length > 0) await endWithoutEvent(em, gone, now);
  const signersOf = openedOnce(app, byId, now);
  const claimed = rows.filter(isWhole).map((row) => {
    const { url, places } = byId.get(row.subscription_id)!;
    return claimedOf(row, { url, place: places.pop()!, signers: signersOf(row) });
  });
  // Nothing more is due there, another transaction has locked it meanwhile, or its event is gone.
  const unused = [...byId.values()].flatMap((row) => row.places);
  for (const { subscriptionId } of unused) left.set(subscriptionId, undefined);
  afterCommit(em, () => giveBack(app, unused));
  return { claimed, again: gone.length > 0, left };
}

function giveBack({ room }: Webhooks, places: Place[]): void {
  for (const place of places) room.end(place);
}

function candidateOf({ id, store_id: storeId, url, free }: LockedSubscription, due?: Due): Candidate {
  return { id, storeId, url, free, due: due?.due ?? inFlightMax + 1, dueSince: due?.due_since ?? null };
}

/** Of a subscription, how many deliveries are due (counted to one more than it may have in flight), and the first since when. */
type Due = Pick<Row<typeof Subscription>, 'id'> & { due: number; due_since: Date };

/** Those with a due delivery and room. Skips over the index of pending deliveries, however many there are. */
async function subscriptionsDue(em: EntityManager, now: Date, cursor: number): Promise<Due[]> {
  return sql<Due>(
    em,
    `with recursive waiting(id) as (
       (select subscription_id from webhooks.deliveries where state = 'pending' and not held and subscription_id > $4
        order by subscription_id limit 1)
       union all
       select (select d.subscription_id from webhooks.deliveries d
               where d.state = 'pending' and not d.held and d.subscription_id > w.id order by d.subscription_id limit 1)
       from waiting w where w.id is not null
     ), counted as (
       select w.id, ($2 - (select count(*) from webhooks.deliveries d where d.subscription_id = w.id and d.state = 'leased'))::int as free
       from waiting w where w.id is not null
     )
     select c.id, p.due, p.due_since from counted c cross join lateral (
       select count(*)::int as due, min(first.due_at) as due_since from (
         select d.due_at from webhooks.deliveries d
         where d.subscription_id = c.id and d.state = 'pending' and not d.held and d.due_at <= $1
         order by d.due_at, d.id limit ${inFlightMax + 1}) first) p
     where c.free > 0 and p.due > 0 limit $3`,
    [now, inFlightMax, subscriptionsMax, cursor],
  );
}

/** Locked in id order, like everywhere else; stronger locks (a result, a revocation) are waited for. */
async function lockSubscriptions(em: EntityManager, ids: number[], now: Date): Promise<LockedSubscription[]> {
  return sql<LockedSubscription>(
    em,
    `select s.id, s.store_id, s.url, ${deliverable('s', '$2')} as deliverable,
       ($3 - (select count(*) from webhooks.deliveries d where d.subscription_id = s.id and d.state = 'leased'))::int as free,
       (select json_agg(json_build_object('version', k.version, 'sealed', k.sealed, 'retired_at', k.retired_at) order by k.version desc)
        from webhooks.subscription_secrets k where k.subscription_id = s.id) as secrets
     from webhooks.subscriptions s where s.id = any($1::bigint[]) order by s.id for share of s`,
    [ids, now, inFlightMax],
  );
}

/** As many of each subscription as it has places, those that are due longest. */
async function take(
  em: EntityManager,
  asked: (Pick<LockedSubscription, 'id'> & { places: Place[] })[],
  { now, owner }: { now: Date; owner: number },
): Promise<TakenWithoutEvent[]> {
  const placed = asked.filter(({ places }) => places.length > 0);
  if (placed.length === 0) return [];
  return sql<TakenWithoutEvent>(
    em,
    `with picked as (
       select d.id from unnest($1::bigint[], $2::int[]) as s(id, places)
       cross join lateral (
         select p.id from webhooks.deliveries p
         where p.subscription_id = s.id and p.state = 'pending' and not p.held and p.due_at <= $3
         order by p.due_at, p.id limit s.places for update skip locked) d
     ), taken as (
       update webhooks.deliveries d set state = 'leased', lease_until = $4, lease_token = gen_random_uuid(), lease_owner = $5
       from picked where d.id = picked.id
       returning d.id, d.subscription_id, d.store_id, d.sequence, d.attempts + 1 as number, d.secret_version, d.lease_token
     ), found as (
       select t.*, e.name as event, e.event_id, e.request_id, e.body from taken t
       join webhooks.events e on e.store_id = t.store_id and e.sequence = t.sequence
     ), written as (
       insert into webhooks.attempts (subscription_id, delivery_id, number, event, created_at)
       select subscription_id, id, number, event, $3 from found order by id
       returning id, delivery_id
     )
     select t.id, w.id as attempt_id, t.lease_token, t.subscription_id, t.store_id, f.event, f.event_id, f.request_id, t.sequence, t.number,
       t.secret_version, f.body
     from taken t left join found f on f.id = t.id left join written w on w.delivery_id = t.id order by t.id`,
    [placed.map(({ id }) => id), placed.map(({ places }) => places.length), now, new Date(now.getTime() + leaseMs), owner],
  );
}

/** Deliveries of one claim mostly share a secret, and it is decrypted once for them. */
function openedOnce({ keyRing }: Webhooks, open: Map<number, LockedSubscription>, now: Date): (row: TakenDelivery) => Signers {
  const opened = new Map<string, Signers>();
  return ({ store_id: storeId, subscription_id: subscriptionId, secret_version: version }) => {
    const name = `${subscriptionId}:${version}`;
    const secrets = open.get(subscriptionId)!.secrets ?? [];
    const signers = opened.get(name) ?? openSecrets(keyRing, { storeId, subscriptionId }, secrets, version, now);
    opened.set(name, signers);
    return signers;
  };
}

function claimedOf(row: TakenDelivery, receiver: Pick<Claimed, 'url' | 'place' | 'signers'>): Claimed {
  return {
    ...receiver,
    deliveryId: row.id,
    attemptId: row.attempt_id,
    leaseToken: row.lease_token,
    subscriptionId: row.subscription_id,
    storeId: row.store_id,
    event: row.event,
    eventId: row.event_id,
    sequence: row.sequence,
    number: row.number,
    body: row.body,
    requestId: row.request_id,
  };
}
