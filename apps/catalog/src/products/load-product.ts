import { askIn, type EntityManager } from '@store/db';
import { notFound } from '@store/problem';
import type { Product } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { productById } from './product.query.ts';
import { productView } from './product.view.ts';

/** A product, read in the transaction. */
export async function loadProduct(em: EntityManager, app: Catalog, caller: Caller, id: number): Promise<Product> {
  const found = await productById(askIn(em), caller, app.db.clock.now(), id);
  if (!found) throw notFound('Product');
  return productView(found.row, found.variations, caller);
}
