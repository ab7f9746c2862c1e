import { sql } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import { change } from '@store/service';
import type { Verb } from '../catalog.ts';
import { emitProducts } from './emit-products.ts';
import { isListed, keptHere, relist } from './kept-lists.ts';
import { filled } from './product.columns.ts';
import { countVariations } from './references.ts';
import { lockById } from './write-products.ts';

/** DELETE /products/:id (staff): a soft delete, of its variations too, at the same time. */
export const deleteProduct: Verb<'DeleteProduct'> = async (app, request, call) => {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Product');
  const { caller } = call;
  return change(app, call, async (em) => {
    if ((await lockById(em, caller.storeId, [id])).length === 0) throw notFound('Product');
    const family = await sql<{ id: number }>(
      em,
      'select id from catalog.products where store_id = $1 and (id = $2 or parent_id = $2) and deleted_at is null',
      [caller.storeId, id],
    );
    const stored = await lockById(
      em,
      caller.storeId,
      family.map((row) => row.id),
    );
    const now = app.db.clock.now();
    await sql(
      em,
      `${keptHere} update catalog.products set deleted_at = $3, updated_at = $3 where store_id = $1 and id = any ($2::bigint[])`,
      [caller.storeId, stored.map((row) => row.id), now],
    );
    const shown = stored.filter(({ draft }) => isListed(draft));
    relist(
      em,
      caller.storeId,
      shown.map((row) => ({ id: row.id, name: row.draft.name as string, was: true, is: false })),
    );
    const parent = stored.find((row) => row.id === id)?.draft.parent_id;
    await countVariations(em, caller.storeId, parent == null ? [] : [Number(parent)]);
    await emitProducts(
      em,
      app,
      caller,
      stored.map((row) => ({ id: row.id, name: 'product.deleted', action: 'product.delete', before: filled(row.draft) })),
    );
    return { success: true, message: 'Product deleted' };
  });
};
