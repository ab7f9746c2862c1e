import { describe, expect, test } from '@jest/globals';
import { catalog, key, shareCatalog, staff, staffOf, storeId, updateCategory as update } from '../../test/catalog-under-test.ts';

shareCatalog();

const products = (...names: string[]) => Promise.all(names.map(async (name) => (await catalog.product({ name }, staff)).id as number));
const listed = (slug: string) => catalog.names(`category=${slug}`, key);
/** The ids of products that were told of as updated. */
const emitted = async (work: () => Promise<unknown>): Promise<number[]> =>
  (await catalog.eventsOf(storeId, work)).flatMap(({ name, body }) => (name === 'product.updated' ? [body.data.id] : []));

describe('product_ids of a category (staff)', () => {
  test('a new category takes the products, which show it', async () => {
    const [lantern, candle] = (await products('Lantern', 'Candle', 'Elsewhere')) as [number, number];
    const category = await catalog.category({ name: 'Lights', product_ids: [candle, lantern, lantern] }, staff);
    expect(category).toMatchObject({ product_count: 2 });
    expect(await listed('lights')).toEqual(['Candle', 'Lantern']);
    expect((await catalog.get(lantern, key)).categories).toEqual([{ id: category.id, name: 'Lights', slug: 'lights' }]);
  });

  test('a list replaces the one before, an empty one empties it, none leaves it', async () => {
    const [lantern, candle] = (await products('Lantern', 'Candle')) as [number, number];
    const { id } = await catalog.category({ name: 'Lights', product_ids: [lantern] }, staff);
    await update(id, { product_ids: [candle] });
    expect(await listed('lights')).toEqual(['Candle']);
    await update(id, { position: 3 });
    expect(await listed('lights')).toEqual(['Candle']);
    await update(id, { product_ids: [] });
    expect(await listed('lights')).toEqual([]);
  });

  test('D60: only products that were added or removed have an event', async () => {
    const [lantern, candle, torch] = (await products('Lantern', 'Candle', 'Torch')) as [number, number, number];
    const { id } = await catalog.category({ name: 'Lights', product_ids: [lantern, candle] }, staff);
    expect(await emitted(() => update(id, { product_ids: [candle, torch] }))).toEqual([lantern, torch].sort((a, b) => a - b));
    expect(await catalog.eventsOf(storeId, () => update(id, { product_ids: [torch, candle] }))).toEqual([]);
  });

  test('the audit trail has the list before and after', async () => {
    const [lantern, candle] = (await products('Lantern', 'Candle')) as [number, number];
    const { id } = await catalog.category({ name: 'Lights', product_ids: [lantern] }, staff);
    const events = await catalog.eventsOf(storeId, () => update(id, { product_ids: [candle] }));
    const change = { action: 'category.update', before: { product_ids: [lantern] }, after: { product_ids: [candle] } };
    expect(events.find(({ name }) => name === 'category.updated')?.audit).toMatchObject(change);
  });

  test("another store's, deleted and malformed ids are refused, and nothing is saved", async () => {
    const [mine, gone] = (await products('Mine', 'Gone')) as [number, number];
    await catalog.call('DeleteProduct', { id: String(gone) }, staff);
    const theirs = await catalog.product({ name: 'Theirs' }, staffOf(storeId + 100_000));
    const { id } = await catalog.category({ name: 'Lights', product_ids: [mine] }, staff);
    for (const bad of [theirs.id, gone, 999_999_999]) {
      expect(await catalog.refusal(update(id, { product_ids: [bad] }))).toMatchObject({ status: 422, errors: ['Product ids must exist'] });
    }
    expect(await catalog.refusal(update(id, { product_ids: ['one'] }))).toMatchObject({ errors: ['Product ids must be integers'] });
    expect(await catalog.refusal(update(id, { product_ids: 7 }))).toMatchObject({ errors: ['Product ids is invalid'] });
    expect(await listed('lights')).toEqual(['Mine']);
  });
});
