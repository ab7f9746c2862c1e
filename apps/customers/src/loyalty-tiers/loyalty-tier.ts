import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, type Row, storeKeyColumns, timeColumns } from '@store/db';
import { twoDecimals } from '@store/input';
import type { LoyaltyTier as LoyaltyTierMessage } from '@store/protos/customers/v1.ts';

export const LoyaltyTier = defineEntity({
  name: 'LoyaltyTier',
  tableName: 'loyalty_tiers',
  properties: {
    ...storeKeyColumns(),
    name: p.text(),
    level: p.integer(),
    description: p.text().nullable(),
    color: p.text().nullable(),
    minimumLifetimeSpend: decimalColumn(2),
    minimumVisits: p.integer(),
    discountPercentage: decimalColumn(2),
    pointsMultiplier: decimalColumn(2),
    freeDelivery: p.boolean(),
    earlyAccessSales: p.boolean(),
    benefitsDescription: p.text().nullable(),
    /** As JSON: MikroORM writes some texts into an array literal as others (NULL, tabs, spaces at the ends). */
    benefitsList: p.json<string[]>(),
    /** False: nobody holds it, and it is not listed. */
    active: p.boolean(),
    ...timeColumns(),
  },
  uniques: [
    { name: 'loyalty_tiers_store_id_name_key', properties: ['storeId', 'name'] },
    { name: 'loyalty_tiers_store_id_level_key', properties: ['storeId', 'level'] },
  ],
});

export type TierRow = Row<typeof LoyaltyTier>;

export function loyaltyTierView(row: TierRow): LoyaltyTierMessage {
  return {
    id: row.id,
    name: row.name,
    level: row.level,
    description: row.description ?? undefined,
    color: row.color ?? undefined,
    minimum_lifetime_spend: twoDecimals(row.minimum_lifetime_spend),
    minimum_visits: row.minimum_visits,
    discount_percentage: twoDecimals(row.discount_percentage),
    points_multiplier: twoDecimals(row.points_multiplier),
    free_delivery: row.free_delivery,
    early_access_sales: row.early_access_sales,
    benefits_description: row.benefits_description ?? undefined,
    benefits_list: row.benefits_list,
  };
}
