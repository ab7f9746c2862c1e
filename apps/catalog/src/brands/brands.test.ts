import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { type Json, lockWaits } from '@store/testbed';
import { catalog, key, keyOf, shareCatalog, staff, staffOf, storeId } from '../../test/catalog-under-test.ts';
import { newDraft } from '../products/product.columns.ts';
import { insertProducts, lockBrands } from '../products/write-products.ts';

shareCatalog();

describe('brands', () => {
  test('spec: all brands sorted by name, of this store only', async () => {
    for (const name of ['Zed', 'acme', 'Beta']) await catalog.brand(name, staff);
    const names = async (caller = key) => (await catalog.query('ListBrands', '', caller)).brands.map((brand: Json) => brand.name);
    expect(await names()).toEqual(['Beta', 'Zed', 'acme']);
    expect(await names(keyOf(storeId + 1000))).toEqual([]);
  });

  test('a rename is shown and searchable at once, with an event per product of the brand', async () => {
    const brand = await catalog.brand('Acme', staff);
    const mine = await catalog.product({ name: 'Lantern', brand_id: brand.id, weight_presets: [{ weight: 1, barcode: '29' }] }, staff);
    await catalog.product({ name: 'Other' }, staff);
    catalog.clock.advance(1000);
    const since = new Date(catalog.clock.now().getTime() - 1).toISOString();
    const events = await catalog.eventsOf(storeId, () =>
      catalog.body('UpdateBrand', { brand: { name: ' Apex ' } }, staff, { id: brand.id }),
    );
    expect(events.map((event) => [event.name, event.body?.data.brand])).toEqual([
      ['product.updated', 'Apex'],
      ['brand.updated', undefined],
    ]);
    expect(events[0]!.audit).toBeUndefined();
    expect(events[1]!.audit).toMatchObject({ action: 'brand.update', before: { name: 'Acme' }, after: { name: 'Apex' } });
    expect(await catalog.names(`updated_since=${since}`, key)).toEqual(['Lantern']);
    expect(await catalog.names('search=apex', key)).toEqual(['Lantern']);
    expect(await catalog.names('search=acme', key)).toEqual([]);
    expect(await catalog.names('search=29', key)).toEqual(['Lantern']);
    expect(await catalog.names('brand=Apex', key)).toEqual(['Lantern']);
    expect(await catalog.get(mine.id, key)).toMatchObject({ brand: 'Apex' });
  });

  test('a description, or the same name again, emits no event of a product', async () => {
    const brand = await catalog.brand('Acme', staff);
    await catalog.product({ name: 'Lantern', brand_id: brand.id }, staff);
    const events = await catalog.eventsOf(storeId, async () => {
      await catalog.body('UpdateBrand', { brand: { name: 'Acme', description: 'Old firm' } }, staff, { id: brand.id });
      await catalog.body('UpdateBrand', { brand: { name: 'Acme', description: 'Old firm' } }, staff, { id: brand.id });
    });
    expect(events.map((event) => [event.name, event.audit?.after])).toEqual([['brand.updated', { description: 'Old firm' }]]);
  });

  test('a deleted brand leaves its products without it, each with an event', async () => {
    const brand = await catalog.brand('Acme', staff);
    const { id } = await catalog.product({ name: 'Lantern', brand_id: brand.id }, staff);
    const events = await catalog.eventsOf(storeId, () => catalog.call('DeleteBrand', { id: String(brand.id) }, staff));
    expect(events.map((event) => event.name)).toEqual(['product.updated', 'brand.deleted']);
    expect(events[0]!.body.data).not.toHaveProperty('brand');
    expect(await catalog.get(id, key)).not.toHaveProperty('brand');
    expect(await catalog.names('search=acme', key)).toEqual([]);
  });

  test('a rename of a brand with more products than one batch emits one event of each', async () => {
    const brand = await catalog.brand('Acme', staff);
    await catalog.body(
      'BulkUpsert',
      { products: Array.from({ length: 620 }, (_, n) => ({ sku: `s${n}`, name: `n${n}`, brand_id: brand.id })) },
      key,
    );
    const events = await catalog.eventsOf(storeId, () => catalog.body('UpdateBrand', { brand: { name: 'Apex' } }, staff, { id: brand.id }));
    const aggregates = events.filter((event) => event.name === 'product.updated').map((event) => event.aggregate);
    expect(aggregates).toHaveLength(620);
    expect(new Set(aggregates).size).toBe(620);
    expect((await catalog.list('search=apex', key)).pagination.total_count).toBe(620);
  });

  test('a product that is written while its brand is renamed is found by the new name', async () => {
    const brand = await catalog.brand('Acme', staff);
    let rename = Promise.resolve();
    await catalog.db.unit(storeId, async (em) => {
      const names = await lockBrands(em, storeId, [brand.id]);
      rename = catalog.body('UpdateBrand', { brand: { name: 'Apex' } }, staff, { id: brand.id });
      await lockWaits(catalog.db, 1, rename);
      const drafts = [newDraft({ name: 'Lantern', sku: 'A', brand_id: brand.id })];
      await insertProducts(em, storeId, catalog.clock.now(), drafts, names);
    });
    await rename;
    expect(await catalog.names('search=apex', key)).toEqual(['Lantern']);
    expect(catalog.lines).toEqual([]);
  });

  test.each<[string, object]>([
    ['UpdateBrand', { brand: { name: 'Apex' } }],
    ['DeleteBrand', {}],
  ])('%s and a product that is written twice do not wait for each other', async (verb, body) => {
    const brand = await catalog.brand('Acme', staff);
    const { id } = await catalog.product({ name: 'Lantern', price: 1, brand_id: brand.id }, staff);
    let change = Promise.resolve();
    await catalog.db.unit(storeId, async (em) => {
      const write = (name: string) => sql(em, 'update catalog.products set name = $2 where id = $1', [id, name]);
      await sql(em, "set local lock_timeout = '500ms'");
      await write('Lamp');
      change = catalog.body(verb, body, staff, { id: brand.id });
      await lockWaits(catalog.db, 1, change);
      // Of a row that this transaction has written, PostgreSQL asks for the brand again.
      await write('Lantern');
    });
    await change;
    expect(catalog.lines).toEqual([]);
  });

  test('a blank or taken name is refused', async () => {
    await catalog.brand('Acme', staff);
    for (const [brand, error] of [
      [{ description: 'x' }, "Name can't be blank"],
      [{ name: '' }, "Name can't be blank"],
      [{ name: ' Acme' }, 'Name has already been taken'],
      [{ name: ['x'] }, 'Name is invalid'],
    ]) {
      expect(await catalog.refusal(catalog.body('CreateBrand', { brand }, staff))).toMatchObject({ status: 422, errors: [error] });
    }
  });
});

describe('revenue centers', () => {
  const create = (name: string) => catalog.center(name, staff);

  test('revenue centers are created, renamed, listed and deleted, each change audited', async () => {
    const front = await create('Front');
    await create('Back');
    await catalog.body('UpdateRevenueCenter', { revenue_center: { name: 'Annex' } }, staff, { id: front.id });
    const names = async (caller = staff) =>
      (await catalog.query('ListRevenueCenters', '', caller)).revenue_centers.map((center: Json) => center.name);
    expect(await names()).toEqual(['Annex', 'Back']);
    expect(await names(staffOf(storeId + 1000))).toEqual([]);
    expect(await catalog.refusal(create('Back'))).toMatchObject({ status: 422, errors: ['Name has already been taken'] });
    expect(await catalog.refusal(create(' '))).toMatchObject({ status: 422, errors: ["Name can't be blank"] });
    await catalog.call('DeleteRevenueCenter', { id: String(front.id) }, staff);
    expect(await names()).toEqual(['Back']);
    expect((await catalog.events(storeId)).map((event) => [event.name, event.audit?.before, event.audit?.after])).toEqual([
      ['revenue_center.created', null, { name: 'Front' }],
      ['revenue_center.created', null, { name: 'Back' }],
      ['revenue_center.updated', { name: 'Front' }, { name: 'Annex' }],
      ['revenue_center.deleted', { name: 'Annex' }, null],
    ]);
  });

  test('D58: what was only in a deleted center is visible in every other', async () => {
    const [front, back] = [await create('Front'), await create('Back')];
    await catalog.product({ name: 'a', revenue_center_ids: [front.id] }, staff);
    expect(await catalog.names(`revenue_center_id=${back.id}`, key)).toEqual([]);
    await catalog.call('DeleteRevenueCenter', { id: String(front.id) }, staff);
    expect(await catalog.names(`revenue_center_id=${back.id}`, key)).toEqual(['a']);
  });
});
