/** The time in which a clerk works with one cash drawer, from its opening float to its count (D239). */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { decimalColumn, type Row, storeKeyColumns, timeColumn, timeColumns } from '@store/db';

export const CashDrawerSession = defineEntity({
  name: 'CashDrawerSession',
  tableName: 'cash_drawer_sessions',
  properties: {
    ...storeKeyColumns(),
    clerkId: p.bigint('number'),
    clerkName: p.text(),
    openingFloat: decimalColumn(2),
    /** Expected and counted cash, set when the session is closed. */
    expected: decimalColumn(2).nullable(),
    counted: decimalColumn(2).nullable(),
    closedAt: timeColumn().nullable(),
    ...timeColumns(),
  },
  uniques: [{ name: 'cash_drawer_sessions_open', properties: ['storeId', 'clerkId'], where: 'closed_at is null' }],
  indexes: [
    { name: 'cash_drawer_sessions_closed', properties: ['storeId', 'closedAt'], where: 'closed_at is not null' },
    {
      name: 'cash_drawer_sessions_newest',
      expression: 'create index cash_drawer_sessions_newest on sales.cash_drawer_sessions (store_id, created_at desc, id desc)',
    },
  ],
});

export type CashDrawerSessionRecord = InferEntity<typeof CashDrawerSession>;

/** The record as a statement returns it. */
export function sessionRow(record: CashDrawerSessionRecord): Omit<Row<typeof CashDrawerSession>, 'store_id'> {
  return {
    id: record.id,
    clerk_id: record.clerkId,
    clerk_name: record.clerkName,
    opening_float: record.openingFloat,
    expected: record.expected ?? null,
    counted: record.counted ?? null,
    closed_at: record.closedAt ?? null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
