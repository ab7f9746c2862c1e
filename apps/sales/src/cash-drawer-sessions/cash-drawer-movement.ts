/** Cash that came into a drawer or went out of it between sales: change from the bank, a bill that was paid (D271). */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, idColumn, type Row, storeKeyColumn, timeColumn } from '@store/db';
import type { CashDrawerMovement as CashDrawerMovementMessage } from '@store/protos/sales/v1.ts';

export const CashDrawerMovement = defineEntity({
  name: 'CashDrawerMovement',
  tableName: 'cash_drawer_movements',
  properties: {
    storeId: storeKeyColumn(),
    sessionId: p.bigint('number').primary(),
    id: idColumn(),
    /** Below 0: taken out. */
    amount: decimalColumn(2),
    reason: p.text(),
    userName: p.text().nullable(),
    createdAt: timeColumn(),
  },
  indexes: [{ name: 'cash_drawer_movements_made', properties: ['storeId', 'createdAt', 'id'] }],
});

export function movementView(row: Omit<Row<typeof CashDrawerMovement>, 'store_id'>): CashDrawerMovementMessage {
  const { id, session_id, amount, reason, user_name, created_at } = row;
  return {
    id,
    cash_drawer_session_id: session_id,
    amount,
    reason,
    user_name: user_name ?? undefined,
    created_at: created_at.toISOString(),
  };
}
