import { byName } from '@store/db';
import { cappedList } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { tables } from '../tables.ts';
import { supplierView } from './supplier.ts';

/** GET /suppliers (staff): by name. */
export const listSuppliers: Verb<'ListSuppliers'> = async (app, _request, { caller }) => {
  const suppliers = tables
    .selectFrom('suppliers')
    .select(['id', 'name', 'email', 'phone', 'created_at', 'updated_at'])
    .where('store_id', '=', caller.storeId);
  return cappedList({
    read: (limit) => app.db.read(suppliers.orderBy(byName).orderBy('id').limit(limit)),
    answer: (rows) => ({ suppliers: rows.map(supplierView) }),
  });
};
