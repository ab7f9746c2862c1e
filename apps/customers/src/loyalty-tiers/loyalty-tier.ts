/** A loyalty tier: its table, the public shape, what staff may write, and which tier a customer holds. */
import { defineEntity, p } from '@mikro-orm/core';
import { itemsMax } from '@store/contract';
import { decimalColumn, idColumn, type Row, storeIdColumn, timeColumns } from '@store/db';
import {
  type Acceptance,
  atMost,
  booleanField,
  type FieldErrors,
  filled,
  integerField,
  moneyField,
  parseFields,
  requiredText,
  sent,
  textField,
  twoDecimals,
} from '@store/input';
import type { LoyaltyTier as LoyaltyTierMessage } from '@store/protos/customers/v1/LoyaltyTier.ts';
import type { LoyaltyTierInput__Output } from '@store/protos/customers/v1/LoyaltyTierInput.ts';

export const LoyaltyTier = defineEntity({
  name: 'LoyaltyTier',
  tableName: 'loyalty_tiers',
  properties: {
    id: idColumn(),
    storeId: storeIdColumn(),
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
    benefitsList: p.array().columnType('text[]'),
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

/** Highest level of a tier, and so of a reward's minimum. */
export const levelMax = 1_000;
const longText = 10_000;
const countMax = 1_000_000_000;
const percentMax = 100;
const multiplierMax = 1_000;
const benefitMax = 255;
const listsMax = itemsMax('store.customers.v1.LoyaltyTierInput');

const fields = {
  name: requiredText().transform((name) => name.trim()),
  level: filled(integerField(0, levelMax)),
  description: textField(longText),
  color: textField(),
  minimum_lifetime_spend: filled(moneyField()),
  minimum_visits: filled(integerField(0, countMax)),
  discount_percentage: filled(atMost(moneyField(), percentMax)),
  points_multiplier: filled(atMost(moneyField(), multiplierMax)),
  free_delivery: booleanField(),
  early_access_sales: booleanField(),
  benefits_description: textField(longText),
  active: booleanField(),
};

/** What a new tier is where nothing was sent. */
export const newTier = {
  description: null,
  color: null,
  minimum_lifetime_spend: '0.00',
  minimum_visits: 0,
  discount_percentage: '0.00',
  points_multiplier: '1.00',
  free_delivery: false,
  early_access_sales: false,
  benefits_description: null,
  benefits_list: [] as string[],
  active: true,
};

type TierAccepted = Acceptance<typeof fields> & { values: { benefits_list?: string[] } };

export const acceptLoyaltyTier = {
  create: (input: LoyaltyTierInput__Output | null | undefined) => accept(input, { name: '', level: '' }),
  update: (input: LoyaltyTierInput__Output | null | undefined) => accept(input, {}),
};

function accept(input: LoyaltyTierInput__Output | null | undefined, blank: object): TierAccepted {
  const given = isEmptyList(input) ? input! : sent('loyalty_tier', input);
  const accepted = parseFields(fields, { ...blank, ...given });
  const benefits = acceptBenefits(given, accepted.errors);
  return { errors: accepted.errors, values: { ...accepted.values, ...(benefits && { benefits_list: benefits }) } };
}

/** `benefits_list: []` alone is a change: it empties the list. */
function isEmptyList(input: LoyaltyTierInput__Output | null | undefined): boolean {
  return input?.empty_lists?.includes('benefits_list') ?? false;
}

/** undefined: not sent, or not usable. */
function acceptBenefits(input: LoyaltyTierInput__Output, errors: FieldErrors): string[] | undefined {
  const list = input.benefits_list ?? [];
  const malformed = input.malformed?.some((path) => path.startsWith('benefits_list')) ?? false;
  if (malformed) errors.benefits_list = ['is invalid'];
  else if (list.length > listsMax.benefits_list!) errors.benefits_list = [`is too long (maximum is ${listsMax.benefits_list})`];
  else if (list.length === 0) return isEmptyList(input) ? [] : undefined;
  if (errors.benefits_list) return undefined;
  const items = list.map((text) => requiredText(benefitMax).safeParse(text));
  const wrong = items.find((item) => !item.success);
  if (wrong) errors.benefits_list = wrong.error!.issues.map((issue) => `item ${issue.message}`);
  return wrong ? undefined : items.map((item) => item.data!);
}

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
