import {
  type Acceptance,
  acceptor,
  atMost,
  booleanField,
  choice,
  endField,
  type FieldErrors,
  filled,
  idField,
  integerField,
  moneyField,
  requiredText,
  textField,
  timestampField,
} from '@store/input';
import { levelMax } from '../loyalty-tiers/loyalty-tier.input.ts';
import { type RewardColumns, rewardTypes } from './loyalty-reward.ts';

const longText = 10_000;
const countMax = 1_000_000_000;
const percentMax = 100;

const rewardFields = (timeZone: string) => ({
  name: requiredText().transform((name) => name.trim()),
  description: textField(longText),
  reward_type: choice(rewardTypes),
  points_required: filled(integerField(0, countMax)),
  discount_amount: moneyField(),
  discount_percentage: atMost(moneyField(), percentMax),
  store_credit_amount: moneyField(),
  product_id: idField(),
  minimum_tier_level: integerField(0, levelMax),
  redemption_limit: integerField(1, countMax),
  valid_from: timestampField(timeZone),
  valid_until: endField(timeZone),
  reward_description: textField(longText),
  active: booleanField(),
});

type RewardAccepted = Acceptance<ReturnType<typeof rewardFields>>;

export const acceptLoyaltyReward = (timeZone: string) =>
  acceptor({ wrapper: 'loyalty_reward', fields: rewardFields(timeZone), required: ['name', 'reward_type', 'points_required'] });

/** The values of a reward without its name and description. */
type RewardDraft = Omit<RewardColumns, 'id' | 'store_id' | 'name' | 'reward_type' | 'points_required' | 'created_at' | 'updated_at'> & {
  reward_type?: string;
};

/** Defaults of a new reward. */
export const newReward: RewardDraft = {
  description: null,
  discount_amount: null,
  discount_percentage: null,
  store_credit_amount: null,
  product_id: null,
  minimum_tier_level: null,
  redemption_limit: null,
  valid_from: null,
  valid_until: null,
  reward_description: null,
  active: true,
};

/** What was wrong with the fields, and everything about the whole that does not hold: what a type needs, the order of the times. */
export function rewardErrors(accepted: RewardAccepted, stored: RewardDraft, productExists: boolean): FieldErrors {
  const draft = { ...stored, ...accepted.values };
  const errors: FieldErrors = { ...accepted.errors };
  const isZero = (amount: string | null) => amount === null || Number(amount) === 0;
  if (draft.reward_type === 'store_credit' && isZero(draft.store_credit_amount)) {
    errors.store_credit_amount ??= ['must be greater than 0'];
  }
  if (draft.reward_type === 'free_product' && draft.product_id === null) errors.product_id ??= ["can't be blank"];
  if (draft.reward_type === 'discount' && isZero(draft.discount_amount) && isZero(draft.discount_percentage)) {
    errors.discount_amount ??= ['or discount percentage must be greater than 0'];
  }
  if (accepted.values.product_id && !productExists) errors.product_id ??= ['must exist'];
  if (draft.valid_from && draft.valid_until && draft.valid_from >= draft.valid_until) errors.valid_until ??= ['must be after valid from'];
  return errors;
}
