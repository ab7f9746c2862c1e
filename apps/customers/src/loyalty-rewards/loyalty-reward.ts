/** A loyalty reward: its table, the public shape, and when it can be redeemed. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, isoTime, type Row, storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import { twoDecimals } from '@store/input';
import type { LoyaltyReward as LoyaltyRewardMessage } from '@store/protos/customers/v1.ts';

/** What a reward gives. The list is open for readers (D124); what staff write is one of these. */
export const rewardTypes = ['discount', 'free_product', 'store_credit'] as const;

export const LoyaltyReward = defineEntity({
  name: 'LoyaltyReward',
  tableName: 'loyalty_rewards',
  properties: {
    ...storeKeyColumns(),
    name: p.text(),
    description: p.text().nullable(),
    rewardType: p.text(),
    pointsRequired: p.integer(),
    discountAmount: decimalColumn(2).nullable(),
    discountPercentage: decimalColumn(2).nullable(),
    storeCreditAmount: decimalColumn(2).nullable(),
    productId: p.bigint('number').nullable(),
    minimumTierLevel: p.integer().nullable(),
    redemptionLimit: p.integer().nullable(),
    validFrom: timeColumn().nullable(),
    validUntil: timeColumn().nullable(),
    rewardDescription: p.text().nullable(),
    active: p.boolean(),
    ...timeColumns(),
  },
  indexes: [{ name: 'loyalty_rewards_listed', properties: ['storeId', 'pointsRequired', 'id'] }],
});

export type RewardColumns = Row<typeof LoyaltyReward>;

/** With the name of its product as it is now. */
export type RewardRow = RewardColumns & { product_name: string | null };

type Validity = 'active' | 'upcoming' | 'expired' | 'inactive';

/** `valid_from` ≤ now < `valid_until`, and not taken out of use (D230). */
export function validityOf(reward: Pick<RewardColumns, 'active' | 'valid_from' | 'valid_until'>, now: Date): Validity {
  if (!reward.active) return 'inactive';
  if (reward.valid_from !== null && now < reward.valid_from) return 'upcoming';
  return reward.valid_until !== null && now >= reward.valid_until ? 'expired' : 'active';
}

export function loyaltyRewardView(row: RewardRow, now: Date): LoyaltyRewardMessage {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    reward_type: row.reward_type,
    points_required: row.points_required,
    discount_amount: decimal(row.discount_amount),
    discount_percentage: decimal(row.discount_percentage),
    store_credit_amount: decimal(row.store_credit_amount),
    product_id: row.product_id ?? undefined,
    product_name: row.product_name ?? undefined,
    minimum_tier_level: row.minimum_tier_level ?? undefined,
    redemption_limit: row.redemption_limit ?? undefined,
    valid_from: row.valid_from ? isoTime(row.valid_from) : undefined,
    valid_until: row.valid_until ? isoTime(row.valid_until) : undefined,
    reward_description: row.reward_description ?? undefined,
    validity_status: validityOf(row, now),
    active: row.active,
  };
}

const decimal = (value: string | null) => (value === null ? undefined : twoDecimals(value));
