/** Product rows to the public shape: the mapping, and the only one. */

import { isoTime } from '@store/db';
import { twoDecimals } from '@store/input';
import type { Barcode, Product, Variation } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import type { ProductRow, VariationRow } from './product.query.ts';

/** Fields with no value are left out (General conventions); costs are dropped by the renderer. */
export function productView(row: ProductRow, variations: VariationRow[] | undefined, caller: Pick<Caller, 'features'>): Product {
  const nested = variations ?? [];
  const stock = row.has_variations ? nested.reduce((sum, variation) => sum + thousandths(variation.stock), 0) / 1000 : Number(row.stock);
  const price = row.price;
  const best = effectivePrice(row);
  return {
    id: row.id,
    name: row.name,
    sku: row.sku ?? undefined,
    barcode: row.barcode ?? undefined,
    description: row.description ?? undefined,
    option_label: row.option_label ?? undefined,
    additional_barcodes: barcodes(row),
    additional_barcode_codes: row.additional_barcodes.map((barcode) => barcode.code),
    product_type: row.product_type,
    unit_type: row.unit_type,
    price,
    effective_price: best,
    on_sale: best !== price,
    exclude_from_promotions: row.exclude_from_promotions,
    block_manual_discounts: row.block_manual_discounts,
    current_stock: stock,
    low_stock_threshold: row.low_stock_threshold === null ? undefined : Number(row.low_stock_threshold),
    in_stock: stock > 0,
    brand: row.brand ?? undefined,
    categories: row.categories,
    package_size: row.package_size ?? undefined,
    has_variations: row.has_variations,
    variations: nested.map(variationView),
    primary_image_url: row.primary_image_url ?? undefined,
    active: row.active,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    ...(caller.features.has('cannabis') && cannabisFields(row)),
    cost: row.cost ?? undefined,
    average_cost: row.average_cost ?? undefined,
    wholesale_price: row.wholesale_price ?? undefined,
    external_id: row.external_id ?? undefined,
  };
}

/** The best price of the promotions in force, where it is below the price (D50). */
export function effectivePrice({ price, best_price }: Pick<ProductRow, 'price' | 'best_price'>): string {
  return best_price !== null && Number(best_price) < Number(price) ? twoDecimals(best_price) : price;
}

/** "present only when cannabis features are on for the store" */
function cannabisFields(row: ProductRow): Product {
  return {
    strain_type: row.strain_type ?? undefined,
    thc_content: row.thc_content ?? undefined,
    cbd_content: row.cbd_content ?? undefined,
    equivalent_grams: row.equivalent_grams === null ? undefined : Number(row.equivalent_grams),
  };
}

function variationView(row: VariationRow): Variation {
  const stock = Number(row.stock);
  return {
    id: row.id,
    name: row.name,
    sku: row.sku ?? undefined,
    barcode: row.barcode ?? undefined,
    additional_barcodes: barcodes(row),
    additional_barcode_codes: row.additional_barcodes.map((barcode) => barcode.code),
    price: row.price,
    current_stock: stock,
    in_stock: stock > 0,
    external_id: row.external_id ?? undefined,
  };
}

function barcodes(row: Pick<ProductRow, 'additional_barcodes'>): Barcode[] {
  return row.additional_barcodes.map(({ code, label }) => ({ code, label: label ?? '' }));
}

/** NUMERIC(14,3) as whole thousandths: sums of them are exact. */
function thousandths(stock: string): number {
  return Math.round(Number(stock) * 1000);
}
