import { raced } from '@store/db';
import { invalidFields, missing } from '@store/problem';
import { change } from '@store/service';
import type { Verb } from '../catalog.ts';
import { refreshKept } from './denormalised-names.ts';
import { emitProduct, emitWritten } from './emit-products.ts';
import { changesLinks, holdLinks } from './hold-links.ts';
import { filled, newDraft } from './product.columns.ts';
import { acceptProduct } from './product.input.ts';
import { parentErrors, referenceErrors, saveLists } from './references.ts';
import { insertProduct, lockBrands, takenErrors } from './write-products.ts';

/** POST /products: a new product starts at stock 0. */
export const createProduct: Verb<'CreateProduct'> = async (app, request, call) => {
  if (!request.product) throw missing('product');
  const { caller } = call;
  const accepted = acceptProduct(request.product, caller);
  const { values, lists } = accepted;
  return change(app, call, async (em) => {
    if (changesLinks(accepted)) await holdLinks(em, caller.storeId, 'shared');
    const draft = newDraft(values);
    const errors = {
      ...(values.name === undefined && { name: ["can't be blank"] }),
      ...accepted.errors,
      ...(await referenceErrors(em, caller.storeId, accepted)),
      ...(await parentErrors(em, caller.storeId, values.parent_id)),
    };
    if (Object.keys(errors).length > 0) throw invalidFields({ ...errors, ...(await takenErrors(em, caller.storeId, draft)) });
    const brands = await lockBrands(em, caller.storeId, [draft.brand_id]);
    const inserted = await insertProduct(em, caller.storeId, app.db.clock.now(), draft, brands);
    if ('taken' in inserted)
      throw Object.keys(inserted.taken).length > 0 ? invalidFields(inserted.taken) : raced(draft.sku === null ? 'external_id' : 'sku');
    const { row } = inserted;
    const created = { id: row.id, name: 'product.created', action: 'product.create', after: filled(draft, lists) } as const;
    const isAlone = draft.parent_id === null && Object.values(lists).every((list) => list === undefined);
    if (isAlone) return { product: await emitWritten(em, app, caller, created, { row }) };
    await saveLists(em, caller.storeId, { id: row.id, lists, parentIds: draft.parent_id === null ? [] : [Number(draft.parent_id)] });
    if (draft.parent_id !== null) await refreshKept(em, caller.storeId, [row.id]);
    return { product: await emitProduct(em, app, caller, created) };
  });
};
