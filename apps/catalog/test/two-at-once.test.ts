/** Two transactions that would miss each other's rows, or wait for each other for ever, and a unit of work that runs twice. */
import { describe, expect, test } from '@jest/globals';
import { messageFromBody, messageType, parseBody } from '@store/contract';
import { type EntityManager, sql } from '@store/db';
import { bindVerbs } from '@store/rpc';
import { type Json, lockWaits, rerunsOf } from '@store/testbed';
import { verbs as table } from '../src/rpc.ts';
import { catalog, key, productOf, shareCatalog, staff, storeId, updateProduct as update, updateCategory } from './catalog-under-test.ts';

shareCatalog();

/** Runs `work` while a transaction of this test's own holds the product. */
function holding(id: number, work: () => Promise<unknown>): Promise<unknown> {
  return catalog.db.unit(storeId, async (em) => {
    await sql(em, 'select 1 from catalog.products where store_id = $1 and id = $2 for update', [storeId, id]);
    await work();
  });
}

describe('a promotion and a link made at the same time', () => {
  test.each([
    ['a product put into its category', (category: number) => ({ category_ids: [category] })],
    ['a product made a variation of one in its category', (_category: number, parent: number) => ({ parent_id: parent })],
  ])('find each other: %s', async (_what, link) => {
    const garden = await catalog.category({ name: 'Garden' }, staff);
    const lights = await catalog.category({ name: 'Lights', parent_id: garden.id }, staff);
    const inside = await catalog.product({ name: 'Inside', price: 10, category_ids: [lights.id] }, staff);
    const { id } = await catalog.product({ name: 'Lamp', price: 10 }, staff);
    const work: Promise<unknown>[] = [];
    await holding(inside.id, async () => {
      // The promotion has looked for its products and waits for one of them.
      work.push(catalog.promotion({ category_id: garden.id }, staff));
      await lockWaits(catalog.db, 1);
      work.push(update(id, link(lights.id, inside.id)));
      await lockWaits(catalog.db, 2, work[1]);
    });
    await Promise.all(work);
    const last = (await catalog.events(storeId)).filter((event) => productOf(event) === id).at(-1)!;
    expect((await catalog.get(id, key)).effective_price).toBe('9.00');
    expect(last.body.data.effective_price).toBe('9.00');
  });
});

describe('a rename and a write of one of the products that show the name', () => {
  /** The rename holds the name and waits for the first product; then the second is written. */
  async function reruns(rename: () => Promise<unknown>, first: number, write: () => Promise<unknown>): Promise<number> {
    return rerunsOf(catalog.db, async () => {
      const work: Promise<unknown>[] = [];
      await holding(first, async () => {
        work.push(rename());
        await lockWaits(catalog.db, 1);
        work.push(write());
        await lockWaits(catalog.db, 2, work[1]);
      });
      await Promise.all(work);
    });
  }

  test('lock the brand and the product in one order: neither runs again', async () => {
    const brand = await catalog.brand('Acme', staff);
    const first = await catalog.product({ name: 'a', brand_id: brand.id }, staff);
    const second = await catalog.product({ name: 'b', sku: 'B', brand_id: brand.id }, staff);
    let names = 0;
    const rename = () => catalog.body('UpdateBrand', { brand: { name: `Apex ${++names}` } }, staff, { id: brand.id });
    const bulk = (fields: object) => () => catalog.body('BulkUpsert', { products: [{ sku: 'B', ...fields }] }, key);
    expect(await reruns(rename, first.id, () => update(second.id, { name: 'c' }))).toBe(0);
    expect(await reruns(rename, first.id, () => update(second.id, { name: 'd', brand_id: brand.id }))).toBe(0);
    expect(await reruns(rename, first.id, bulk({ name: 'e' }))).toBe(0);
    expect(await reruns(rename, first.id, bulk({ name: 'f', brand_id: brand.id }))).toBe(0);
    expect((await catalog.list('search=apex', key)).products.map((product: Json) => [product.name, product.brand])).toEqual([
      ['a', 'Apex 4'],
      ['f', 'Apex 4'],
    ]);
  });

  test('lock the category and the product in one order: neither runs again', async () => {
    const category = await catalog.category({ name: 'Garden' }, staff);
    const first = await catalog.product({ name: 'a', category_ids: [category.id] }, staff);
    const second = await catalog.product({ name: 'b', category_ids: [category.id] }, staff);
    const rename = (fields: object) => () => updateCategory(category.id, { name: 'Yard', ...fields });
    const write = () => update(second.id, { name: 'c', category_ids: [category.id] });
    expect(await reruns(rename({}), first.id, write)).toBe(0);
    expect(await reruns(rename({ name: 'Court', product_ids: [first.id, second.id] }), first.id, write)).toBe(0);
    expect((await catalog.get(second.id, key)).categories).toMatchObject([{ name: 'Court' }]);
  });

  test('a product that comes back while its brand is renamed shows the new name', async () => {
    const brand = await catalog.brand('Acme', staff);
    const first = await catalog.product({ name: 'a', brand_id: brand.id }, staff);
    const gone = await catalog.product({ name: 'b', brand_id: brand.id }, staff);
    await catalog.call('DeleteProduct', { id: String(gone.id) }, staff);
    const rename = () => catalog.body('UpdateBrand', { brand: { name: 'Apex' } }, staff, { id: brand.id });
    await reruns(rename, first.id, () => catalog.call('RestoreProduct', { id: String(gone.id) }, staff));
    expect(await catalog.get(gone.id, key)).toMatchObject({ brand: 'Apex' });
    expect(await catalog.names('search=apex', key)).toEqual(['a', 'b']);
  });
});

describe('a unit of work that runs again after a deadlock', () => {
  /** The same closure twice: refused for `cause`, which is gone when it runs again. */
  async function secondRun(rpc: string, body: object, cause: () => Promise<unknown>): Promise<unknown> {
    const { db } = catalog.app;
    let refusals = 0;
    const unit = async <T>(store: number, work: (em: EntityManager) => Promise<T>): Promise<T> => {
      try {
        // Of a bulk endpoint the look at the store's backlog is a unit before it.
        return await db.unit(store, work);
      } catch (error) {
        expect(error).toMatchObject({ kind: 'invalid' });
        refusals += 1;
        await cause();
        return db.unit(store, work);
      }
    };
    const verbs = bindVerbs(table, { ...catalog.app, db: { ...db, unit } }) as unknown as Record<
      string,
      (request: object, call: object) => Promise<unknown>
    >;
    const { id, ...sent } = body as { id?: string };
    const request = messageFromBody(
      messageType(`store.catalog.v1.${rpc}Request`),
      parseBody(JSON.stringify(sent)) as Record<string, unknown>,
    );
    const answer = await verbs[rpc]!(
      { ...request, ...(id && { id: String(id) }) },
      { caller: staff, deadlineMs: Date.now() + 60_000, rpc: `/store.catalog.v1.Catalog/${rpc}` },
    );
    expect(refusals).toBe(1);
    return answer;
  }
  const gone = (table: string, id: number) => () =>
    catalog.run(`delete from catalog.${table} where store_id = $1 and id = $2`, [storeId, id]);

  test.each([
    ['Brand', 'brand', 'brands', { name: 'Acme' }],
    ['RevenueCenter', 'revenue_center', 'revenue_centers', { name: 'Bar' }],
    ['Category', 'category', 'categories', { name: 'G', slug: 'garden' }],
    ['Product', 'product', 'products', { name: 'c', sku: 'A' }],
  ])('a new and a changed %s are not refused for what is free by then', async (noun, wrapper, table, wanted) => {
    const make = async (fields: object) => (await catalog.body(`Create${noun}`, { [wrapper]: fields }, staff))[wrapper].id as number;
    const taken = await make(wanted);
    const other = await make({ name: 'Other' });
    const created = (await secondRun(`Create${noun}`, { [wrapper]: wanted }, gone(table, taken))) as Json;
    expect(created).toMatchObject({ [wrapper]: wanted });
    const changed = await secondRun(`Update${noun}`, { [wrapper]: wanted, id: other }, gone(table, Number(created[wrapper].id)));
    expect(changed).toMatchObject({ [wrapper]: wanted });
  });

  test.each(['CreatePromotion', 'UpdatePromotion'])('%s is not refused for a product that is there by then', async (rpc) => {
    const { id } = await catalog.product({ name: 'a' }, staff);
    const other = await catalog.product({ name: 'b' }, staff);
    const promotion = { name: 'P', discount_type: 'percentage', value: 10, product_ids: [id] };
    const created = await catalog.promotion({ product_ids: [other.id] }, staff);
    await catalog.call('DeleteProduct', { id: String(id) }, staff);
    const restore = () => catalog.call('RestoreProduct', { id: String(id) }, staff);
    const body = { promotion, ...(rpc === 'UpdatePromotion' && { id: created.id }) };
    expect(await secondRun(rpc, body, restore)).toMatchObject({ promotion: { product_ids: [id] } });
  });
});
