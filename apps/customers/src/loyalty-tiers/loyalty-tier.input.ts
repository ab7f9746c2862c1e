import { itemsMax } from '@store/contract';
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
} from '@store/input';
import type { LoyaltyTierInput__Output } from '@store/protos/customers/v1.ts';

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

/** Defaults of a new tier. */
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
