/** The demo store: the real retailer's products, loaded through the API with a key, and what staff add to them. */
import { brandNames } from './brands.ts';
import { categoryOf } from './categories.ts';
import { type Client, eachOf } from './client.ts';
import { idOf, loose, type Plan, planOf, productRows, rowOf, shopBarcode, stockLevels } from './gift-plan.ts';
import { demoProducts } from './products.ts';
import type { Progress } from './progress.ts';
import { readTransactions } from './transactions.ts';
import { atOnce, brandsNamed, type Listed, madeOnce, makeCategory, productsBySku, setStock, upsertProducts } from './upkeep.ts';

/** The product of the example requests. */
const exampleSku = '71053';

/** Loads the store; returns the id of the product that the examples name. */
export async function loadGiftStore(staff: Client, key: Client, progress: Progress): Promise<number> {
  progress.step('reading the transactions', 5);
  await staff.patch('/settings', {
    settings: { province: 'England', currency_code: 'GBP', tax: { mode: 'single', rate: 20, name: 'VAT' } },
  });
  const plan = planOf(demoProducts(readTransactions()));
  progress.step('products', 30);
  await upsertProducts(key, productRows(plan, await brandsNamed(staff, brandNames)));
  const listed = await productsBySku(key);
  progress.step('stock', 20);
  await setStock(key, stockLevels(plan, listed));
  progress.step('categories', 20);
  const categories = await loadCategories(staff, plan, listed);
  progress.step('variations, barcodes and presets', 20);
  await loadVariations(staff, plan, listed);
  await loadBarcodes(staff, plan, listed);
  await loadCenters(staff, categories);
  await loadPromotion(staff, categories);
  await loadDeleted(staff, plan);
  return idOf(listed, exampleSku);
}

const casesOf = 6;
const casedProducts = 10;
const centerProducts = 12;
const promotedCategory = 'Christmas';
/** A gift store has no other type. */
const storeType = 'general';

interface LoadedCategory {
  id: number;
  parent: string;
  name: string;
  productIds: number[];
}

/** Two levels; a product's variations belong to its category. */
async function loadCategories(staff: Client, { products, families: groups, inactive }: Plan, listed: Map<string, Listed>) {
  const members = new Set(groups.flatMap((family) => family.members.map(({ sku }) => sku)));
  const filed = [...products.filter(({ sku }) => !members.has(sku)), ...groups, loose].filter((product) => product !== inactive);
  const leaves = new Map<string, LoadedCategory>();
  for (const { sku, name } of filed) {
    const { parent, name: leaf } = categoryOf(name);
    const category = leaves.get(leaf) ?? { id: 0, parent, name: leaf, productIds: [] };
    category.productIds.push(idOf(listed, sku));
    leaves.set(leaf, category);
  }
  const parents = [...new Set([...leaves.values()].map(({ parent }) => parent))].sort();
  const parentIds = new Map<string, number>();
  for (const [position, name] of parents.entries()) parentIds.set(name, await makeCategory(staff, { name, position, storeType }));
  const ordered = [...leaves.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [position, leaf] of ordered.entries()) {
    leaf.id = await makeCategory(staff, { ...leaf, parentId: parentIds.get(leaf.parent)!, position, storeType });
  }
  return { leaves: ordered, parentIds };
}

type Categories = Awaited<ReturnType<typeof loadCategories>>;

async function loadVariations(staff: Client, { families: groups }: Plan, listed: Map<string, Listed>): Promise<void> {
  // Siblings change the same parent, so the variations of a family are created one after the other.
  await eachOf(groups, atOnce, async (family) => {
    const parentId = idOf(listed, family.sku);
    for (const { sku } of family.members) await staff.patch(`/products/${idOf(listed, sku)}`, { product: { parent_id: parentId } });
  });
}

/** The best sellers also have a code for the case, the loose marbles one for the bag. */
async function loadBarcodes(staff: Client, { products }: Plan, listed: Map<string, Listed>): Promise<void> {
  const best = products.toSorted((a, b) => b.sold - a.sold).slice(0, casedProducts);
  await eachOf(best, atOnce, ({ sku }) =>
    staff.patch(`/products/${idOf(listed, sku)}`, {
      product: { additional_barcodes: [{ code: shopBarcode(sku, 1), label: `Case of ${casesOf}` }] },
    }),
  );
  const presets = loose.bags.flatMap((sku) => {
    const bag = products.find((product) => product.sku === sku);
    const grams = bag && /(\d+)g/i.exec(bag.name)?.[1];
    return bag && grams ? [{ weight: Number(grams) / 1_000, label: `${grams} g`, barcode: shopBarcode(sku, 2), price: bag.price }] : [];
  });
  await staff.patch(`/products/${idOf(listed, loose.sku)}`, { product: { weight_presets: presets } });
}

/** Most products are sold everywhere; some furniture only in the shop, some cards only online. */
async function loadCenters(staff: Client, { leaves }: Categories): Promise<void> {
  const ids = await madeOnce(staff, 'revenue_center', [{ name: 'High street shop' }, { name: 'Online shop' }]);
  const only = ['Boxes & Small Furniture', 'Cards'].map((name, index) => {
    const products = leaves.find((leaf) => leaf.name === name)?.productIds.slice(0, centerProducts) ?? [];
    return products.map((id) => ({ id, center: ids[index]! }));
  });
  await eachOf(only.flat(), atOnce, ({ id, center }) => staff.patch(`/products/${id}`, { product: { revenue_center_ids: [center] } }));
}

/** Ten percent off a branch of the tree, from which one product is excluded. */
async function loadPromotion(staff: Client, { parentIds, leaves }: Categories): Promise<void> {
  const excluded = leaves.find((leaf) => leaf.parent === promotedCategory)!.productIds[0]!;
  await staff.patch(`/products/${excluded}`, { product: { exclude_from_promotions: true, block_manual_discounts: true } });
  const category_id = parentIds.get(promotedCategory);
  await madeOnce(staff, 'promotion', [{ name: 'Ten percent off Christmas', discount_type: 'percentage', value: 10, category_id }]);
}

/** Deleted products are in no list, so a repetition is detected by its Idempotency-Key. */
async function loadDeleted(staff: Client, { deleted }: Plan): Promise<void> {
  const created = await staff.post<{ product: { id: number } }>('/products', { product: rowOf(deleted) }, 'demo-deleted-product');
  await staff.delete(`/products/${created.product.id}`);
}
