/** A store whose tiers changed: its customers are ranked again in the background, from the lowest id up (D223). */
import { defineEntity, p } from '@mikro-orm/core';
import { type EntityManager, sql } from '@store/db';

export const TierChange = defineEntity({
  name: 'TierChange',
  tableName: 'tier_changes',
  properties: {
    storeId: p.bigint('number').primary().autoincrement(false),
    /** Customers up to this id are ranked already. */
    rankedTo: p.bigint('number'),
  },
});

/** In the transaction that changes a tier; a ranking in progress starts over. */
export async function rankAnew(em: EntityManager, storeId: number): Promise<void> {
  await sql(
    em,
    `insert into customers.tier_changes (store_id, ranked_to) values ($1, 0)
     on conflict (store_id) do update set ranked_to = 0`,
    [storeId],
  );
}
