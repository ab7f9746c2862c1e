/** A revenue center: a part of the store that shows some of the catalogue. */

import { type EntityManager, sql } from '@store/db';
import { requiredText } from '@store/input';
import { notFound } from '@store/problem';
import type { RevenueCenter } from '@store/protos/catalog/v1/RevenueCenter.ts';

export interface RevenueCenterRow {
  id: string;
  name: string;
}

export const revenueCenterFields = { name: requiredText().transform((name) => name.trim()) };

export function revenueCenterView(row: RevenueCenterRow): RevenueCenter {
  return { id: Number(row.id), name: row.name };
}

/** The revenue center, locked until the commit. */
export async function lockRevenueCenter(em: EntityManager, storeId: number, id: number): Promise<RevenueCenterRow> {
  const [row] = await sql<RevenueCenterRow>(em, 'select id, name from catalog.revenue_centers where store_id = $1 and id = $2 for update', [
    storeId,
    id,
  ]);
  if (!row) throw notFound('Revenue center');
  return row;
}

export async function nameIsTaken(em: EntityManager, storeId: number, name: string | undefined, id = 0): Promise<boolean> {
  if (name === undefined) return false;
  const rows = await sql(em, 'select 1 from catalog.revenue_centers where store_id = $1 and name = $2 and id <> $3', [storeId, name, id]);
  return rows.length > 0;
}
