import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../purchasing.ts';
import { shownColumns, suppliersOf } from './supplier.query.ts';
import { supplierView } from './supplier.ts';

/** GET /suppliers/:id. */
export const getSupplier: Verb<'GetSupplier'> = async (app, request, { caller }) => {
  const id = parseId(request.id);
  const [supplier] = id === undefined ? [] : await app.db.read(suppliersOf(caller.storeId).select(shownColumns).where('id', '=', id));
  if (!supplier) throw notFound('Supplier');
  return { supplier: supplierView(supplier) };
};
