/** The content of the gift store, computed from the transactions before the first request. */
import { brandOf } from './brands.ts';
import { type Family, families } from './families.ts';
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

/** Cases of six and their doublings: few distinct levels, so that stock is set in few large requests. */
const levels = [6, 12, 24, 48, 96, 192, 384, 768, 1_536, 3_072, 6_144];
const daysOfData = 5;
const daysOfCover = 10;

/** Stock before the first sale: twice what five days sold, in whole cases; none of what came back as often as it was sold. */
export function openingStock({ sold, net }: Pick<DemoProduct, 'sold' | 'net'>): number {
  if (net <= 0) return 0;
  const wanted = (sold * daysOfCover) / daysOfData;
  return levels.find((level) => level >= wanted) ?? levels.at(-1)!;
}

const letters = 26;

/**
 * An EAN-13 number of the range 20 to 29, which is reserved for use within a shop: the data has no barcodes. It holds the stock code's
 * five digits and its letters as a number of base 26; `use` distinguishes further codes of one product.
 */
export function shopBarcode(sku: string, use = 0): string {
  const [, digits = '', suffix = ''] = /^(\d{5})([A-Z]{0,2})$/.exec(sku) ?? [];
  if (digits === '') throw new Error(`${sku} is no stock code`);
  const variant = [...suffix].reduce((value, letter) => value * letters + letter.charCodeAt(0) - 64, 0);
  const body = `20${digits}${String(variant).padStart(3, '0')}${String(use).padStart(2, '0')}`;
  return body + checkDigit(body);
}

/** Weights 1 and 3 alternate from the left; the whole sum is a multiple of ten. */
export function checkDigit(body: string): number {
  const weighted = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (10 - (weighted % 10)) % 10;
}
