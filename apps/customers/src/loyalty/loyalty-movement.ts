/** The ledger of loyalty points: one row per movement, and each continues from the row before. */
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, storeKeyColumn, timeColumn } from '@store/db';

export const LoyaltyMovement = defineEntity({
  name: 'LoyaltyMovement',
  tableName: 'loyalty_movements',
  properties: {
    storeId: storeKeyColumn(),
    customerId: p.bigint('number').primary(),
    id: idColumn(),
    movementType: p.text(),
    /** Signed. */
    points: p.bigint('number'),
    pointsBefore: p.bigint('number'),
    /** Below 0 after a void of a sale whose points were spent (D221). */
    pointsAfter: p.bigint('number'),
    rewardId: p.bigint('number').nullable(),
    saleId: p.bigint('number').nullable(),
    reason: p.text().nullable(),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    createdAt: timeColumn(),
  },
  checks: [{ name: 'loyalty_movements_continue', expression: 'points_before + points = points_after' }],
  uniques: [{ name: 'loyalty_movements_sale', properties: ['storeId', 'saleId', 'movementType'], where: 'sale_id is not null' }],
  indexes: [{ name: 'loyalty_movements_reward', properties: ['storeId', 'customerId', 'rewardId'], where: 'reward_id is not null' }],
});

/** sale and void follow a sale; the others are what staff do. */
export type MovementType = 'sale' | 'void' | 'earn' | 'redeem' | 'adjust';
