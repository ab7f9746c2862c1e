/** Client text to accepted promotion values. */
import { itemsMax } from '@store/contract';
import type { EntityManager } from '@store/db';
import {
  type Accepted,
  choice,
  type FieldErrors,
  idField,
  idList,
  moneyField,
  parseFields,
  requiredText,
  timestampField,
} from '@store/input';
import type { PromotionInput__Output } from '@store/protos/catalog/v1.ts';
import { allExist } from '../products/references.ts';

const discountTypes = ['percentage', 'fixed_amount', 'fixed_price'] as const;
const percentMax = 100;
/** Products that one promotion names; more of them are a category. */
const listsMax = itemsMax('store.catalog.v1.PromotionInput');

const promotionFields = (timeZone: string) => ({
  name: requiredText().transform((name) => name.trim()),
  discount_type: choice(discountTypes),
  value: moneyField(),
  category_id: idField(),
  starts_at: timestampField(timeZone),
  ends_at: timestampField(timeZone),
});

/** A promotion as it is about to be written. */
export interface PromotionDraft {
  name: string;
  discount_type: string;
  value: string | null;
  product_ids: number[];
  category_id: number | null;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** A unit of work may run twice on one of these, so it changes none of it. */
interface PromotionAccepted {
  readonly values: Readonly<Accepted<ReturnType<typeof promotionFields>>>;
  /** undefined: not sent. */
  readonly productIds: number[] | undefined;
  readonly errors: Readonly<FieldErrors>;
}

export function acceptPromotion(input: PromotionInput__Output, timeZone: string): PromotionAccepted {
  const { values, errors } = parseFields(promotionFields(timeZone), input);
  return { values, productIds: idList(input, 'product_ids', listsMax, errors), errors };
}

export const newPromotion: PromotionDraft = {
  name: '',
  discount_type: '',
  value: null,
  product_ids: [],
  category_id: null,
  starts_at: null,
  ends_at: null,
};

/** What was sent over what is stored: a category that is sent takes the place of products, and the other way round. */
export function mergePromotion(stored: PromotionDraft, { values, productIds }: PromotionAccepted): PromotionDraft {
  const draft = { ...stored, ...values, product_ids: productIds ?? stored.product_ids };
  if (values.category_id != null && productIds === undefined) draft.product_ids = [];
  if (productIds !== undefined && productIds.length > 0 && values.category_id === undefined) draft.category_id = null;
  return draft;
}

/** What was wrong with the fields, and everything about the whole that does not hold (D155). A stored target may be deleted since. */
export async function promotionErrors(
  em: EntityManager,
  storeId: number,
  draft: PromotionDraft,
  { values, productIds, errors: accepted }: PromotionAccepted,
): Promise<FieldErrors> {
  const errors: FieldErrors = { ...accepted };
  const isTargetSent = productIds !== undefined || values.category_id !== undefined;
  if (draft.value === null) errors.value ??= ["can't be blank"];
  else if (draft.discount_type === 'percentage' && Number(draft.value) > percentMax) {
    errors.value ??= [`must be less than or equal to ${percentMax}`];
  }
  if (draft.starts_at && draft.ends_at && draft.starts_at >= draft.ends_at) errors.ends_at ??= ['must be after starts at'];
  if (errors.product_ids || errors.category_id) return errors;
  if (draft.product_ids.length > 0 === (draft.category_id !== null)) errors.product_ids = ['or category id must be given, and not both'];
  else if (isTargetSent && !(await targetsExist(em, storeId, draft)))
    errors[draft.category_id === null ? 'product_ids' : 'category_id'] = ['must exist'];
  return errors;
}

const targetsExist = (em: EntityManager, storeId: number, { category_id, product_ids }: PromotionDraft): Promise<boolean> =>
  category_id === null ? allExist(em, storeId, 'products', product_ids) : allExist(em, storeId, 'categories', [category_id]);
