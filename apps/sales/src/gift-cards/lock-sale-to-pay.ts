import { type EntityManager, sql } from '@store/db';
import type { FieldErrors } from '@store/input';
import { tables } from '../tables.ts';

/** Locks the sale that a card pays for, so that its void gives back what was taken; what forbids it is a field error. */
export async function lockSaleToPay(em: EntityManager, storeId: number, saleId: number): Promise<FieldErrors> {
  const sale = tables.selectFrom('sales').select('status').where('store_id', '=', storeId).where('id', '=', saleId);
  const [found] = await sql(em, sale.forUpdate());
  if (!found) return { sale_id: ['is unknown'] };
  // A completed sale is paid whole (D209).
  if (found.status === 'completed') return { sale_id: ['is paid already'] };
  return found.status === 'voided' ? { sale_id: ['is voided'] } : {};
}
