import { readRecord } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { shownColumns, suppliersOf } from './supplier.query.ts';
import { supplierView } from './supplier.ts';

/** GET /suppliers/:id. */
export const getSupplier: Verb<'GetSupplier'> = async (app, request, { caller }) => {
  const byId = (id: number) => suppliersOf(caller.storeId).select(shownColumns).where('id', '=', id);
  return { supplier: supplierView(await readRecord(app.db, request.id, byId, 'Supplier')) };
};
