/** A supplier of the store: its table, the public shape, its input. */
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, isoTime, type Row, storeIdColumn, timeColumns } from '@store/db';
import { acceptor, requiredText, textField } from '@store/input';
import type { Supplier as SupplierView } from '@store/protos/purchasing/v1.ts';

export const Supplier = defineEntity({
  name: 'Supplier',
  tableName: 'suppliers',
  properties: {
    id: idColumn(),
    storeId: storeIdColumn(),
    name: p.text().collation('C'),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    ...timeColumns(),
  },
  indexes: [{ name: 'suppliers_by_name', properties: ['storeId', 'name', 'id'] }],
});

const phoneMax = 50;

export const acceptSupplier = acceptor({
  wrapper: 'supplier',
  fields: { name: requiredText(), email: textField(), phone: textField(phoneMax) },
  required: ['name'],
});

type Shown = Omit<Row<typeof Supplier>, 'store_id'>;

export function supplierView({ id, name, email, phone, created_at, updated_at }: Shown): SupplierView {
  return {
    id,
    name,
    email: email ?? undefined,
    phone: phone ?? undefined,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  };
}
