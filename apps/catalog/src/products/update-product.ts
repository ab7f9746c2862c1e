import { parseId } from '@store/contract';
import type { ProductResponse } from '@store/contract/gen/store/catalog/v1/ProductResponse.ts';
import type { UpdateProductRequest__Output } from '@store/contract/gen/store/catalog/v1/UpdateProductRequest.ts';
import { type EntityManager, sql } from '@store/db';
import { invalidFields, missing, notFound } from '@store/problem';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { orRaced, taken } from '../taken.ts';
import { currentLists } from './current-lists.ts';
import { emitProducts } from './emit-products.ts';
import { loadProduct } from './load-product.ts';
import { type Draft, diff, listFields } from './product.columns.ts';
import { acceptProduct } from './product.input.ts';
import { checkReferences, saveLists } from './references.ts';
import { brandNames, lockById, lockBySku, updateProducts } from './write-products.ts';

/** PATCH /products/:id (staff): what was not sent stays; a change that changes nothing makes no noise. */
export async function updateProduct(
  app: Catalog,
  request: UpdateProductRequest__Output,
  call: Call,
): Promise<ProductResponse | Reply<ProductResponse>> {
  const id = parseId(request.id);
  const { product: input } = request;
  if (!input) throw missing('product');
  if (id === undefined) throw notFound('Product');
  const { caller } = call;
  const accepted = acceptProduct(input, caller);
  return change({ db: app.db, call, response: 'store.catalog.v1.ProductResponse' }, async (em) => {
    const [stored] = await lockById(em, caller.storeId, [id]);
    if (!stored) throw notFound('Product');
    const { values, lists, errors } = accepted;
    const draft: Draft = { ...stored.draft, ...(values as Partial<Draft>) };
    const sku = draft.sku as string | null;
    if (sku !== null && (await lockBySku(em, caller.storeId, [sku])).some((other) => other.id !== id)) errors.sku = [taken];
    await checkReferences(em, caller, accepted, id);
    if (Object.keys(errors).length > 0) throw invalidFields(errors);
    const listsBefore = await currentLists(em, caller.storeId, id, lists);
    const listsChanged = JSON.stringify(listsBefore) !== JSON.stringify(listFields(lists));
    const changed = diff(stored.draft, draft);
    if (changed || listsChanged) {
      const brands = await brandNames(em, caller.storeId, [draft.brand_id]);
      await orRaced('sku', updateProducts(em, caller.storeId, app.db.clock.now(), [{ id, draft }], brands));
      const parents = [stored.draft.parent_id, draft.parent_id].filter((parent) => parent !== null).map(Number);
      await saveLists(em, caller.storeId, { id, lists, parentIds: [...new Set(parents)] });
      if (changed?.before.parent_id != null) await touchFormerParent(em, app, caller.storeId, Number(changed.before.parent_id));
      await emitProducts(em, app, caller, [
        {
          id,
          name: 'product.updated',
          action: 'product.update',
          before: { ...changed?.before, ...(listsChanged && listsBefore) },
          after: { ...changed?.after, ...(listsChanged && listFields(lists)) },
        },
      ]);
    }
    return { product: await loadProduct(em, app, caller, id) };
  });
}

/** The parent that a variation left has no other trace of it, and updated_since must find it. */
async function touchFormerParent(em: EntityManager, app: Catalog, storeId: number, id: number): Promise<void> {
  await sql(em, 'update catalog.products set updated_at = $3 where store_id = $1 and id = $2', [storeId, id, app.db.clock.now()]);
}
