/** A brand: its row, the public shape, what staff may write. */

import { type EntityManager, sql } from '@store/db';
import { requiredText, textField } from '@store/input';
import { notFound } from '@store/problem';
import type { Brand } from '@store/protos/catalog/v1/Brand.ts';

export interface BrandRow {
  id: string;
  name: string;
  description: string | null;
}

const descriptionMax = 10_000;

/** Names are kept trimmed, as GET /products?brand= compares them exactly (decision D53). */
export const brandFields = { name: requiredText().transform((name) => name.trim()), description: textField(descriptionMax) };

export function brandView(row: BrandRow): Brand {
  return { id: Number(row.id), name: row.name, description: row.description ?? undefined };
}

/** The brand, locked until the commit. */
export async function lockBrand(em: EntityManager, storeId: number, id: number): Promise<BrandRow> {
  const [row] = await sql<BrandRow>(em, 'select id, name, description from catalog.brands where store_id = $1 and id = $2 for update', [
    storeId,
    id,
  ]);
  if (!row) throw notFound('Brand');
  return row;
}

/** Two brands of one name could not be told apart by the products that show it. */
export async function nameIsTaken(em: EntityManager, storeId: number, name: string | undefined, id = 0): Promise<boolean> {
  if (name === undefined) return false;
  const rows = await sql(em, 'select 1 from catalog.brands where store_id = $1 and name = $2 and id <> $3', [storeId, name, id]);
  return rows.length > 0;
}

/**
 * Products that show the brand, deleted ones left out, locked in id order. Who gives a product a brand locks the brand
 * before the product, as here, so that neither waits for the other.
 */
export async function lockProductsOf(em: EntityManager, storeId: number, id: number): Promise<number[]> {
  const rows = await sql<{ id: string }>(
    em,
    'select id from catalog.products where store_id = $1 and brand_id = $2 and deleted_at is null order by id for update',
    [storeId, id],
  );
  return rows.map((row) => Number(row.id));
}
