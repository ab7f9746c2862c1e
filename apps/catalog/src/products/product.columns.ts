/** The columns that clients write, with their SQL types: one list for inserts, updates and diffs. */
import type { ProductLists, ProductValues } from './product.input.ts';

export const columns = {
  parent_id: 'bigint',
  name: 'text',
  sku: 'text',
  barcode: 'text',
  description: 'text',
  option_label: 'text',
  menu_display_name: 'text',
  price: 'numeric',
  cost: 'numeric',
  wholesale_price: 'numeric',
  wholesale_enabled: 'boolean',
  product_type: 'text',
  unit_type: 'text',
  product_format: 'text',
  brand_id: 'bigint',
  active: 'boolean',
  package_size: 'text',
  pack_quantity: 'numeric',
  box_quantity: 'numeric',
  low_stock_threshold: 'numeric',
  reorder_point: 'numeric',
  supplier_name: 'text',
  lot_number: 'text',
  expiry_date: 'date',
  is_cannabis_product: 'boolean',
  strain_type: 'text',
  thc_content: 'text',
  cbd_content: 'text',
  equivalent_grams: 'numeric',
  primary_image_url: 'text',
  exclude_from_promotions: 'boolean',
  block_manual_discounts: 'boolean',
} as const;

export type Column = keyof typeof columns;
export type Value = string | number | boolean | null;

/** A product as it is about to be written. */
export type Draft = Record<Column, Value>;

export const columnNames = Object.keys(columns) as Column[];

const defaults: Partial<Draft> = {
  price: '0.00',
  wholesale_enabled: false,
  product_type: 'simple',
  unit_type: 'unit',
  active: true,
  is_cannabis_product: false,
  exclude_from_promotions: false,
  block_manual_discounts: false,
};

/** A new product: what was sent over the defaults, which also stand in for what was sent empty. */
export function newDraft(values: ProductValues): Draft {
  const sent = values as Partial<Draft>;
  return Object.fromEntries(columnNames.map((name) => [name, sent[name] ?? defaults[name] ?? null])) as Draft;
}

/** A default is for creation only: on a product that exists an empty value of such a column is an error (D47). */
export function emptiedDefaults(values: ProductValues): Record<string, string[]> {
  const sent = values as Partial<Draft>;
  const empty_lists = columnNames.filter((name) => sent[name] === null && defaults[name] !== undefined);
  return Object.fromEntries(empty_lists.map((name) => [name, ["can't be blank"]]));
}

export type Diff = { before: Record<string, unknown>; after: Record<string, unknown> };

/** The columns in which two drafts differ; undefined: they are the same. */
export function diff(before: Draft, after: Draft): Diff | undefined {
  const changed = columnNames.filter((name) => text(before[name]) !== text(after[name]));
  if (changed.length === 0) return undefined;
  return { before: pick(before, changed), after: pick(after, changed) };
}

/** The record's values for the audit trail; empty columns are left out. */
export function filled(draft: Draft, lists: ProductLists = {}): Record<string, unknown> {
  return {
    ...pick(
      draft,
      columnNames.filter((name) => draft[name] !== null),
    ),
    ...listFields(lists),
  };
}

/** Lists that were written, by the names that clients send. */
export function listFields(lists: ProductLists): Record<string, unknown> {
  return {
    ...(lists.categoryIds && { category_ids: lists.categoryIds }),
    ...(lists.revenueCenterIds && { revenue_center_ids: lists.revenueCenterIds }),
    ...(lists.barcodes && { additional_barcodes: lists.barcodes }),
    ...(lists.presets && { weight_presets: lists.presets }),
  };
}

function pick(draft: Draft, names: Column[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, draft[name]]));
}

/** The column of a row as text: ids come back from the driver as text, client values as numbers. */
function text(value: Value): string {
  return value === null ? '' : String(value);
}
