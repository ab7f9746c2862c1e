import { tables } from '../tables.ts';

/** Suppliers of the store that are not archived. */
export const suppliersOf = (storeId: number) =>
  tables.selectFrom('suppliers').where('store_id', '=', storeId).where('archived_at', 'is', null);

export const shownColumns = ['id', 'name', 'email', 'phone', 'created_at as createdAt', 'updated_at as updatedAt'] as const;
