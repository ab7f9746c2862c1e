/** Client text to accepted product values: the whitelist, and nowhere else. */
import { itemsMax } from '@store/contract';
import {
  type Accepted,
  amountField,
  booleanField,
  dateField,
  externalIdField,
  type FieldErrors,
  idField,
  idList,
  moneyField,
  parseFields,
  requiredText,
  textField,
  urlField,
  wasSent,
} from '@store/input';
import type { ProductInput__Output } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';

const longText = 10_000;
const listsMax = itemsMax('store.catalog.v1.ProductInput');
/** product_type and the like are open lists of short words (D46). */
const wordMax = 50;

/** SKUs are compared trimmed and case-sensitively (D65). */
const skuField = () => textField().transform((sku) => sku?.trim() ?? null);

/** What keys and staff may write (POST /products: "Only these fields are accepted; all others are ignored"). */
export const keyFields = {
  name: requiredText(),
  sku: skuField(),
  barcode: textField(),
  description: textField(longText),
  option_label: textField(),
  menu_display_name: textField(),
  price: moneyField(),
  cost: moneyField(),
  wholesale_price: moneyField(),
  wholesale_enabled: booleanField(),
  product_type: textField(wordMax),
  unit_type: textField(wordMax),
  product_format: textField(wordMax),
  brand_id: idField(),
  active: booleanField(),
  package_size: textField(),
  pack_quantity: amountField(),
  box_quantity: amountField(),
  low_stock_threshold: amountField(),
  reorder_point: amountField(),
  supplier_name: textField(),
  lot_number: textField(),
  expiry_date: dateField(),
  is_cannabis_product: booleanField(),
  strain_type: textField(wordMax),
  thc_content: textField(wordMax),
  cbd_content: textField(wordMax),
  external_id: externalIdField(),
};

/** What only staff write besides (D158); from keys these are ignored. */
export const staffFields = {
  equivalent_grams: amountField(),
  parent_id: idField(),
  primary_image_url: urlField(2048),
  exclude_from_promotions: booleanField(),
  block_manual_discounts: booleanField(),
};

export type ProductValues = Accepted<typeof keyFields> & Accepted<typeof staffFields>;

/** Lists that staff write; undefined: not sent, left as they are. */
export interface ProductLists {
  categoryIds?: number[];
  revenueCenterIds?: number[];
  barcodes?: { code: string; label: string | null }[];
  presets?: { weight: string; label: string | null; barcode: string; price: string | null }[];
}

/** A unit of work may run twice on one of these, so it changes none of it. */
export interface ProductAccepted {
  readonly values: Readonly<ProductValues>;
  readonly lists: Readonly<ProductLists>;
  readonly errors: Readonly<FieldErrors>;
}

export function acceptProduct(input: ProductInput__Output, caller: Pick<Caller, 'actor'>): ProductAccepted {
  if (caller.actor.type !== 'user') return { ...parseFields(keyFields, input), lists: {} };
  const { values, errors } = parseFields({ ...keyFields, ...staffFields }, input);
  return { values, lists: acceptLists(input, errors), errors };
}

function acceptLists(input: ProductInput__Output, errors: FieldErrors): ProductLists {
  const lists: ProductLists = {};
  const categoryIds = idList(input, 'category_ids', listsMax, errors);
  if (categoryIds) lists.categoryIds = categoryIds;
  const revenueCenterIds = idList(input, 'revenue_center_ids', listsMax, errors);
  if (revenueCenterIds) lists.revenueCenterIds = revenueCenterIds;
  if (wasSent(input, 'additional_barcodes', listsMax, errors)) {
    lists.barcodes = input.additional_barcodes!.map((barcode) => {
      const row = parseFields(barcodeFields, { code: '', ...barcode });
      report('additional_barcodes', row.errors, errors);
      return { code: row.values.code ?? '', label: row.values.label ?? null };
    });
  }
  if (wasSent(input, 'weight_presets', listsMax, errors)) {
    lists.presets = input.weight_presets!.map((preset) => {
      const row = parseFields(presetFields, { weight: '', barcode: '', ...preset });
      if (row.values.weight === null) row.errors.weight = ["can't be blank"];
      report('weight_presets', row.errors, errors);
      return {
        weight: row.values.weight ?? '0',
        label: row.values.label ?? null,
        barcode: row.values.barcode ?? '',
        price: row.values.price ?? null,
      };
    });
  }
  return lists;
}

const barcodeFields = { code: requiredText(), label: textField() };
const presetFields = { weight: amountField(), label: textField(), barcode: requiredText(), price: moneyField() };

function report(list: string, rowErrors: FieldErrors, errors: FieldErrors): void {
  const messages = Object.entries(rowErrors).flatMap(([field, found]) => found.map((message) => `${field} ${message}`));
  if (messages.length > 0) errors[list] = [...(errors[list] ?? []), ...messages];
}
