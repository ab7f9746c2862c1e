import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumns } from '@store/db';
import { acceptor, choice, requiredText } from '@store/input';

/** floor is the sales floor; every other place is back (D109). */
const kinds = ['floor', 'back'] as const;

export const WarehouseLocation = defineEntity({
  name: 'WarehouseLocation',
  tableName: 'warehouse_locations',
  properties: { ...storeKeyColumns(), name: p.text(), kind: p.enum(kinds), ...timeColumns() },
  uniques: [{ name: 'warehouse_locations_store_id_name_key', properties: ['storeId', 'name'] }],
});

export const acceptWarehouseLocation = acceptor({
  wrapper: 'warehouse_location',
  fields: { name: requiredText().transform((name) => name.trim()), kind: choice(kinds) },
  required: ['name'],
});

/** The message of a location, also kept by the audit trail. */
export function warehouseLocationView({ id, name, kind }: Pick<InferEntity<typeof WarehouseLocation>, 'id' | 'name' | 'kind'>) {
  return { id, name, kind };
}
