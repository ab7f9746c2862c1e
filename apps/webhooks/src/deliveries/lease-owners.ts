/**
 * Tracks which process owns which leases. Each process holds a lock on its number as long as its session exists, and
 * PostgreSQL ends the session with the process, so the leases of a dead process need not expire. A paused
 * process keeps its session and its leases (docs/decisions/0043).
 */
import { randomInt } from 'node:crypto';
import type { Db, Row } from '@store/db';
import type { Delivery } from './delivery.ts';

/** Class of two-part advisory locks; nothing else here uses one. */
export const ownersLock = 1_776;
/** Longer than a process needs to reconnect to a restarted PostgreSQL, which has lost every lock. */
export const deadAfterMs = 5_000;

export class LeaseOwners {
  /** This process's number. */
  readonly own = randomInt(1, 2 ** 31 - 1);
  #isHeld = false;
  readonly #db: Pick<Db, 'read'>;
  readonly #deadAfterMs: number;
  readonly #goneSinceMs = new Map<number, number>();

  constructor(db: Pick<Db, 'read'>, options: { deadAfterMs: number } = { deadAfterMs }) {
    this.#db = db;
    this.#deadAfterMs = options.deadAfterMs;
  }

  /**
   * Whether this process holds the lock on its number. Without it other processes release its leases: it would claim the
   * same delivery repeatedly, and POST it each time.
   */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The lock was acquired, or lost with its session. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** Other processes that hold leases and had no session at any check during that time. */
  async dead(): Promise<number[]> {
    const rows = await this.#db.read<{ owner: NonNullable<Row<typeof Delivery>['lease_owner']> }>(
      'lease-owners-gone',
      `select distinct d.lease_owner as owner from webhooks.deliveries d
       where d.state = 'leased' and d.lease_owner <> $1 and d.lease_owner not in (
         select l.objid::int from pg_locks l join pg_database b on b.oid = l.database
         where b.datname = current_database() and l.locktype = 'advisory' and l.classid = $2 and l.objsubid = 2 and l.granted)`,
      [this.own, ownersLock],
    );
    const nowMs = performance.now();
    const gone = new Set(rows.map(({ owner }) => owner));
    for (const owner of this.#goneSinceMs.keys()) if (!gone.has(owner)) this.#goneSinceMs.delete(owner);
    for (const owner of gone) if (!this.#goneSinceMs.has(owner)) this.#goneSinceMs.set(owner, nowMs);
    return [...gone].filter((owner) => nowMs - this.#goneSinceMs.get(owner)! >= this.#deadAfterMs);
  }
}
