/**
 * What a product's last event shows is what GET shows: after any history of upkeep, by two sessions at once, whichever of
 * them commits first.
 */
import { expect, test } from '@jest/globals';
import { Problem } from '@store/problem';
import type { Json } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { productOf, staffOf } from '../../test/catalog-under-test.ts';
import { catalog, shareCatalog } from '../../test/shared-catalog.ts';
import { announcePromotions } from '../promotions/announce-promotions.ts';

let storeId = 0;

const noon = Date.parse('2026-11-20T12:00:00.000Z');
const minuteMs = 60_000;

shareCatalog();

const kinds = [
  'price',
  'categories',
  'exclude',
  'adopt',
  'brand',
  'remove',
  'restore',
  'assign',
  'move category',
  'rename category',
  'drop category',
  'rename brand',
  'drop brand',
  'promote products',
  'promote category',
  'change promotion',
  'end promotion',
  'later',
  'tell',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  product: fc.nat(3),
  other: fc.nat(3),
  category: fc.nat(2),
  below: fc.option(fc.nat(2)),
  among: fc.subarray([0, 1, 2]),
  value: fc.integer({ min: 1, max: 90 }),
  startsIn: fc.integer({ min: -1, max: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const history = fc.array(step, { minLength: 2, maxLength: 8 });

test("after any history of upkeep verbs in two sessions every product's last event shows what GET shows", async () => {
  await holds(
    fc.asyncProperty(history, history, async (one, other) => {
      storeId += 1;
      catalog.clock.set(new Date(noon));
      const shop = await openShop();
      await Promise.all([one, other].map((steps) => shop.take(steps)));
      await announcePromotions(catalog.app);
      await expectTold();
    }),
    { numRuns: 30 },
  );
}, 120_000);

/** A parent's page also shows its variations, which have events of their own (D142), and categories in an order of their own. */
function told({ variations, has_variations, current_stock, in_stock, categories, ...shown }: Json, isParent: boolean): Json {
  const ids = categories.map((category: Json) => category.id).sort();
  if (!isParent) return { ...shown, current_stock, in_stock, categories: ids };
  const { updated_at, ...rest } = shown;
  return { ...rest, categories: ids };
}

async function expectTold(): Promise<void> {
  const staff = staffOf(storeId);
  const lastEvents = new Map(
    (await catalog.events(storeId)).filter(({ body }) => body?.resource_type === 'Product').map((event) => [productOf(event), event]),
  );
  const rows = await catalog.run<{ id: string; deleted: boolean; parent: boolean }>(
    `select p.id, p.deleted_at is not null as deleted, exists (select 1 from catalog.products v where v.parent_id = p.id) or p.name like 'Parent%' as parent
     from catalog.products p where p.store_id = $1 order by p.id`,
    [storeId],
  );
  for (const row of rows) {
    const event = lastEvents.get(Number(row.id))!;
    if (row.deleted) expect(event.name).toBe('product.deleted');
    else
      expect(told(event.body.data, row.parent)).toEqual(
        told(await catalog.get(Number(row.id), { ...staff, scopes: new Set() }), row.parent),
      );
  }
}

/** A store whose products, categories and promotions both sessions know by their position. */
async function openShop() {
  const staff = staffOf(storeId);
  let names = 0;
  const unused = (word: string) => `${word} ${++names}`;
  const category = async (fields: object = {}) => Number((await catalog.category({ name: unused('Category'), ...fields }, staff)).id);
  const brand = await catalog.brand(unused('Brand'), staff);
  const roots = [await category(), await category()];
  const categories = [...roots, await category({ parent_id: roots[0] })];
  const product = async (fields: object) => Number((await catalog.product({ name: unused('Parent'), price: 10, ...fields }, staff)).id);
  const products = [await product({ category_ids: [categories[0]] }), await product({ brand_id: brand.id })];
  products.push(await product({ parent_id: products[0] }), await product({}));
  const promotions: number[] = [];
  const running = { name: 'All', discount_type: 'percentage', value: 50, category_id: categories[0] };
  await catalog.body('CreatePromotion', { promotion: running }, staff);
  const promote = async (fields: object, { value, startsIn }: Step) => {
    const starts_at = new Date(catalog.clock.now().getTime() + startsIn * minuteMs);
    const promotion = { name: unused('P'), discount_type: 'percentage', value, starts_at, ...fields };
    promotions.push(Number((await catalog.body('CreatePromotion', { promotion }, staff)).promotion.id));
  };
  const update = (id: number, fields: object) => catalog.body('UpdateProduct', { product: fields }, staff, { id });
  const updateCategory = (id: number, fields: object) => catalog.body('UpdateCategory', { category: fields }, staff, { id });
  const run = (one: Step): Promise<unknown> => {
    const id = products[one.product]!;
    const categoryId = categories[one.category]!;
    const among = one.among.map((n) => categories[n]);
    const promotion = promotions[one.value % Math.max(promotions.length, 1)] ?? 0;
    const verbs: Record<(typeof kinds)[number], () => Promise<unknown>> = {
      price: () => update(id, { price: one.value }),
      categories: () => update(id, { category_ids: among }),
      exclude: () => update(id, { exclude_from_promotions: one.value % 2 === 0 }),
      adopt: () => update(id, { parent_id: one.below === null ? null : products[one.other] }),
      brand: () => update(id, { brand_id: one.below === null ? null : brand.id }),
      remove: () => catalog.call('DeleteProduct', { id: String(id) }, staff),
      restore: () => catalog.call('RestoreProduct', { id: String(id) }, staff),
      assign: () => updateCategory(categoryId, { product_ids: one.among.map((n) => products[n]) }),
      'move category': () => updateCategory(categoryId, { parent_id: one.below === null ? null : categories[one.below] }),
      'rename category': () => updateCategory(categoryId, { name: unused('Renamed') }),
      'drop category': () => catalog.call('DeleteCategory', { id: String(categoryId) }, staff),
      'rename brand': () => catalog.body('UpdateBrand', { brand: { name: unused('Brand') } }, staff, { id: brand.id }),
      'drop brand': () => catalog.call('DeleteBrand', { id: String(brand.id) }, staff),
      'promote products': () => promote({ product_ids: [id] }, one),
      'promote category': () => promote({ category_id: categoryId }, one),
      'change promotion': () =>
        catalog.body('UpdatePromotion', { promotion: { value: one.value, product_ids: [id] } }, staff, { id: promotion }),
      'end promotion': () => catalog.call('DeletePromotion', { id: String(promotion) }, staff),
      later: async () => catalog.clock.advance(minuteMs),
      tell: () => announcePromotions(catalog.app),
    };
    return verbs[one.kind]();
  };
  /** What the other session took away, or what cannot be, is refused; nothing else may go wrong. */
  const take = async (steps: Step[]) => {
    for (const one of steps) {
      await run(one).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
      });
    }
  };
  return { take };
}
