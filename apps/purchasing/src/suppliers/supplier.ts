/** A supplier of the store: its table, the public shape, its input. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type EntityManager, lockRecord, storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import { acceptor, requiredText, textField } from '@store/input';
import { notFound } from '@store/problem';
import type { Supplier as SupplierView } from '@store/protos/purchasing/v1.ts';

export const Supplier = defineEntity({
  name: 'Supplier',
  tableName: 'suppliers',
  properties: {
    ...storeKeyColumns(),
    name: p.text().collation('C'),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    ...timeColumns(),
    /** An archived supplier is in no list and no new order; its orders keep it. */
    archivedAt: timeColumn().nullable(),
  },
  indexes: [{ name: 'suppliers_by_name', properties: ['storeId', 'name', 'id'] }],
});

const phoneMax = 50;

export const acceptSupplier = acceptor({
  wrapper: 'supplier',
  fields: { name: requiredText(), email: textField(), phone: textField(phoneMax) },
  required: ['name'],
});

type SupplierRecord = InferEntity<typeof Supplier>;

/** The supplier, locked; one that is archived is the 404 of an unknown one. */
export async function lockSupplier(em: EntityManager, id: number | undefined): Promise<SupplierRecord> {
  const supplier = await lockRecord(em, Supplier, id);
  if (supplier.archivedAt) throw notFound('Supplier');
  return supplier;
}

type Shown = Pick<SupplierRecord, 'id' | 'name' | 'createdAt' | 'updatedAt'> & { email?: string | null; phone?: string | null };

export function supplierView({ id, name, email, phone, createdAt, updatedAt }: Shown): SupplierView {
  return {
    id,
    name,
    email: email ?? undefined,
    phone: phone ?? undefined,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
