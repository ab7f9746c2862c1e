import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { catalog, key, shareCatalog, staff, staffOf, storeId, updateCategory, updateProduct } from '../../test/catalog-under-test.ts';
import { announcePromotions } from './announce-promotions.ts';

let id: number;

const noon = '2026-11-20T12:00:00.000Z';
const tomorrow = '2026-11-21T12:00:00.000Z';
const later = '2026-11-22T12:00:00.000Z';

shareCatalog();
beforeEach(async () => {
  catalog.clock.set(noon);
  id = (await catalog.product({ name: 'Lantern', price: 10 }, key)).id;
});

const promote = (fields: object, caller = staff) => catalog.promotion(fields, caller);
const update = async (promotionId: number, promotion: object) =>
  (await catalog.body('UpdatePromotion', { promotion }, staff, { id: promotionId })).promotion;
const price = async (productId = id) => {
  const { effective_price, on_sale } = await catalog.get(productId, key);
  return [effective_price, on_sale];
};
const repriced = (work: () => Promise<unknown>) =>
  catalog
    .eventsOf(storeId, work)
    .then((events) =>
      events.filter((event) => event.name === 'product.updated').map((event) => [event.body.data.id, event.body.data.effective_price]),
    );

describe('effective_price and on_sale (D50)', () => {
  test.each([
    ['percentage', 10, '9.00', true],
    ['percentage', '33.335', '6.67', true],
    ['percentage', 100, '0.00', true],
    ['percentage', 0, '10.00', false],
    ['fixed_amount', 2.5, '7.50', true],
    ['fixed_amount', 25, '0.00', true],
    ['fixed_price', 4, '4.00', true],
    ['fixed_price', 12, '10.00', false],
  ])('%s %s makes 10.00 into %s', async (discount_type, value, expected, onSale) => {
    await promote({ discount_type, value, product_ids: [id] });
    expect(await price()).toEqual([expected, onSale]);
    expect((await catalog.list('', key)).products[0]).toMatchObject({ price: '10.00', effective_price: expected, on_sale: onSale });
  });

  test('a promotion holds from starts_at on, and no longer at ends_at', async () => {
    await promote({ product_ids: [id], starts_at: tomorrow, ends_at: later });
    expect(await price()).toEqual(['10.00', false]);
    catalog.clock.set(tomorrow);
    expect(await price()).toEqual(['9.00', true]);
    catalog.clock.set(new Date(Date.parse(later) - 1));
    expect(await price()).toEqual(['9.00', true]);
    catalog.clock.set(later);
    expect(await price()).toEqual(['10.00', false]);
  });

  test('the best of several holds', async () => {
    await promote({ product_ids: [id], value: 10 });
    await promote({ product_ids: [id], discount_type: 'fixed_price', value: 8 });
    await promote({ product_ids: [id], value: 90, starts_at: tomorrow });
    expect(await price()).toEqual(['8.00', true]);
  });

  test('a category promotion covers exactly its subcategories and their variations', async () => {
    const garden = await catalog.category({ name: 'Garden' }, staff);
    const lights = await catalog.category({ name: 'Lights', parent_id: garden.id }, staff);
    const below = await catalog.product({ name: 'below', price: 10, category_ids: [lights.id] }, staff);
    const variation = await catalog.product({ name: 'v', price: 20, parent_id: below.id }, staff);
    await promote({ category_id: garden.id });
    expect(await price(below.id)).toEqual(['9.00', true]);
    expect(await price(variation.id)).toEqual(['18.00', true]);
    expect(await price()).toEqual(['10.00', false]);
  });

  test('exclude_from_promotions keeps the price, of its variations too', async () => {
    const parent = await catalog.product({ name: 'p', price: 10, exclude_from_promotions: true }, staff);
    const variation = await catalog.product({ name: 'v', price: 10, parent_id: parent.id }, staff);
    await promote({ product_ids: [parent.id, id] });
    expect(await price(parent.id)).toEqual(['10.00', false]);
    expect(await price(variation.id)).toEqual(['10.00', false]);
    expect(await price()).toEqual(['9.00', true]);
  });

  test("another store's promotion changes nothing here", async () => {
    const refused = { status: 422, errors: ['Product ids must exist'] };
    expect(await catalog.refusal(promote({ product_ids: [id] }, staffOf(storeId + 1000)))).toMatchObject(refused);
  });
});

describe('products are told of prices that changed', () => {
  test('when a running promotion is made, changed or deleted', async () => {
    const other = await catalog.product({ name: 'Other', price: 20 }, key);
    let promotion: Json;
    expect(
      await repriced(async () => {
        promotion = await promote({ product_ids: [id] });
      }),
    ).toEqual([[id, '9.00']]);
    expect(await repriced(() => update(promotion.id, { value: 20 }))).toEqual([[id, '8.00']]);
    expect(await repriced(() => update(promotion.id, { name: 'Renamed', ends_at: later }))).toEqual([]);
    expect(await repriced(() => update(promotion.id, { product_ids: [other.id] }))).toEqual([
      [id, '10.00'],
      [other.id, '16.00'],
    ]);
    expect(await repriced(() => catalog.call('DeletePromotion', { id: String(promotion.id) }, staff))).toEqual([[other.id, '20.00']]);
  });

  describe('when not the promotion changed but what it reaches', () => {
    const setUp = async () => {
      const garden = await catalog.category({ name: 'Garden' }, staff);
      const lights = await catalog.category({ name: 'Lights', parent_id: garden.id }, staff);
      const parent = await catalog.product({ name: 'Lamp', price: 10 }, staff);
      const variation = await catalog.product({ name: 'Lamp, small', price: 20, parent_id: parent.id }, staff);
      await promote({ category_id: garden.id });
      return { garden, lights, parent: parent.id as number, variation: variation.id as number };
    };
    type Shop = Awaited<ReturnType<typeof setUp>>;

    test.each<[string, (shop: Shop) => (() => Promise<unknown>)[]]>([
      [
        "its parent's categories change",
        ({ lights, parent }) => [
          () => updateProduct(parent, { category_ids: [lights.id] }),
          () => updateProduct(parent, { category_ids: [] }),
        ],
      ],
      [
        'its parent is excluded from promotions',
        ({ lights, parent }) => [
          () => updateProduct(parent, { category_ids: [lights.id], exclude_from_promotions: false }),
          () => updateProduct(parent, { exclude_from_promotions: true }),
          () => updateProduct(parent, { exclude_from_promotions: false }),
        ],
      ],
      [
        "its parent is in a category's list",
        ({ lights, parent }) => [
          () => updateCategory(lights.id, { product_ids: [parent] }),
          () => updateCategory(lights.id, { product_ids: [] }),
          () => updateCategory(lights.id, { product_ids: [parent] }),
          () => catalog.byId('DeleteCategory', lights.id, staff),
          () => catalog.category({ name: 'New', parent_id: lights.parent_id, product_ids: [parent] }, staff),
        ],
      ],
    ])('a variation has an event with each new price when %s', async (_what, changesOf) => {
      const shop = await setUp();
      const { parent, variation } = shop;
      for (const [n, change] of changesOf(shop).entries()) {
        const [ofParent, ofVariation] = n % 2 === 0 ? ['9.00', '18.00'] : ['10.00', '20.00'];
        expect(await repriced(change)).toEqual([
          [parent, ofParent],
          [variation, ofVariation],
        ]);
      }
    });

    test('a variation has no event when its parent changes otherwise', async () => {
      const { lights, parent } = await setUp();
      await updateProduct(parent, { category_ids: [lights.id] });
      expect(await repriced(() => updateProduct(parent, { category_ids: [lights.id], name: 'Lamp!' }))).toEqual([[parent, '9.00']]);
    });

    test('moving a branch into or out of a promoted category emits for what it reprices', async () => {
      const { garden, lights, parent, variation } = await setUp();
      const house = await catalog.category({ name: 'House', product_ids: [parent] }, staff);
      const excluded = await catalog.product(
        { name: 'Excluded', price: 10, category_ids: [house.id], exclude_from_promotions: true },
        staff,
      );
      const rooms = await catalog.category({ name: 'Rooms', product_ids: [id, excluded.id] }, staff);
      await updateCategory(rooms.id, { parent_id: house.id });
      const promoted = [
        [id, '9.00'],
        [parent, '9.00'],
        [variation, '18.00'],
      ];
      expect(await repriced(() => updateCategory(house.id, { parent_id: lights.id }))).toEqual(promoted);
      expect(await repriced(() => updateCategory(house.id, { parent_id: garden.id }))).toEqual([]);
      expect(await repriced(() => updateCategory(house.id, { parent_id: null }))).toEqual([
        [id, '10.00'],
        [parent, '10.00'],
        [variation, '20.00'],
      ]);
    });

    test('a product repriced before its promotion is announced has an event when that ends', async () => {
      const { lights, parent } = await setUp();
      const early = await promote({ discount_type: 'fixed_price', value: 1, category_id: lights.id, starts_at: tomorrow });
      catalog.clock.set(tomorrow);
      expect(await repriced(() => updateProduct(parent, { category_ids: [lights.id] }))).toContainEqual([parent, '1.00']);
      expect(await repriced(() => update(early.id, { ends_at: new Date(Date.parse(tomorrow) + 1), product_ids: [id] }))).toContainEqual([
        parent,
        '9.00',
      ]);
    });
  });

  test('one promotion that cannot be announced holds up no other', async () => {
    await promote({ product_ids: [id], starts_at: tomorrow });
    const others = staffOf(storeId + 1000);
    const other = await catalog.product({ name: 'Theirs', price: 10 }, others);
    await promote({ product_ids: [other.id], starts_at: tomorrow }, others);
    catalog.clock.set(tomorrow);
    await catalog.run('update catalog.products set additional_barcodes = $2 where id = $1', [
      id,
      JSON.stringify(Array.from({ length: 5_000 }, () => ({ code: '9'.repeat(255), label: null }))),
    ]);
    await expect(announcePromotions(catalog.app)).rejects.toThrow(/^1 of \d+ promotions could not be announced$/);
    expect((await catalog.events(storeId + 1000)).at(-1)).toMatchObject({
      name: 'product.updated',
      body: { data: { effective_price: '9.00' } },
    });
    await catalog.run('delete from catalog.promotions where store_id = $1', [storeId]);
    await announcePromotions(catalog.app);
  });

  test('when its time comes and goes: once each, and updated_since finds them', async () => {
    expect(await repriced(() => promote({ product_ids: [id], starts_at: tomorrow, ends_at: later }))).toEqual([]);
    expect(await repriced(() => announcePromotions(catalog.app))).toEqual([]);
    catalog.clock.set(tomorrow);
    expect(await repriced(() => Promise.all([announcePromotions(catalog.app), announcePromotions(catalog.app)]))).toEqual([[id, '9.00']]);
    expect(await repriced(() => announcePromotions(catalog.app))).toEqual([]);
    expect(await catalog.names(`updated_since=${noon}`, key)).toEqual(['Lantern']);
    catalog.clock.set(later);
    expect(await repriced(() => announcePromotions(catalog.app))).toEqual([[id, '10.00']]);
    expect(await repriced(() => announcePromotions(catalog.app))).toEqual([]);
  });
});

describe('changes by staff (D155)', () => {
  test('a category that is sent takes the place of the products, and the other way round', async () => {
    const category = await catalog.category({ name: 'C' }, staff);
    const promotion = await promote({ product_ids: [id] });
    expect(await update(promotion.id, { category_id: category.id })).toMatchObject({ category_id: category.id, product_ids: [] });
    expect(await update(promotion.id, { product_ids: [id] })).toMatchObject({ category_id: null, product_ids: [id] });
    expect(await catalog.refusal(update(promotion.id, { product_ids: [] }))).toMatchObject({ status: 422 });
    expect(await catalog.refusal(update(promotion.id, { discount_type: 'percentage', value: 200 }))).toMatchObject({ status: 422 });
  });

  test('one whose product was deleted is changed still, and names no deleted one anew', async () => {
    const other = (await catalog.product({ name: 'Globe' }, key)).id;
    const { id: promotionId } = await promote({ product_ids: [id, other] });
    await catalog.byId('DeleteProduct', other, staff);
    expect(await update(promotionId, { value: 20 })).toMatchObject({ value: '20.00' });
    expect(await price()).toEqual(['8.00', true]);
    const refused = { status: 422, error: 'Validation failed: Product ids must exist' };
    expect(await catalog.refusal(update(promotionId, { product_ids: [other] }))).toMatchObject(refused);
  });

  test('D36: a time without an offset is in the store time zone', async () => {
    const created = await promote({ product_ids: [id], starts_at: '2026-12-01' }, staffOf(storeId, { timeZone: 'America/Toronto' }));
    expect(created.starts_at).toBe('2026-12-01T05:00:00.000Z');
  });

  test('promotions are listed newest first and audited, and are a 404 once deleted', async () => {
    const first = await promote({ product_ids: [id] });
    catalog.clock.advance(1000);
    const second = await promote({ product_ids: [id], name: 'Second' });
    await update(first.id, { name: 'First' });
    await update(first.id, { name: 'First' });
    await catalog.call('DeletePromotion', { id: String(second.id) }, staff);
    expect((await catalog.query('ListPromotions', '', staff)).promotions.map((row: Json) => row.name)).toEqual(['First']);
    const audits = (await catalog.events(storeId)).filter((event) => event.name.startsWith('promotion.'));
    expect(audits.map((event) => [event.name, event.text])).toEqual([
      ['promotion.created', null],
      ['promotion.created', null],
      ['promotion.updated', null],
      ['promotion.deleted', null],
    ]);
    expect(audits[2]!.audit).toMatchObject({ before: { name: 'P' }, after: { name: 'First' }, resource_type: 'Promotion' });
    const refused = { status: 404, error: 'Promotion not found' };
    expect(await catalog.refusal(update(second.id, { name: 'x' }))).toEqual(refused);
    expect(await catalog.refusal(catalog.call('DeletePromotion', { id: String(second.id) }, staff))).toEqual(refused);
    expect((await catalog.query('ListPromotions', '', staffOf(storeId + 1000))).promotions).toEqual([]);
  });
});
