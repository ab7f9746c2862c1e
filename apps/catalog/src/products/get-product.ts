import type { Ask } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { ProductResponse } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import type { Catalog, Verb } from '../catalog.ts';
import { productById } from './product.query.ts';
import { productView } from './product.view.ts';

/** One product, inactive ones included; a deleted, unknown or other store's product is the same 404. */
export const getProduct: Verb<'GetProduct'> = (app, request, { caller }) =>
  shownProduct((text, values) => app.db.read(text, values, { short: true }), app, caller, parseId(request.id));

/** The product as its GET answers it. */
export async function shownProduct(ask: Ask, app: Catalog, caller: Caller, id: number | undefined): Promise<ProductResponse> {
  const found = id === undefined ? undefined : await productById(ask, caller, app.db.clock.now(), id);
  if (!found) throw notFound('Product');
  return { product: productView(found.row, found.variations, caller) };
}
