import { askIn, changedFields, type Difference, type EntityManager, orRaced, sql } from '@store/db';
import { parseId } from '@store/input';
import { invalidFields, missing, notFound } from '@store/problem';
import type { Caller } from '@store/rpc';
import { change, demandVersion } from '@store/service';
import type { Catalog, Verb } from '../catalog.ts';
import { currentLists } from './current-lists.ts';
import { emitProduct } from './emit-products.ts';
import { shownProduct } from './get-product.ts';
import { changesLinks, holdLinks } from './hold-links.ts';
import { type Draft, emptiedDefaults, listFields, priced } from './product.columns.ts';
import { acceptProduct, type ProductAccepted, type ProductLists } from './product.input.ts';
import { Product } from './product.ts';
import { parentErrors, referenceErrors, saveLists } from './references.ts';
import { repricedBy, variationIds } from './repriced.ts';
import { touchProducts } from './touch-products.ts';
import { lockBrands, lockById, refreshFamilies, type Stored, takenErrors, updateProducts, withShownBrands } from './write-products.ts';

/** PATCH /products/:id (staff): what was not sent stays; a change that changes nothing emits no event. */
export const updateProduct: Verb<'UpdateProduct'> = async (app, request, call) => {
  const id = parseId(request.id);
  const { product: input } = request;
  if (!input) throw missing('product');
  if (id === undefined) throw notFound('Product');
  const { caller } = call;
  const accepted = acceptProduct(input, caller);
  return change(app, call, async (em) => {
    const shown = () => shownProduct(askIn(em), app, caller, id);
    const stored = await lockChecked(em, caller.storeId, id, accepted, () => demandVersion(call, shown));
    const { lists } = accepted;
    const listsBefore = await currentLists(em, caller.storeId, id, lists);
    const listsChanged = JSON.stringify(listsBefore) !== JSON.stringify(listFields(lists));
    const draft = drafted(stored, accepted);
    const difference = changedFields(stored.draft, draft);
    if (!difference && !listsChanged) return shown();
    const write = { stored, draft, difference: difference ?? { before: {}, after: {} }, lists };
    const candidates = () => (changesLinks(accepted) ? variationIds(em, caller.storeId, [id]) : Promise.resolve([]));
    const repriced = await repricedBy(em, app, caller, candidates, () => save(em, app, caller, write));
    const product = await emitProduct(em, app, caller, {
      id,
      name: 'product.updated',
      action: 'product.update',
      before: { ...difference?.before, ...(listsChanged && listsBefore) },
      after: { ...difference?.after, ...(listsChanged && listFields(lists)) },
    });
    await touchProducts(em, app, caller, repriced);
    return { product };
  });
};

/** The product as it is stored, locked after what it will point at; throws when what was sent cannot be. */
async function lockChecked(
  em: EntityManager,
  storeId: number,
  id: number,
  accepted: ProductAccepted,
  demand: () => Promise<void>,
): Promise<Stored> {
  const { values } = accepted;
  if (changesLinks(accepted)) await holdLinks(em, storeId, 'shared');
  const references = await referenceErrors(em, storeId, accepted);
  const family = await lockById(em, storeId, values.parent_id == null ? [id] : [id, values.parent_id]);
  const stored = family.find((product) => product.id === id);
  if (!stored) throw notFound('Product');
  await demand();
  const errors = {
    ...emptiedDefaults(values),
    ...accepted.errors,
    ...references,
    ...(await parentErrors(em, storeId, values.parent_id, id)),
    ...(await takenErrors(em, storeId, drafted(stored, accepted), id)),
  };
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return stored;
}

function drafted(stored: Stored, { values }: ProductAccepted): Draft {
  return priced({ ...stored.draft, ...(values as Partial<Draft>) }, values);
}

interface Write {
  stored: Stored;
  draft: Draft;
  difference: Difference;
  lists: ProductLists;
}

async function save(em: EntityManager, app: Catalog, { storeId }: Caller, { stored, draft, difference, lists }: Write): Promise<void> {
  const { id } = stored;
  const given = await lockBrands(em, storeId, 'brand_id' in difference.after ? [draft.brand_id] : []);
  const brands = await withShownBrands(em, storeId, given, [{ id, draft }]);
  await orRaced(Product, updateProducts(em, storeId, app.db.clock.now(), [{ id, draft, difference }], brands));
  const parents = [stored.draft.parent_id, draft.parent_id].filter((parent) => parent !== null).map(Number);
  await saveLists(em, storeId, { id, lists, parentIds: [...new Set(parents)] });
  await refreshFamilies(em, storeId, [{ id, draft, difference }]);
  if (difference.before.parent_id != null) await touchFormerParent(em, app, storeId, Number(difference.before.parent_id));
}

/** The parent that a variation left has no other trace of it, and updated_since must find it. */
async function touchFormerParent(em: EntityManager, app: Catalog, storeId: number, id: number): Promise<void> {
  await sql(em, 'update catalog.products set updated_at = $3 where store_id = $1 and id = $2', [storeId, id, app.db.clock.now()]);
}
