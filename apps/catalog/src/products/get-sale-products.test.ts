import { expect, test } from '@jest/globals';
import { catalog, key, shareCatalog, staff, staffOf, storeId } from '../../test/catalog-under-test.ts';

shareCatalog();

const asked = async (...ids: number[]) => (await catalog.call('GetSaleProducts', { ids }, key)).json.products;

test('D215, D219: GetSaleProducts answers what a line keeps, in one statement', async () => {
  const lantern = await catalog.product(
    { name: 'Lantern', sku: 'L', price: '10.00', cost: '4.50', active: false, block_manual_discounts: true },
    staff,
  );
  const box = await catalog.product({ name: 'Box', price: '3.00', product_type: 'bundle' }, staff);
  await catalog.promotion({ value: '25', product_ids: [lantern.id] }, staff);
  expect(await catalog.statementsOf(() => asked(lantern.id, box.id))).toBe(1);
  expect(await asked(box.id, lantern.id)).toEqual([
    {
      id: lantern.id,
      name: 'Lantern',
      sku: 'L',
      effective_price: '7.50',
      cost: '4.50',
      block_manual_discounts: true,
      has_variations: false,
      is_bundle: false,
    },
    { id: box.id, name: 'Box', effective_price: '3.00', block_manual_discounts: false, has_variations: false, is_bundle: true },
  ]);
});

test("deleted products and another store's are left out, as unknown ids are", async () => {
  const gone = await catalog.product({ name: 'Gone' }, staff);
  await catalog.byId('DeleteProduct', gone.id, staff);
  const theirs = await catalog.product({ name: 'Theirs' }, staffOf(storeId + 1000));
  expect(await asked(gone.id, theirs.id, 999_999)).toEqual([]);
});
