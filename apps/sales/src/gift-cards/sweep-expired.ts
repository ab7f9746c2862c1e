/** The daily sweep: at 03:00 store time every card whose expiry has passed is marked, looked up or not (D117). */
import { DateTime } from 'luxon';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import { expireCards } from './expire-cards.ts';

const sweepEveryMs = 5 * 60_000;
const sweepHour = 3;
const batchMax = 500;

/** The last 03:00 of the time zone that is not after `now`. */
export function lastSweepTime(now: Date, timeZone: string): Date {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const today = local.startOf('day').set({ hour: sweepHour });
  return (today <= local ? today : local.minus({ days: 1 }).startOf('day').set({ hour: sweepHour })).toJSDate();
}

/** By an index over the cards of all stores: the work is that of the cards that are due, however many stores there are. */
const storesWithExpiredCards = `
  select id, time_zone from sales.stores
  where id in (select store_id from sales.gift_cards where status = 'active' and expires_at <= $1) order by id`;

/**
 * Marks what had expired by each store's last 03:00: run often, it does its work at the first run after that time, also
 * when no process ran at the time itself.
 */
export async function sweepExpired(app: Sales): Promise<void> {
  const now = app.db.clock.now();
  const stores = await app.db.read<{ id: number; time_zone: string }>(storesWithExpiredCards, [now]);
  const failures: unknown[] = [];
  for (const { id: storeId, time_zone } of stores) {
    const due = tables
      .selectFrom('gift_cards')
      .select('id')
      .where('store_id', '=', storeId)
      .where('status', '=', 'active')
      .where('expires_at', '<=', lastSweepTime(now, time_zone))
      .orderBy('id')
      .limit(batchMax);
    try {
      for (let last = batchMax; last === batchMax; ) {
        const ids = (await app.db.read(due)).map(({ id }) => id);
        last = ids.length;
        if (last > 0) await expireCards(app, { storeId, ids });
      }
    } catch (error) {
      // One failing store does not stop the others; the timer logs the error thrown at the end.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `Cards of ${failures.length} stores could not be marked as expired`);
}

export const expiredCardsTimer = { name: 'expired gift cards', everyMs: sweepEveryMs, work: sweepExpired };
