/**
 * Claims due deliveries, as many as there are places for, and writes their attempts before their POSTs. What decides whether a POST may
 * start is read under the subscription's lock, so none starts after a revocation was answered (D189). Text: locks, lateral joins and
 * changes in one statement.
 */
import { afterCommit, afterRollback, type EntityManager, sql } from '@store/db';
import { keyValues, type RowKey } from '../row-key.ts';
import { openSecrets, type SealedSecret, type Signers } from '../secrets.ts';
import type { Webhooks } from '../webhooks.ts';
import { deliverable } from './deliverable.ts';
import { isShared, type Place, type Taken } from './post-limiter.ts';
import { skipPending, skipWithoutEvent } from './skip-deliveries.ts';
import { idleInTransactionMs, leaseMs } from './timing.ts';

/** Per subscription: a slow endpoint delays only itself. */
export const inFlightMax = 10;
/** Subscriptions examined in one claim; the next claim continues after them. */
const subscriptionsMax = 500;

/** A delivery under a lease; without its attempt where the log no longer has its event. */
interface LeasedDelivery {
  deliveryId: number;
  attemptId: number | null;
  leaseToken: string;
  subscriptionId: number;
  storeId: number;
  event: string;
  /** X-Service-Delivery: the payload's id. */
  eventId: string;
  /** X-Service-Request: id of the request that caused the event. */
  requestId: string | null;
  sequence: number;
  number: number;
  secretVersion: number;
  body: Buffer;
}

/** A delivery that this process sends now. */
export interface Claimed extends Omit<LeasedDelivery, 'attemptId' | 'secretVersion'> {
  attemptId: number;
  url: string;
  /** The delivery's own secret first, then the others in force during a rotation. */
  signers: Signers;
  place: Place;
}

export interface Claims {
  claimed: Claimed[];
  /** More may be due: claim again soon. */
  again: boolean;
  /** For each subscription that was asked: the limit that keeps back what is still due. */
  left: Taken['left'];
}

export interface Asked extends RowKey {
  /** How many are due, counted to one more than it may have in flight. */
  due?: number;
  /** Since when the first is due. */
  dueSince?: Date;
}

interface LockedSubscription extends RowKey {
  url: string;
  deliverable: boolean;
  /** How many more it may have in flight. */
  free: number;
  secrets: SealedSecret[] | null;
}

/** Claims what is due of all subscriptions; `cursor` is that of the previous claim. Without `claims`, another process is claiming. */
export async function claimDue(app: Webhooks, cursor: number): Promise<{ claims?: Claims; cursor: number }> {
  return app.db.unit(0, async (em) => {
    if (!(await mayClaim(em))) return { cursor };
    const due = await subscriptionsDue(em, app.db.clock.now(), cursor);
    const more = due.length === subscriptionsMax;
    const claims = await claimFor(app, em, due);
    return { ...(claims && { claims: { ...claims, again: claims.again || more } }), cursor: more ? due.at(-1)!.id : 0 };
  });
}

/**
 * Claims what is due of these subscriptions, in the transaction of `em`, which may have locked them. Undefined: another process is
 * claiming.
 */
export async function claimFor(app: Webhooks, em: EntityManager, asked: Asked[]): Promise<Claims | undefined> {
  if (asked.length === 0) return { claimed: [], again: false, left: new Map() };
  const now = app.db.clock.now();
  // Sent together: what is in flight is counted after the claim's lock was given.
  const [mine, locked] = await Promise.all([mayClaim(em), lockSubscriptions(em, asked, now)]);
  if (!mine) return undefined;
  const silent = locked.filter((row) => row.free > 0 && !row.deliverable);
  await skipPending(em, idsOf(silent), now);
  const open = new Map(locked.filter((row) => row.deliverable).map((row) => [row.id, row]));
  const dueOf = new Map(asked.map((one) => [one.id, one]));
  const { places, left } = app.limiter.take(
    [...open.values()].map((row) => ({ ...row, due: inFlightMax + 1, dueSince: null, ...dueOf.get(row.id) })),
  );
  afterRollback(em, () => giveBack(app, places));
  const placesOf = Map.groupBy(places, ({ subscriptionId }) => subscriptionId);
  const leased = await lease(em, placesOf, { now, owner: app.owners.own });
  const gone = leased.filter((row) => !hasEvent(row)).map(({ storeId, deliveryId }) => ({ storeId, id: deliveryId }));
  await skipWithoutEvent(em, gone, now);
  // Decrypting costs more than signing, and deliveries of one claim mostly share a secret.
  const opened = new Map<string, Signers>();
  const claimed = leased.filter(hasEvent).map((row) => {
    const { url, secrets } = open.get(row.subscriptionId)!;
    const secret = `${row.subscriptionId}:${row.secretVersion}`;
    const signers = opened.get(secret) ?? openSecrets(app.keyRing, row, secrets ?? [], row.secretVersion, now);
    opened.set(secret, signers);
    return { ...row, url, signers, place: placesOf.get(row.subscriptionId)!.pop()! };
  });
  // Nothing more is due there, another transaction has locked it meanwhile, or its event is gone.
  const unused = [...placesOf.values()].flat();
  for (const { subscriptionId } of unused) left.set(subscriptionId, undefined);
  afterCommit(em, () => giveBack(app, unused));
  // What is given back may be what another subscription had to do without.
  const again = gone.length > 0 || (unused.length > 0 && [...left.values()].some(isShared));
  return { claimed, again, left };
}

const idsOf = (rows: RowKey[]): number[] => rows.map(({ id }) => id);

const hasEvent = (row: LeasedDelivery): row is LeasedDelivery & { attemptId: number } => row.attemptId !== null;

function giveBack({ limiter }: Webhooks, places: Place[]): void {
  for (const place of places) limiter.end(place);
}

/** One process claims at a time: what a subscription has in flight is counted and added to without another claim in between. */
async function mayClaim(em: EntityManager): Promise<boolean> {
  const [row] = await sql<{ mine: boolean }>(
    em,
    `select pg_try_advisory_xact_lock(hashtext('webhooks.claim')) as mine, set_config('idle_in_transaction_session_timeout', $1, true)`,
    [String(idleInTransactionMs)],
  );
  return row!.mine;
}

/** Those with a due delivery and free slots. Skips over the index of pending deliveries, however many there are. */
async function subscriptionsDue(em: EntityManager, now: Date, cursor: number): Promise<Required<Asked>[]> {
  return sql<Required<Asked>>(
    em,
    `with recursive waiting(store_id, id) as (
       (select d.store_id, d.subscription_id from webhooks.deliveries d where d.state = 'pending' and not d.held and d.subscription_id > $4
        order by d.subscription_id limit 1)
       union all
       select next.* from waiting w cross join lateral (
         select d.store_id, d.subscription_id from webhooks.deliveries d
         where d.state = 'pending' and not d.held and d.subscription_id > w.id order by d.subscription_id limit 1) next
     ), counted as (
       select w.*, ($2 - (select count(*) from webhooks.deliveries d where d.subscription_id = w.id and d.state = 'leased'))::int as free
       from waiting w
     )
     select c.store_id as "storeId", c.id, p.due, p.due_since as "dueSince" from counted c cross join lateral (
       select count(*)::int as due, min(first.due_at) as due_since from (
         select d.due_at from webhooks.deliveries d
         where d.subscription_id = c.id and d.state = 'pending' and not d.held and d.due_at <= $1
         order by d.due_at, d.id limit ${inFlightMax + 1}) first) p
     where c.free > 0 and p.due > 0 limit $3`,
    [now, inFlightMax, subscriptionsMax, cursor],
  );
}

/** Locked in id order, like everywhere else; stronger locks (a result, a revocation) are waited for. */
async function lockSubscriptions(em: EntityManager, asked: Asked[], now: Date): Promise<LockedSubscription[]> {
  return sql<LockedSubscription>(
    em,
    `select s.id, s.store_id as "storeId", s.url, ${deliverable('s', '$3')} as deliverable,
       ($4 - (select count(*) from webhooks.deliveries d
              where d.store_id = s.store_id and d.subscription_id = s.id and d.state = 'leased'))::int as free,
       (select json_agg(json_build_object('version', k.version, 'sealed', k.sealed, 'retired_at', k.retired_at) order by k.version desc)
        from webhooks.subscription_secrets k where k.store_id = s.store_id and k.subscription_id = s.id) as secrets
     from unnest($1::bigint[], $2::bigint[]) as x(store_id, id)
     join webhooks.subscriptions s on s.store_id = x.store_id and s.id = x.id order by s.id for share of s`,
    [...keyValues(asked), now, inFlightMax],
  );
}

/** As many of each subscription as it has places, those that are due longest. */
async function lease(
  em: EntityManager,
  placesOf: ReadonlyMap<number, Place[]>,
  { now, owner }: { now: Date; owner: number },
): Promise<LeasedDelivery[]> {
  if (placesOf.size === 0) return [];
  const asked = [...placesOf].map(([id, places]) => ({ id, storeId: places[0]!.storeId, places: places.length }));
  return sql<LeasedDelivery>(
    em,
    `with picked as (
       select d.*, gen_random_uuid() as token from unnest($1::bigint[], $2::bigint[], $3::int[]) as s(store_id, id, places)
       cross join lateral (
         select p.store_id, p.id from webhooks.deliveries p
         where p.store_id = s.store_id and p.subscription_id = s.id and p.state = 'pending' and not p.held and p.due_at <= $4
         order by p.due_at, p.id limit s.places for update skip locked) d
     ), taken as (
       update webhooks.deliveries d set state = 'leased', lease_until = $5, lease_token = picked.token, lease_owner = $6
       from picked where d.store_id = picked.store_id and d.id = picked.id
       returning d.id, d.subscription_id, d.store_id, d.sequence, d.attempts + 1 as number, d.secret_version, d.lease_token
     ), found as (
       select t.store_id, t.id, t.subscription_id, t.number, e.name as event, e.event_id, e.request_id, e.body from taken t
       join webhooks.events e on e.store_id = t.store_id and e.sequence = t.sequence
     ), written as (
       insert into webhooks.attempts (store_id, subscription_id, delivery_id, number, event, created_at)
       select store_id, subscription_id, id, number, event, $4 from found order by id
       returning id, delivery_id
     )
     select t.id as "deliveryId", w.id as "attemptId", t.lease_token as "leaseToken", t.subscription_id as "subscriptionId",
       t.store_id as "storeId", f.event, f.event_id as "eventId", f.request_id as "requestId", t.sequence, t.number,
       t.secret_version as "secretVersion", f.body
     from taken t left join found f on f.id = t.id left join written w on w.delivery_id = t.id order by t.id`,
    [...keyValues(asked), asked.map(({ places }) => places), now, new Date(now.getTime() + leaseMs), owner],
  );
}
