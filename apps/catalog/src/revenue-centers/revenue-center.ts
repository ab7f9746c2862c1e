/** A revenue center: a part of the store that shows some of the catalogue. Its table, the public shape, its input. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumns } from '@store/db';
import { acceptor, requiredText } from '@store/input';
import type { RevenueCenter as RevenueCenterMessage } from '@store/protos/catalog/v1.ts';

export const RevenueCenter = defineEntity({
  name: 'RevenueCenter',
  tableName: 'revenue_centers',
  properties: { ...storeKeyColumns(), name: p.text(), ...timeColumns() },
  uniques: [{ name: 'revenue_centers_store_id_name_key', properties: ['storeId', 'name'] }],
});

export const acceptRevenueCenter = acceptor({
  wrapper: 'revenue_center',
  fields: { name: requiredText().transform((name) => name.trim()) },
  required: ['name'],
});

export function revenueCenterView({ id, name }: Pick<InferEntity<typeof RevenueCenter>, 'id' | 'name'>): RevenueCenterMessage {
  return { id, name };
}
