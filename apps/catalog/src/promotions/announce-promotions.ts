/**
 * A promotion starts and ends by the clock, without a write. effective_price follows at once; this tells
 * of the products whose price changed, so that pollers and subscribers learn of it.
 */
import { sql } from '@store/db';
import type { Log } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { storeCaller } from '../stores/store-caller.ts';
import { promotedProducts } from './promotion.ts';

const announceEveryMs = 5_000;

const running = '((starts_at is null or starts_at <= $1) and (ends_at is null or ends_at > $1))';

/** Tells of every promotion that started or ended since it was last told; one that fails leaves the others told. */
export async function announcePromotions(app: Catalog): Promise<void> {
  const due = await app.db.read<{ id: string; store_id: string }>(
    'promotions_due',
    `select id, store_id from catalog.promotions where told_running <> ${running} order by id`,
    [app.db.clock.now()],
  );
  const failures: unknown[] = [];
  for (const { id, store_id } of due) {
    await tellPromotion(app, Number(store_id), Number(id)).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} promotions could not be told`);
}

async function tellPromotion(app: Catalog, storeId: number, id: number): Promise<void> {
  // Who was linking a product when the time came may have told its price of before: it ends first, and its product is found.
  await app.db.unit(storeId, (em) => holdLinks(em, storeId, 'alone'));
  await app.db.unit(storeId, async (em) => {
    // Another process may have told meanwhile.
    const told = await sql(
      em,
      `update catalog.promotions set told_running = not told_running
       where store_id = $2 and id = $3 and told_running <> ${running} returning id`,
      [app.db.clock.now(), storeId, id],
    );
    if (told.length === 0) return;
    await touchProducts(em, app, await storeCaller(em, storeId), await promotedProducts(em, storeId, id));
  });
}

/** Looks every few seconds; returns what stops it. */
export function keepAnnouncing(app: Catalog, log: Log): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    announcePromotions(app)
      .catch((error: unknown) => log.error({ err: error }, 'Promotions that started or ended could not be told and will be later'))
      .finally(() => {
        busy = false;
      });
  }, announceEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
