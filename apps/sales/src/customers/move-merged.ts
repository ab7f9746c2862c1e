/** A merged customer's sales and gift cards go over to the customer that it is now. Repeated, it finds nothing more. */
import { type EntityManager, sql } from '@store/db';
import { mergedInto } from './customer-copy.ts';

/** The copy is written before: a sale under way that names the customer is committed by then, or is refused. */
export async function moveMerged(em: EntityManager, storeId: number, id: number, now: Date): Promise<void> {
  // The customer that it was merged into may have been merged before this event arrived.
  const kept = await keptOf(em, storeId, id);
  if (kept === id) return;
  for (const table of ['sales', 'gift_cards']) {
    await sql(em, `update sales.${table} set customer_id = $3, updated_at = $4 where store_id = $1 and customer_id = $2`, [
      storeId,
      id,
      kept,
      now,
    ]);
  }
}

async function keptOf(em: EntityManager, storeId: number, id: number): Promise<number> {
  const [copy] = await sql<{ merged_into: number | null }>(em, mergedInto, [storeId, id]);
  return copy?.merged_into ? keptOf(em, storeId, copy.merged_into) : id;
}
