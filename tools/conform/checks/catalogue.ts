/** Categories, brands and settings. */
import { areaOf } from '../check.ts';
import { before, holds, same } from '../outcome.ts';

const { read } = areaOf('catalogue');
const scopes = ['products:read'];

export const catalogueChecks = [
  read('GET /categories', 'Categories are a tree; one without active products, its own or below, is left out.', scopes, async (kit) => {
    const look = (rows: { id: number; depth: number; total_product_count: number; subcategories: never[] }[], depth: number): void => {
      for (const row of rows) {
        same(`depth of category ${row.id}`, row.depth, depth);
        holds(row.total_product_count > 0, `category ${row.id} has no products`);
        look(row.subcategories, depth + 1);
      }
    };
    look(await kit.data('/categories'), 0);
  }),
  read('GET /categories', 'full_name is the path of names, parent first.', scopes, async (kit) => {
    const look = (rows: { name: string; full_name: string; subcategories: never[] }[], parents: string[]): void => {
      for (const row of rows) {
        const names = [...parents, row.name];
        same('full_name', row.full_name, names.join(' > '));
        look(row.subcategories, names);
      }
    };
    look(await kit.data('/categories'), []);
  }),
  read('GET /brands', 'Brands are sorted by name and have id, name and description.', scopes, async (kit) => {
    const brands: { name: string }[] = await kit.data('/brands');
    for (const brand of brands) same('the keys of a brand', Object.keys(brand), ['id', 'name', 'description']);
    for (const [index, next] of brands.slice(1).entries()) holds(before(brands[index]!.name, next.name), `${next.name} is out of order`);
  }),
  read('GET /settings', 'locale is one of en, fr and es.', scopes, async (kit) => {
    const { locale } = await kit.data('/settings');
    holds(['en', 'fr', 'es'].includes(locale), `locale is ${locale}`);
  }),
  read('GET /settings', 'The features are loyalty, customers, label_printing, additional_tax and split_tax.', scopes, async (kit) => {
    const names = ['additional_tax', 'customers', 'label_printing', 'loyalty', 'split_tax'];
    same('features', Object.keys((await kit.data('/settings')).features).sort(), names);
  }),
  ...[
    'receipt_printer',
    'printer_bridge',
    'scale',
    'payment_terminal',
    'opening_float',
    'idle_timeout',
    'discount_presets',
    'tier_pricing',
    'dual_store',
  ].map((block) =>
    read('GET /settings', `Settings for keys leave out ${block.replaceAll('_', ' ')}.`, scopes, async (kit) => {
      const found = Object.keys(await kit.data('/settings')).filter((name) => name.includes(block));
      same('what is there of it', found, []);
    }),
  ),
];
