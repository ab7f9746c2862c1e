/** A product's row keeps copies of other rows that equal those rows after any history of changes. */
import { expect, test } from '@jest/globals';
import type { Problem } from '@store/problem';
import type { Json } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { staffOf } from '../../test/catalog-under-test.ts';
import { catalog, shareCatalog } from '../../test/shared-catalog.ts';
import { searchSeparator } from './search-text.ts';

let storeId = 0;

shareCatalog();

/** Products whose kept columns differ from what a join finds. */
function untrue(): Promise<Json[]> {
  return catalog.run(
    `select * from (
       select p.id, p.brand_name, b.name as brand, p.category_list, coalesce((
           select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'slug', c.slug) order by c.position, c.name, c.id)
           from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id where pc.product_id = p.id), '[]') as categories,
         p.search_text, lower(concat_ws($2, p.name, p.sku, p.barcode,
           (select string_agg(w.barcode, $2) from catalog.product_weight_presets w where w.product_id = p.id), b.name, parent_b.name)) as text
       from catalog.products p left join catalog.brands b on b.id = p.brand_id
         left join catalog.products parent on parent.id = p.parent_id left join catalog.brands parent_b on parent_b.id = parent.brand_id
       where p.store_id = $1 and p.deleted_at is null) kept
     where (brand_name, category_list, search_text) is distinct from (brand, categories, text)`,
    [storeId, searchSeparator],
  );
}

const products = 3;
const sorts = 2;
const step = fc.record({
  kind: fc.constantFrom(
    'rename brand',
    'drop brand',
    'rename category',
    'move category',
    'drop category',
    'assign',
    'write',
    'bulk',
    'rebrand',
    'adopt',
    'remove',
  ),
  product: fc.nat(products - 1),
  sort: fc.nat(sorts - 1),
  brand: fc.option(fc.nat(sorts - 1)),
  word: fc.constantFrom('Ash', 'Birch', 'Cedar'),
  position: fc.nat(2),
  categories: fc.subarray([0, 1]),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('a brand, a category and a product changed in any order leave no product with an old name', async () => {
  await holds(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      storeId += 1;
      const shop = await openShop();
      for (const one of steps) {
        await shop.take(one);
        expect(await untrue()).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

/** A store of a few products; a step on what is gone makes it again. */
async function openShop() {
  const staff = staffOf(storeId);
  let names = 0;
  const unused = (word: string) => `${word} ${++names}`;
  const newBrand = async () => Number((await catalog.brand(unused('Brand'), staff)).id);
  const newCategory = async () => Number((await catalog.category({ name: unused('Category') }, staff)).id);
  const brands = [await newBrand(), await newBrand()];
  const categories = [await newCategory(), await newCategory()];
  const shown = { brand_id: brands[0], category_ids: categories };
  const skus = [unused('S'), unused('S'), unused('S')];
  const newProduct = async (n: number) => Number((await catalog.product({ name: unused('Product'), sku: skus[n], ...shown }, staff)).id);
  const ids = [await newProduct(0), await newProduct(1), await newProduct(2)];
  const take = async ({ kind, product, sort, brand, word, position, categories: among }: Step) => {
    const brandId = brand === null ? null : brands[brand]!;
    const id = ids[product]!;
    switch (kind) {
      case 'rename brand':
        return catalog.body('UpdateBrand', { brand: { name: unused(word) } }, staff, { id: brands[sort]! });
      case 'drop brand':
        await catalog.call('DeleteBrand', { id: String(brands[sort]) }, staff);
        brands[sort] = await newBrand();
        return;
      case 'rename category':
        return catalog.body('UpdateCategory', { category: { name: word, slug: `slug-${++names}` } }, staff, { id: categories[sort]! });
      case 'move category':
        return catalog.body('UpdateCategory', { category: { position } }, staff, { id: categories[sort]! });
      case 'drop category':
        await catalog.call('DeleteCategory', { id: String(categories[sort]) }, staff);
        categories[sort] = await newCategory();
        return;
      case 'assign':
        return catalog.body('UpdateCategory', { category: { product_ids: ids.filter((_, n) => n !== product) } }, staff, {
          id: categories[sort]!,
        });
      case 'write': {
        const category_ids = among.map((n) => categories[n]);
        return catalog.body('UpdateProduct', { product: { brand_id: brandId, category_ids } }, staff, { id });
      }
      case 'bulk':
        return catalog.body('BulkUpsert', { products: [{ sku: unused('B'), name: word, brand_id: brandId }] }, staff);
      case 'rebrand':
        return catalog.body('BulkUpsert', { products: [{ sku: skus[product]!, brand_id: brandId }] }, staff);
      case 'adopt': {
        // Into the family of another, out of it, or into none: a parent cannot be a variation, which is refused.
        const parent_id = sort === 0 ? null : ids.find((other) => other !== id);
        const adopted = catalog.body('UpdateProduct', { product: { parent_id } }, staff, { id });
        return adopted.catch((error: Problem) => expect(error.kind).toBe('invalid'));
      }
      case 'remove':
        await catalog.call('DeleteProduct', { id: String(id) }, staff);
        await catalog.body('UpdateBrand', { brand: { name: unused(word) } }, staff, { id: brands[sort]! });
        return catalog.call('RestoreProduct', { id: String(id) }, staff);
    }
  };
  return { take };
}

test('the migration fills in what products that were there before show', async () => {
  storeId += 1;
  const staff = staffOf(storeId);
  const brand = await catalog.brand('Acme', staff);
  const category = await catalog.category({ name: 'Lights' }, staff);
  await catalog.product({ name: 'Lantern', brand_id: brand.id, category_ids: [category.id] }, staff);
  await catalog.run('alter table catalog.products drop column brand_name, drop column category_list');
  const { KeepNames } = await import('../migrations/2-denormalised-names.ts');
  const statements: string[] = [];
  KeepNames.prototype.up.call({ addSql: (text: string) => void statements.push(text) } as never);
  await catalog.db.unit(0, async (em) => {
    const { sql } = await import('@store/db');
    for (const text of statements) await sql(em, text);
  });
  expect(await untrue()).toEqual([]);
});

test('the migration lets search find variations that were there before by the brand of their parent, in any script', async () => {
  storeId += 1;
  const staff = staffOf(storeId);
  const brand = await catalog.brand('ÄRZTE', staff);
  const parent = await catalog.product({ name: 'Shirt', brand_id: brand.id }, staff);
  await catalog.product({ name: 'Large', sku: 'L', parent_id: parent.id }, staff);
  await catalog.run("update catalog.products set search_text = 'large' || chr(31) || 'l' where store_id = $1 and parent_id = $2", [
    storeId,
    parent.id,
  ]);
  const { SearchByParentBrand } = await import('../migrations/3-parent-brand-search.ts');
  const statements: string[] = [];
  SearchByParentBrand.prototype.up.call({ addSql: (text: string) => void statements.push(text) } as never);
  for (const text of statements) await catalog.run(text);
  expect(await catalog.names(`search=${encodeURIComponent('ärzte')}`, staff)).toEqual(['Large', 'Shirt']);
});
