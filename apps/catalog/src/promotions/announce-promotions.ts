/**
 * A promotion starts and ends by the clock, without a write. effective_price follows at once; this emits product.updated for
 * the products whose price changed, for pollers and subscribers.
 */
import { type Row, sql } from '@store/db';
import { storeCaller } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { promotedProducts } from './promotion.query.ts';
import type { Promotion } from './promotion.ts';

const running = '((starts_at is null or starts_at <= $1) and (ends_at is null or ends_at > $1))';

/** By indexes over the promotions of all stores: those that are over, and those that run as announced, are not looked at. */
const due = `
  select id, store_id from catalog.promotions
    where not announced_running and coalesce(ends_at, 'infinity') > $1 and (starts_at is null or starts_at <= $1)
  union all
  select id, store_id from catalog.promotions where announced_running and ends_at <= $1
  union all
  select id, store_id from catalog.promotions where announced_running and starts_at > $1 and coalesce(ends_at, 'infinity') > $1
  order by id`;

/** Announces each promotion that started or ended since it was last announced; one that fails does not stop the others. */
export async function announcePromotions(app: Catalog): Promise<void> {
  const found = await app.db.read<Pick<Row<typeof Promotion>, 'id' | 'store_id'>>(due, [app.db.clock.now()]);
  const failures: unknown[] = [];
  for (const { id, store_id } of found) {
    await announcePromotion(app, store_id, id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${found.length} promotions could not be announced`);
}

async function announcePromotion(app: Catalog, storeId: number, id: number): Promise<void> {
  // A transaction that was linking a product may have emitted the old price: it ends first, and its product is found.
  await app.db.unit(storeId, (em) => holdLinks(em, storeId, 'alone'));
  await app.db.unit(storeId, async (em) => {
    // Another process may have announced it meanwhile.
    const announced = await sql(
      em,
      `update catalog.promotions set announced_running = not announced_running
       where store_id = $2 and id = $3 and announced_running <> ${running} returning id`,
      [app.db.clock.now(), storeId, id],
    );
    if (announced.length === 0) return;
    await touchProducts(em, app, await storeCaller(em, 'catalog', storeId), await promotedProducts(em, storeId, id));
  });
}

export const promotionsTimer = { name: 'promotions', everyMs: 5_000, work: announcePromotions };
