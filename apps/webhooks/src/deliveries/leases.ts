/**
 * Leases of claimed deliveries. Each process holds a lock on its number as long as its session exists, so the leases of a dead process
 * need not expire; a paused process keeps them (docs/decisions/0043). Text: locked in the order of ids.
 */
import { randomInt } from 'node:crypto';
import { type Db, type EntityManager, sql } from '@store/db';
import { keyValues, type RowKey } from '../row-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { deliverable } from './deliverable.ts';
import { releaseNext } from './skip-deliveries.ts';
import { deadAfterMs, leaseMs } from './timing.ts';

/** Class of two-part advisory locks; nothing else here uses one. */
export const ownersLock = 1_776;
/** Leases that one sweep releases. */
const batchMax = 1_000;

export class LeaseOwners {
  readonly own = randomInt(1, 2 ** 31 - 1);
  #isHeld = false;
  readonly #db: Pick<Db, 'read'>;
  readonly #deadAfterMs: number;
  readonly #goneSinceMs = new Map<number, number>();

  constructor(db: Pick<Db, 'read'>, options: { deadAfterMs: number } = { deadAfterMs }) {
    this.#db = db;
    this.#deadAfterMs = options.deadAfterMs;
  }

  /** Without the lock other processes release its leases: it would claim and POST the same delivery repeatedly. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** Other processes that hold leases and had no session at any check during that time. */
  async dead(): Promise<number[]> {
    const leased = await this.#db.read<{ owner: number }>(
      `select distinct d.lease_owner as owner from webhooks.deliveries d where d.state = 'leased' and d.lease_owner <> $1`,
      [this.own],
    );
    // After the leases: whoever took one had its lock before. Apart from them, as on Citus the table is on another server than the locks.
    const holders = await this.#db.read<{ owner: number }>(
      `select l.objid::int as owner from pg_locks l join pg_database b on b.oid = l.database
       where b.datname = current_database() and l.locktype = 'advisory' and l.classid = $1 and l.objsubid = 2 and l.granted`,
      [ownersLock],
    );
    const nowMs = performance.now();
    const alive = new Set(holders.map(({ owner }) => owner));
    const gone = new Set(leased.map(({ owner }) => owner).filter((owner) => !alive.has(owner)));
    for (const owner of this.#goneSinceMs.keys()) if (!gone.has(owner)) this.#goneSinceMs.delete(owner);
    for (const owner of gone) if (!this.#goneSinceMs.has(owner)) this.#goneSinceMs.set(owner, nowMs);
    return [...gone].filter((owner) => nowMs - this.#goneSinceMs.get(owner)! >= this.#deadAfterMs);
  }
}

/** Renews leases of attempts that are under way or whose results are recorded late. */
export async function renewLeases(db: Db, tokens: string[]): Promise<void> {
  const until = new Date(db.clock.now().getTime() + leaseMs);
  await db.unit(0, (em) =>
    sql(
      em,
      `with own as (
         select store_id, id from webhooks.deliveries where state = 'leased' and lease_token = any($1::uuid[]) order by id for update
       )
       update webhooks.deliveries d set lease_until = $2 from own where d.store_id = own.store_id and d.id = own.id`,
      [tokens, until],
    ),
  );
}

/**
 * Releases leases that expired or whose process is dead: their deliveries are due at once. The attempt is logged as lost and spends none
 * of the five (D150). A delivery of a disabled subscription ends as skipped (D152).
 */
export async function releaseLost(app: Webhooks): Promise<void> {
  const now = app.db.clock.now();
  const dead = await app.owners.dead();
  await app.db.unit(0, async (em) => {
    const lost = await sql<LostDelivery>(
      em,
      `select store_id as "storeId", id, subscription_id as "subscriptionId" from webhooks.deliveries
       where state = 'leased' and (lease_until <= $1 or lease_owner = any($2::int[])) order by lease_until limit $3`,
      [now, dead, batchMax],
    );
    if (lost.length > 0) await release(em, { lost, dead, now });
  });
}

interface LostDelivery extends RowKey {
  subscriptionId: number;
}

/** Locked first, as in a claim: one that is disabled meanwhile would keep a delivery that resumes when it is enabled. */
async function release(em: EntityManager, { lost, dead, now }: { lost: LostDelivery[]; dead: number[]; now: Date }): Promise<void> {
  const subscriptions = new Map(lost.map(({ storeId, subscriptionId: id }) => [id, { storeId, id }]));
  const locked = await sql<{ id: number; deliverable: boolean }>(
    em,
    `select s.id, ${deliverable('s', '$3')} as deliverable
     from unnest($1::bigint[], $2::bigint[]) as x(store_id, id)
     join webhooks.subscriptions s on s.store_id = x.store_id and s.id = x.id order by s.id for share of s`,
    [...keyValues([...subscriptions.values()]), now],
  );
  await sql(
    em,
    `with expired as (
       select d.store_id, d.id, d.subscription_id, d.record, d.first_pending, s.deliverable
       from unnest($3::bigint[], $4::bigint[]) as x(store_id, id)
       join webhooks.deliveries d on d.store_id = x.store_id and d.id = x.id
       join unnest($5::bigint[], $6::boolean[]) as s(id, deliverable) on s.id = d.subscription_id
       where d.state = 'leased' and (d.lease_until <= $1 or d.lease_owner = any($2::int[]))
       order by d.id for update of d skip locked
     ), lost as (
       update webhooks.deliveries d set lease_until = null, lease_token = null, due_at = $1,
         state = case when e.deliverable then 'pending' else 'skipped' end,
         first_pending = d.first_pending and e.deliverable, ended_at = case when e.deliverable then null else $1::timestamptz end
       from expired e where d.store_id = e.store_id and d.id = e.id
     ), released as (
       ${releaseNext('(select * from expired where first_pending and not deliverable)')}
     )
     update webhooks.attempts a set outcome = 'lost', ended_at = $1,
       duration_ms = least(extract(epoch from $1 - a.created_at) * 1000, 2147483647)::int
     from expired e where a.store_id = e.store_id and a.delivery_id = e.id and a.ended_at is null`,
    [now, dead, ...keyValues(lost), locked.map(({ id }) => id), locked.map((row) => row.deliverable)],
  );
}
