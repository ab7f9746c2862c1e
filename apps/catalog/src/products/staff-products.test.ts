import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { catalog, key, productOf, shareCatalog, staff, staffOf, storeId, updateProduct as update } from '../../test/catalog-under-test.ts';

shareCatalog();

const remove = (id: number) => catalog.call('DeleteProduct', { id: String(id) }, staff);
const restore = async (id: number) => (await catalog.call('RestoreProduct', { id: String(id) }, staff)).json.product;
const emitted = (work: () => Promise<unknown>) =>
  catalog.eventsOf(storeId, work).then((events) => events.map((event) => [event.name, productOf(event)]));
const notFound = { status: 404, error: 'Product not found' };

describe('PATCH /products/:id', () => {
  test('what was sent is changed, told once and audited with only the changed fields', async () => {
    const { id } = await catalog.product({ name: 'Old', sku: 'A', price: 1 }, key);
    catalog.clock.advance(1000);
    const [event, ...others] = await catalog.eventsOf(storeId, () => update(id, { name: 'New', sku: 'A', price: '1.00' }));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: 'product.updated', body: { data: { id, name: 'New' } } });
    expect(event!.audit).toMatchObject({ action: 'product.update', resource_id: id, before: { name: 'Old' } });
    expect(event!.audit!.after).toEqual({ name: 'New' });
    expect((await catalog.get(id, key)).updated_at).toBe(catalog.clock.now().toISOString());
    expect(await catalog.names('search=new', key)).toEqual(['New']);
    expect(await catalog.names('search=old', key)).toEqual([]);
  });

  test('D60: an update without a change emits nothing and keeps updated_at', async () => {
    const lists = {
      additional_barcodes: [{ code: '1', label: 'a' }],
      weight_presets: [{ weight: 100, label: 'b', barcode: '2', price: 3 }],
    };
    const product = await catalog.product({ name: 'Same', price: 1, pack_quantity: 6, expiry_date: '2027-01-01', ...lists }, staff);
    catalog.clock.advance(1000);
    expect(
      await emitted(() => update(product.id, { name: 'Same', price: 1.001, pack_quantity: '6.0', expiry_date: '2027-01-01', ...lists })),
    ).toEqual([]);
    expect((await catalog.get(product.id, key)).updated_at).toBe(product.updated_at);
  });

  test('D47: null or "" for a field that always has a value is an error on an update', async () => {
    const { id } = await catalog.product({ name: 'Lantern', price: null, product_type: '', unit_type: null }, staff);
    expect(await catalog.get(id, key)).toMatchObject({ price: '0.00', product_type: 'simple', unit_type: 'unit' });
    await update(id, { price: 5.5, product_type: 'bundle', unit_type: 'gram' });
    for (const name of ['name', 'price', 'product_type', 'unit_type']) {
      for (const empty of [null, '', ' ']) {
        const refused = { status: 422, errors: { [name]: ["can't be blank"] } };
        expect(await catalog.refusal(update(id, { [name]: empty }))).toMatchObject(refused);
      }
    }
    for (const name of ['active', 'wholesale_enabled', 'is_cannabis_product', 'exclude_from_promotions', 'block_manual_discounts']) {
      expect(await catalog.refusal(update(id, { [name]: null }))).toMatchObject({ errors: { [name]: ['must be true or false'] } });
    }
    expect(await catalog.get(id, key)).toMatchObject({ price: '5.50', product_type: 'bundle', unit_type: 'gram' });
  });

  test('lists are replaced, emptied by [] and audited', async () => {
    const one = await catalog.category({ name: 'One' }, staff);
    const two = await catalog.category({ name: 'Two' }, staff);
    const { id } = await catalog.product({ name: 'a', category_ids: [one.id], weight_presets: [{ weight: 1, barcode: '29' }] }, staff);
    const [event] = await catalog.eventsOf(storeId, () => update(id, { category_ids: [two.id, two.id], weight_presets: [] }));
    expect(event!.audit).toMatchObject({ before: { category_ids: [one.id] }, after: { category_ids: [two.id], weight_presets: [] } });
    expect((await catalog.get(id, key)).categories.map((category: Json) => category.name)).toEqual(['Two']);
    expect(await catalog.names('search=29', key)).toEqual([]);
    await update(id, { category_ids: [] });
    expect((await catalog.get(id, key)).categories).toEqual([]);
  });

  test('bad references and lists are field errors', async () => {
    const { id } = await catalog.product({ name: 'a' }, staff);
    const other = await catalog.product({ name: 'other store' }, staffOf(storeId + 1000));
    const theirs = await catalog.category({ name: 'theirs' }, staffOf(storeId + 1000));
    for (const [product, errors] of [
      [{ category_ids: [theirs.id] }, { category_ids: ['must exist'] }],
      [{ category_ids: ['x'] }, { category_ids: ['must be integers'] }],
      [{ category_ids: 'x' }, { category_ids: ['is invalid'] }],
      [{ revenue_center_ids: [1, null] }, { revenue_center_ids: ['is invalid'] }],
      [{ revenue_center_ids: [999999] }, { revenue_center_ids: ['must exist'] }],
      [{ parent_id: other.id }, { parent_id: ['must exist'] }],
      [{ parent_id: id }, { parent_id: ['must be another product'] }],
      [{ additional_barcodes: [{ label: 'x' }] }, { additional_barcodes: ["code can't be blank"] }],
      [{ weight_presets: [{ barcode: '1' }] }, { weight_presets: ["weight can't be blank"] }],
      [{ weight_presets: [5] }, { weight_presets: ['is invalid'] }],
      [{ name: '' }, { name: ["can't be blank"] }],
    ]) {
      expect(await catalog.refusal(update(id, product!))).toMatchObject({ status: 422, errors });
    }
  });

  test('a deleted product is a 404; without the wrapper it is a 400', async () => {
    const { id } = await catalog.product({ name: 'a' }, key);
    await remove(id);
    expect(await catalog.refusal(update(id, { name: 'c' }))).toEqual(notFound);
    expect(await catalog.refusal(catalog.get(id, key))).toEqual(notFound);
    expect(await catalog.refusal(remove(id))).toEqual(notFound);
    expect((await catalog.refusal(update(id, {}))).status).toBe(400);
  });
});

describe('families', () => {
  const family = async () => {
    const parent = await catalog.product({ name: 'Shirt' }, staff);
    const small = await catalog.product({ name: 'S', parent_id: parent.id, sku: 'S' }, staff);
    const large = await catalog.product({ name: 'L', parent_id: parent.id, sku: 'L' }, staff);
    return { parent: parent.id as number, small: small.id as number, large: large.id as number };
  };

  test('D142: a variation has its own event; updated_since finds its parent too', async () => {
    const { parent, small } = await family();
    catalog.clock.advance(1000);
    const since = new Date(catalog.clock.now().getTime() - 1).toISOString();
    expect(await emitted(() => update(small, { price: 3 }))).toEqual([['product.updated', small]]);
    expect(await catalog.names(`updated_since=${since}`, key)).toEqual(['S', 'Shirt']);
    expect((await catalog.get(parent, key)).variations.find((row: Json) => row.id === small).price).toBe('3.00');
  });

  test('a variation has no variations, and a product with variations is not one', async () => {
    const { parent, small } = await family();
    const single = await catalog.product({ name: 'x' }, staff);
    expect(await catalog.refusal(update(single.id, { parent_id: small }))).toMatchObject({
      errors: { parent_id: ['must not be a variation itself'] },
    });
    expect(await catalog.refusal(update(parent, { parent_id: single.id }))).toMatchObject({
      errors: { parent_id: ['must be blank for a product with variations'] },
    });
  });

  test('a deleted, inactive or moved variation leaves its parent, found by updated_since', async () => {
    const { parent, small, large } = await family();
    const other = await catalog.product({ name: 'Other' }, staff);
    const since = async (work: () => Promise<unknown>) => {
      catalog.clock.advance(1000);
      const before = new Date(catalog.clock.now().getTime() - 1).toISOString();
      await work();
      return catalog.names(`updated_since=${before}`, key);
    };
    expect(await since(() => update(small, { active: false }))).toEqual(['Shirt']);
    expect((await catalog.get(parent, key)).variations).toHaveLength(1);
    expect(await since(() => update(large, { parent_id: other.id }))).toEqual(['L', 'Other', 'Shirt']);
    expect(await since(() => remove(small))).toEqual(['Shirt']);
    expect(await catalog.get(parent, key)).toMatchObject({ has_variations: false, variations: [] });
    expect(await catalog.get(other.id, key)).toMatchObject({ has_variations: true });
  });

  test('variations deleted at the same time leave no stale has_variations', async () => {
    const { parent, small, large } = await family();
    await Promise.all([remove(small), remove(large)]);
    expect(await catalog.get(parent, key)).toMatchObject({ has_variations: false });
  });

  test('deleting deletes the variations too; restoring restores those deleted with it', async () => {
    const { parent, small, large } = await family();
    await remove(large);
    catalog.clock.advance(1000);
    const events = await catalog.eventsOf(storeId, () => remove(parent));
    expect(events.map((event) => [event.name, event.body.data])).toEqual([
      ['product.deleted', { id: parent }],
      ['product.deleted', { id: small }],
    ]);
    expect(events[0]!.audit).toMatchObject({ action: 'product.delete', before: { name: 'Shirt' }, after: null });
    expect(await catalog.refusal(catalog.get(small, key))).toEqual(notFound);
    expect(await catalog.refusal(restore(small))).toMatchObject({ status: 422, errors: { parent_id: ['must be restored first'] } });
    expect(await emitted(() => restore(parent))).toEqual([
      ['product.updated', parent],
      ['product.updated', small],
    ]);
    expect((await catalog.get(parent, key)).variations.map((row: Json) => row.id)).toEqual([small]);
    expect(await emitted(() => restore(parent))).toEqual([]);
    await restore(large);
    expect((await catalog.get(parent, key)).variations).toHaveLength(2);
  });

  test('D62: a product whose sku is in use again is not restored', async () => {
    const { parent, small } = await family();
    await remove(parent);
    await catalog.product({ name: 'Thief', sku: 'S' }, key);
    const refused = restore(parent);
    expect(await catalog.refusal(refused)).toMatchObject({ status: 422, errors: { sku: ['has already been taken'] } });
    expect(await catalog.refusal(catalog.get(small, key))).toEqual(notFound);
  });

  test('a restored product is found by its brand as it is named now', async () => {
    const brand = await catalog.brand('Before', staff);
    const { id } = await catalog.product({ name: 'a', brand_id: brand.id }, staff);
    await remove(id);
    await catalog.body('UpdateBrand', { brand: { name: 'After' } }, staff, { id: brand.id });
    await restore(id);
    expect(await catalog.names('search=after', key)).toEqual(['a']);
    expect(await catalog.names('search=before', key)).toEqual([]);
  });
});
