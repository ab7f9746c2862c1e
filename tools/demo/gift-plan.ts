/** The content of the gift store, computed from the transactions before the first request. */
import { shopBarcode } from './barcode.ts';
import { brandOf } from './brands.ts';
import { type Family, families } from './families.ts';
import { openingStock } from './opening-stock.ts';
import type { DemoProduct } from './products.ts';
import type { Listed } from './upkeep.ts';

/** Sold loose from three bags of the data, so that one product sells by weight. */
export const loose = { sku: 'MARBLES-LOOSE', name: 'Swirly Marbles, Loose', price: '3.30', stock: 42.5, bags: ['21703', '21704', '21705'] };
/** What is loaded: products, families of variations, and which product is inactive and which deleted. */
export interface Plan {
  products: DemoProduct[];
  families: Family[];
  inactive: DemoProduct;
  deleted: DemoProduct;
}

/** Products that were only returned keep an empty shelf; one of them is deactivated and one deleted. */
export function planOf(products: DemoProduct[]): Plan {
  const [inactive, deleted] = products.filter((product) => product.onlyReturned);
  const kept = products.filter((product) => product !== deleted);
  return { products: kept, families: families(kept), inactive: inactive!, deleted: deleted! };
}

export function idOf(listed: Map<string, Listed>, sku: string): number {
  const product = listed.get(sku);
  if (!product) throw new Error(`the demo store has no product ${sku}`);
  return product.id;
}

export function productRows({ products, families: groups, inactive }: Plan, brands: Map<string, number>): object[] {
  const labels = new Map(groups.flatMap((family) => family.members.map(({ sku, label }) => [sku, label])));
  const priceOf = new Map(products.map((product) => [product.sku, product.price]));
  const brandId = (name: string) => {
    const brand = brandOf(name);
    return brand === undefined ? {} : { brand_id: brands.get(brand) };
  };
  return [
    ...products.map((product) => ({
      ...rowOf(product),
      ...brandId(product.name),
      ...(labels.has(product.sku) && { product_type: 'variation', option_label: labels.get(product.sku) }),
      ...(product === inactive && { active: false }),
    })),
    ...groups.map((family) => ({
      sku: family.sku,
      name: family.name,
      barcode: shopBarcode(family.sku),
      price: lowest(family.members.map(({ sku }) => priceOf.get(sku)!)),
      product_type: 'variable',
      ...brandId(family.name),
    })),
    { sku: loose.sku, name: loose.name, price: loose.price, unit_type: 'kilogram' },
  ];
}

export function rowOf(product: DemoProduct): object {
  const stock = openingStock(product);
  return {
    sku: product.sku,
    name: product.name,
    barcode: shopBarcode(product.sku),
    price: product.price,
    ...(product.wholesalePrice && { wholesale_price: product.wholesalePrice, wholesale_enabled: true }),
    ...(stock > 0 && { low_stock_threshold: Math.floor(stock / 4) }),
  };
}

/** A product with variations shows the lowest price of them. */
const lowest = (prices: string[]): string => Math.min(...prices.map(Number)).toFixed(2);

/** Products by opening stock; products with no stock are left out, as a new product has none. */
export function stockLevels({ products, inactive }: Plan, listed: Map<string, Listed>): Map<number, number[]> {
  const levels = new Map<number, number[]>([[loose.stock, [idOf(listed, loose.sku)]]]);
  for (const product of products) {
    const level = openingStock(product);
    if (level === 0 || product === inactive) continue;
    levels.set(level, [...(levels.get(level) ?? []), idOf(listed, product.sku)]);
  }
  return levels;
}
