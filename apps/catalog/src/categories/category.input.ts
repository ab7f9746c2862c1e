/** Client text to accepted category values, and the slug that a name gives. */
import { itemsMax } from '@store/contract';
import {
  type Accepted,
  booleanField,
  choice,
  type FieldErrors,
  idField,
  idList,
  integerField,
  parseFields,
  requiredText,
  textField,
  urlField,
} from '@store/input';
import type { CategoryInput__Output } from '@store/protos/catalog/v1.ts';
import { z } from 'zod';

/** The values that GET /products?category=store:… knows (D55). */
const storeTypes = ['cannabis', 'general'] as const;
const listsMax = itemsMax('store.catalog.v1.CategoryInput');
const positionMax = 1_000_000;
const urlMax = 2048;
const slugMax = 255;
/** Letters of any script in lower case, digits and single hyphens; never ":" (D55). */
const slugPattern = /^[\p{Ll}\p{Lo}\p{M}\p{N}]+(-[\p{Ll}\p{Lo}\p{M}\p{N}]+)*$/u;

const slugField = () =>
  textField(slugMax).refine((slug) => slug === null || slugPattern.test(slug), {
    error: 'may hold only lower-case letters, digits and hyphens',
  });

const blankOr = <const T extends string>(values: readonly T[]) =>
  z.union([
    z
      .string()
      .refine((text) => text.trim() === '')
      .transform(() => null),
    choice(values),
  ]);

const categoryFields = {
  name: requiredText().transform((name) => name.trim()),
  parent_id: idField(),
  slug: slugField(),
  icon: textField(),
  icon_url: urlField(urlMax),
  color: textField(),
  position: integerField(0, positionMax),
  store_type: blankOr(storeTypes),
  age_restricted: booleanField(),
  active: booleanField(),
};

/** A unit of work may run twice on one of these, so it changes none of it. */
export interface CategoryAccepted {
  readonly values: Readonly<Accepted<typeof categoryFields>>;
  /** undefined: not sent. */
  readonly revenueCenterIds: number[] | undefined;
  /** undefined: not sent. */
  readonly productIds: number[] | undefined;
  readonly errors: Readonly<FieldErrors>;
}

export function acceptCategory(input: CategoryInput__Output): CategoryAccepted {
  const { values, errors } = parseFields(categoryFields, input);
  if (errors.store_type) errors.store_type = [`must be one of ${storeTypes.join(', ')}`];
  return {
    values,
    revenueCenterIds: idList(input, 'revenue_center_ids', listsMax, errors),
    productIds: idList(input, 'product_ids', listsMax, errors),
    errors,
  };
}

/** "Café & Thé" gives "cafe-the"; a name without letters and digits gives "category". */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{Ll}\p{Lo}\p{M}\p{N}]+/gu);
  return words?.join('-').slice(0, slugMax) ?? 'category';
}

/** The slug, or the first of slug-2, slug-3, … that is free. */
export function freeSlug(slug: string, used: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug}-${n}`;
    if (!used.has(candidate)) return candidate;
  }
}
