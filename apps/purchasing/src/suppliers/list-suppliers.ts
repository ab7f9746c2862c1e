import { byName } from '@store/db';
import type { Verb } from '../purchasing.ts';
import { tables } from '../tables.ts';
import { supplierView } from './supplier.ts';

/** Lists that are not paginated are capped (D44). */
const suppliersMax = 500;

/** GET /suppliers (staff): by name. */
export const listSuppliers: Verb<'ListSuppliers'> = async (app, _request, { caller }) => {
  const suppliers = tables
    .selectFrom('suppliers')
    .select(['id', 'name', 'email', 'phone', 'created_at', 'updated_at'])
    .where('store_id', '=', caller.storeId);
  const found = await app.db.read(suppliers.orderBy(byName).orderBy('id').limit(suppliersMax));
  return { suppliers: found.map(supplierView) };
};
