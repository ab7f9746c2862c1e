import type { Ask } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../catalog.ts';
import { productById } from './product.query.ts';
import { productView } from './product.view.ts';

/** One product, inactive ones included; a deleted, unknown or other store's product is the same 404. */
export const getProduct: Verb<'GetProduct'> = async (app, request, { caller }) => {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Product');
  const ask: Ask = (text, values) => app.db.read(text, values, { short: true });
  const found = await productById(ask, caller, app.db.clock.now(), id);
  if (!found) throw notFound('Product');
  return { product: productView(found.row, found.variations, caller) };
};
