import { type EntityManager, sql } from '@store/db';
import type { FieldErrors } from '@store/input';
import { suppliersOf } from '../suppliers/supplier.query.ts';

export async function unknownSupplier(em: EntityManager, storeId: number, id: number | null | undefined): Promise<FieldErrors> {
  if (id == null || (await sql(em, suppliersOf(storeId).select('id').where('id', '=', id))).length > 0) return {};
  return { supplier: ['not found'] };
}
