import { type EntityManager, sql } from '@store/db';
import { quantityText, thousandths } from '@store/input';
import { tables } from '../tables.ts';

/** D109: floor is what lies at locations of the sales floor, back is the rest. */
export async function stockSplit(em: EntityManager, storeId: number, productId: number): Promise<{ floor: string; back: string }> {
  const item = tables.selectFrom('stock_items as item').where('item.store_id', '=', storeId).where('item.product_id', '=', productId);
  const held = tables
    .selectFrom('location_stock as held')
    .innerJoin('warehouse_locations as location', (join) =>
      join.onRef('location.store_id', '=', 'held.store_id').onRef('location.id', '=', 'held.location_id'),
    )
    .where('held.store_id', '=', storeId)
    .where('held.product_id', '=', productId)
    .where('location.kind', '=', 'floor');
  const [stock] = await sql(em, item.select('item.quantity'));
  const [onFloor] = await sql(
    em,
    held.select((eb) => eb.fn.sum<string | null>('held.quantity').as('quantity')),
  );
  const all = thousandths(stock?.quantity ?? '0');
  const floor = thousandths(onFloor?.quantity ?? '0');
  return { floor: quantityText(floor), back: quantityText(all - floor) };
}
