import type { Call } from '@store/rpc';
import type { Inventory } from '../inventory.ts';
import type { LedgerProduct } from '../stock-adjustments/ledger-line.ts';

export interface StockProduct extends LedgerProduct {
  isBundle: boolean;
  hasVariations: boolean;
}

/** D106: the stock of a product with variations is the sum of theirs. */
export const adjustTheVariation = 'Product has variations; adjust the stock of a variation instead';
/** Spec, POST /stock_adjustments: warehouse_location_id. */
export const bundleHasNoLocation = 'Warehouse location is not allowed for bundle products';

/** Those of the ids that are the store's own and not deleted, in id order. */
export async function stockProducts(app: Inventory, call: Call, ids: number[]): Promise<StockProduct[]> {
  if (ids.length === 0) return [];
  const { products } = await app.catalog.GetStockProducts({ ids }, call);
  return (products ?? [])
    .map((product) => ({
      id: Number(product.id),
      name: product.name ?? '',
      sku: product.sku ?? null,
      isBundle: product.product_type === 'bundle',
      hasVariations: product.has_variations ?? false,
    }))
    .sort((a, b) => a.id - b.id);
}
