import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@store/db';
import { tables } from '../tables.ts';

/** A product that was created a moment ago may not have arrived yet. */
const arrivesWithinMs = 2_000;
const lookEveryMs = 100;

/** Whether the catalogue has the product, by its events so far. */
export async function productExists(db: Db, storeId: number, id: number): Promise<boolean> {
  const known = tables.selectFrom('products').select('deleted').where('store_id', '=', storeId).where('id', '=', id);
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const [product] = await db.read(known);
    if (product || waitedMs >= arrivesWithinMs) return product !== undefined && !product.deleted;
    await wait(lookEveryMs);
  }
}
