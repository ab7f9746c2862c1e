/**
 * Card numbers are money, so they may not be guessed (D265): a key or a member of staff has 30 failed look-ups a minute, the cards of
 * refused sales included; then every look-up is a 429, also of a card that exists. The counts are in PostgreSQL, so that all
 * processes share them.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { sql, storeIdColumn, timeColumn } from '@store/db';
import { Problem, rateLimited } from '@store/problem';
import type { Call } from '@store/rpc';
import { actorOf } from '@store/service';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';

/** One row for each that ever missed: of the last minute in which that happened. */
export const CardMiss = defineEntity({
  name: 'CardMiss',
  tableName: 'card_misses',
  properties: {
    storeId: storeIdColumn().primary(),
    /** Who looked, such as key:12 or user:3. */
    actor: p.text().primary(),
    minute: timeColumn(),
    misses: p.integer(),
  },
});

export const missesMax = 30;
const minuteMs = 60_000;

/** Refusals because no card has the number. */
const misses = new WeakSet<Problem>();

/** Marks the refusal as a miss, for `guarded`. */
export function missed(refusal: Problem): Problem {
  misses.add(refusal);
  return refusal;
}

/** Runs what looks cards up by number, unless its caller has missed too often. */
export async function guarded<T>(app: Pick<Sales, 'db'>, call: Call, look: () => Promise<T>): Promise<T> {
  const now = app.db.clock.now();
  const minute = new Date(now.getTime() - (now.getTime() % minuteMs));
  const of = { store_id: call.caller.storeId, actor: actorOf(call.caller), minute };
  const tooMany = () => rateLimited({ limit: missesMax, now, until: new Date(minute.getTime() + minuteMs) });
  const own = tables.selectFrom('card_misses').select('misses').where('store_id', '=', of.store_id).where('actor', '=', of.actor);
  const [counted] = await app.db.read(own.where('minute', '=', minute));
  if ((counted?.misses ?? 0) >= missesMax) throw tooMany();
  try {
    return await look();
  } catch (error) {
    if (error instanceof Problem && misses.has(error) && !(await count(app, of))) throw tooMany();
    throw error;
  }
}

/** False when the minute's misses were used up meanwhile. */
async function count({ db }: Pick<Sales, 'db'>, of: { store_id: number; actor: string; minute: Date }): Promise<boolean> {
  const counted = tables
    .insertInto('card_misses')
    .values({ ...of, misses: 1 })
    .onConflict((miss) =>
      miss
        .columns(['store_id', 'actor'])
        .doUpdateSet((set) => ({
          minute: of.minute,
          misses: set
            .case()
            .when('card_misses.minute', '=', of.minute)
            .then(set('card_misses.misses', '+', 1))
            .else(1)
            .end(),
        }))
        .where((set) => set.or([set('card_misses.minute', '<>', of.minute), set('card_misses.misses', '<', missesMax)])),
    )
    .returning('misses');
  return (await db.unit(of.store_id, (em) => sql(em, counted))).length > 0;
}
