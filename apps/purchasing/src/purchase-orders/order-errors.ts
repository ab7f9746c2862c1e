import { type EntityManager, sql, taken, takenFields } from '@store/db';
import type { FieldErrors } from '@store/input';
import { suppliersOf } from '../suppliers/supplier.query.ts';
import { PurchaseOrder } from './purchase-order.ts';

export async function unknownSupplier(em: EntityManager, storeId: number, id: number | null | undefined): Promise<FieldErrors> {
  if (id == null || (await sql(em, suppliersOf(storeId).select('id').where('id', '=', id))).length > 0) return {};
  return { supplier: ['not found'] };
}

/** Numbers and external ids that another order has. */
export async function takenErrors(em: EntityManager, values: object, ownId = 0): Promise<FieldErrors> {
  return Object.fromEntries((await takenFields(em, PurchaseOrder, values, ownId)).map((field) => [field, [taken]]));
}
