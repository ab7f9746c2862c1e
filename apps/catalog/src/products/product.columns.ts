/** The columns that clients write, from the entity: one list for inserts, updates and differences. */
import { columnsOf, type Row } from '@store/db';
import type { ProductLists, ProductValues } from './product.input.ts';
import { Product } from './product.ts';

/** Written by the service alone; additional_barcodes is a list, which is written and compared on its own. */
const kept = [
  'id',
  'store_id',
  'average_cost',
  'written_cost',
  'cost_written_at',
  'has_variations',
  'additional_barcodes',
  'stock',
  'stock_version',
  'search_text',
  'created_at',
  'updated_at',
  'deleted_at',
  'brand_name',
  'category_list',
] as const;

export type Column = Exclude<keyof Row<typeof Product> & string, (typeof kept)[number]>;
export type Value = string | number | boolean | null;

/** A product as it is about to be written. */
export type Draft = Record<Column, Value>;

export const columnNames = columnsOf(Product).filter((name): name is Column => !(kept as readonly string[]).includes(name));

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
export function newDraft(values: ProductValues & { awaits_price?: true }): Draft {
  const sent = values as Partial<Draft>;
  return Object.fromEntries(columnNames.map((name) => [name, sent[name] ?? defaults[name] ?? null])) as Draft;
}

/** A product that awaits its price is put on sale by it, unless the same write says whether it is (D269). */
export function priced(draft: Draft, { active }: Pick<ProductValues, 'active'>): Draft {
  if (!draft.awaits_price || (active == null && Number(draft.price) === 0)) return draft;
  return { ...draft, active: active ?? true, awaits_price: null };
}

/** A default is for creation only: on a product that exists an empty value of such a column is an error (D47). */
export function emptiedDefaults(values: ProductValues): Record<string, string[]> {
  const sent = values as Partial<Draft>;
  const empty_lists = columnNames.filter((name) => sent[name] === null && defaults[name] !== undefined);
  return Object.fromEntries(empty_lists.map((name) => [name, ["can't be blank"]]));
}

/** The record's values for the audit trail; empty columns are left out. */
export function filled(draft: Draft, lists: ProductLists = {}): Record<string, unknown> {
  const columns = columnNames.filter((name) => draft[name] !== null);
  return { ...Object.fromEntries(columns.map((name) => [name, draft[name]])), ...listFields(lists) };
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
