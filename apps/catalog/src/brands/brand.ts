/** A brand: its table, the public shape, its input. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumns } from '@store/db';
import { acceptor, requiredText, textField } from '@store/input';
import type { Brand as BrandMessage } from '@store/protos/catalog/v1.ts';

export const Brand = defineEntity({
  name: 'Brand',
  tableName: 'brands',
  properties: { ...storeKeyColumns(), name: p.text(), description: p.text().nullable(), ...timeColumns() },
  uniques: [{ name: 'brands_store_id_name_key', properties: ['storeId', 'name'] }],
});

const descriptionMax = 10_000;

/** Names are kept trimmed, as GET /products?brand= compares them exactly (D53). */
export const acceptBrand = acceptor({
  wrapper: 'brand',
  fields: { name: requiredText().transform((name) => name.trim()), description: textField(descriptionMax) },
  required: ['name'],
});

export function brandView({ id, name, description }: Pick<InferEntity<typeof Brand>, 'id' | 'name' | 'description'>): BrandMessage {
  return { id, name, description: description ?? undefined };
}
