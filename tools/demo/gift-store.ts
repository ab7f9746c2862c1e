/** The demo store: the real retailer's products, loaded through the API with a key, and what staff add to them. */
import { brandNames } from './brands.ts';
import type { Client } from './client.ts';
import { idOf, planOf, productRows, stockLevels } from './gift-plan.ts';
import { loadBarcodes, loadCategories, loadCenters, loadDeleted, loadPromotion, loadVariations } from './gift-upkeep.ts';
import { demoProducts } from './products.ts';
import type { Progress } from './progress.ts';
import { readTransactions } from './transactions.ts';
import { brandsNamed, productsBySku, setStock, upsertProducts } from './upkeep.ts';

/** The product of the example requests. */
const exampleSku = '71053';

/** Loads the store; returns the id of the product that the examples name. */
export async function loadGiftStore(staff: Client, key: Client, progress: Progress): Promise<number> {
  progress.step('reading the transactions', 5);
  await staff.patch('/settings', {
    settings: { province: 'England', currency_code: 'GBP', tax: { mode: 'single', rate: 20, name: 'VAT' } },
  });
  const plan = planOf(demoProducts(readTransactions()).products);
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
