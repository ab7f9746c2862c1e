/** The public JSON of each resource, to the byte: read as documentation. */
import { expect, test } from '@jest/globals';
import { catalog, key, keyOf, shareCatalog, staff, storeId } from '../../test/catalog-under-test.ts';

shareCatalog();

const readOnly = new Set(['products:read']);

/** A product with every field filled, of a brand and a category, on sale. */
async function fullProduct() {
  const brand = await catalog.brand('Lantern & Co', staff);
  const category = await catalog.category({ name: 'Lights' }, staff);
  const product = await catalog.product(
    {
      name: 'White metal lantern',
      sku: '71053',
      barcode: '5012345678900',
      description: 'Hangs',
      option_label: 'White',
      menu_display_name: 'Lantern',
      price: '3.39',
      cost: 1.1,
      wholesale_price: 2.5,
      wholesale_enabled: true,
      product_type: 'simple',
      unit_type: 'gram',
      product_format: 'loose',
      brand_id: brand.id,
      package_size: '1 kg',
      pack_quantity: 6,
      box_quantity: 24,
      low_stock_threshold: 2.5,
      reorder_point: 5,
      supplier_name: 'Lamps Ltd',
      lot_number: 'L1',
      expiry_date: '2027-01-31',
      is_cannabis_product: true,
      strain_type: 'hybrid',
      thc_content: '18.50',
      cbd_content: '0.2',
      equivalent_grams: 1.25,
      primary_image_url: 'https://example.org/lantern.png',
      block_manual_discounts: true,
      category_ids: [category.id],
      additional_barcodes: [{ code: '111', label: 'box' }, { code: '222' }],
      weight_presets: [{ weight: 100, label: 'bag', barcode: '2900100', price: 4 }],
    },
    staff,
  );
  await catalog.run('update catalog.products set average_cost = 1.2 where id = $1', [product.id]);
  await catalog.stock(storeId, [{ product_id: product.id, stock: '12.500', version: 1 }]);
  await catalog.promotion({ product_ids: [product.id] }, staff);
  return { id: product.id, category, brand };
}

const time = '2026-11-20T12:00:00.000Z';

function fullFields({ id, category }: { id: number; category: { id: number } }) {
  return (
    `"id":${id},"name":"White metal lantern","sku":"71053","barcode":"5012345678900","description":"Hangs","option_label":"White",` +
    `"additional_barcodes":[{"code":"111","label":"box"},{"code":"222","label":""}],"additional_barcode_codes":["111","222"],` +
    `"product_type":"simple","unit_type":"gram","price":"3.39","effective_price":"3.05","on_sale":true,"exclude_from_promotions":false,` +
    `"block_manual_discounts":true,"current_stock":12.5,"low_stock_threshold":2.5,"in_stock":true,"brand":"Lantern & Co",` +
    `"categories":[{"id":${category.id},"name":"Lights","slug":"lights"}],"package_size":"1 kg","has_variations":false,"variations":[],` +
    `"primary_image_url":"https://example.org/lantern.png","active":true,"created_at":"${time}","updated_at":"${time}"`
  );
}
const cannabis = '"strain_type":"hybrid","thc_content":"18.50","cbd_content":"0.2","equivalent_grams":1.25';
const costs = '"cost":"1.10","average_cost":"1.20","wholesale_price":"2.50"';

test('a product has every field, in the order of the specification', async () => {
  const created = await fullProduct();
  const read = async (changes: Parameters<typeof keyOf>[1]) =>
    (await catalog.call('GetProduct', { id: String(created.id) }, keyOf(storeId, changes))).text;
  const fields = fullFields(created);
  expect(await read({ features: new Set(['cannabis']) })).toBe(`{"product":{${fields},${cannabis},${costs}}}`);
  expect(await read({})).toBe(`{"product":{${fields},${costs}}}`);
  expect(await read({ scopes: readOnly })).toBe(`{"product":{${fields}}}`);
  expect(await read({ scopes: readOnly, features: new Set(['cannabis']) })).toBe(`{"product":{${fields},${cannabis}}}`);
});

test('Product: with nothing optional, fields without a value are left out, never null', async () => {
  const { id } = await catalog.product({ name: 'Bare' }, key);
  const { text } = await catalog.call('GetProduct', { id: String(id) }, keyOf(storeId, { features: new Set(['cannabis']) }));
  expect(text).toBe(
    `{"product":{"id":${id},"name":"Bare","additional_barcodes":[],"additional_barcode_codes":[],"product_type":"simple","unit_type":"unit",` +
      `"price":"0.00","effective_price":"0.00","on_sale":false,"exclude_from_promotions":false,"block_manual_discounts":false,"current_stock":0,` +
      `"in_stock":false,"categories":[],"has_variations":false,"variations":[],"active":true,"created_at":"${time}","updated_at":"${time}"}}`,
  );
});

test('D39, D51, D52: variations have null keys and no costs; stock is their sum', async () => {
  const parent = await catalog.product({ name: 'Shirt', price: 5, cost: 1 }, staff);
  const small = await catalog.product({ name: 'Shirt S', parent_id: parent.id, option_label: 'S', price: 4, cost: 1 }, staff);
  const large = await catalog.product(
    { name: 'Shirt L', parent_id: parent.id, sku: 'L', barcode: '9', additional_barcodes: [{ code: '8' }] },
    staff,
  );
  const asleep = await catalog.product({ name: 'Shirt M', parent_id: parent.id, active: false }, staff);
  await catalog.stock(storeId, [
    { product_id: small.id, stock: '0.100', version: 1 },
    { product_id: large.id, stock: '0.200', version: 1 },
    { product_id: asleep.id, stock: '50', version: 1 },
  ]);
  const read = await catalog.get(parent.id, staff);
  expect(read).toMatchObject({ has_variations: true, current_stock: 0.3, in_stock: true });
  expect(JSON.stringify(read.variations)).toBe(
    `[{"id":${large.id},"name":"Shirt L","sku":"L","barcode":"9","additional_barcodes":[{"code":"8","label":""}],"additional_barcode_codes":["8"],"price":"0.00","current_stock":0.2,"in_stock":true},` +
      `{"id":${small.id},"name":"Shirt S","sku":null,"barcode":null,"additional_barcodes":[],"additional_barcode_codes":[],"price":"4.00","current_stock":0.1,"in_stock":true}]`,
  );
});

test('a category has the types and the order of D61', async () => {
  const center = await catalog.center('Front', staff);
  const parent = await catalog.category({ name: 'Garden', position: 2 }, staff);
  const child = await catalog.category(
    {
      name: 'Lanterns',
      parent_id: parent.id,
      icon: 'lamp',
      icon_url: 'https://example.org/i.svg',
      color: '#fff',
      store_type: 'general',
      age_restricted: true,
      revenue_center_ids: [center.id],
    },
    staff,
  );
  await catalog.product({ name: 'Lantern', category_ids: [child.id] }, staff);
  const { text } = await catalog.call('ListCategories', {}, key);
  expect(text).toBe(
    `{"categories":[{"id":${parent.id},"name":"Garden","full_name":"Garden","slug":"garden","icon":null,"icon_url":null,"color":null,"position":2,` +
      `"store_type":null,"age_restricted":false,"depth":0,"parent_id":null,"ancestor_ids":[],"revenue_center_ids":[],"product_count":0,"total_product_count":1,` +
      `"subcategories":[{"id":${child.id},"name":"Lanterns","full_name":"Garden > Lanterns","slug":"lanterns","icon":"lamp","icon_url":"https://example.org/i.svg",` +
      `"color":"#fff","position":0,"store_type":"general","age_restricted":true,"depth":1,"parent_id":${parent.id},"ancestor_ids":[${parent.id}],` +
      `"revenue_center_ids":[${center.id}],"product_count":1,"total_product_count":1,"subcategories":[]}]}]}`,
  );
});

test('a brand, a promotion and a revenue center have every field', async () => {
  const { id } = await catalog.brand('Acme', staff);
  expect((await catalog.call('ListBrands', {}, key)).text).toBe(`{"brands":[{"id":${id},"name":"Acme","description":null}]}`);
  const product = await catalog.product({ name: 'a' }, staff);
  const promotion = { name: 'P', discount_type: 'fixed_price', value: '1.999', product_ids: [product.id], ends_at: '2027-01-01' };
  const created = await catalog.answer('CreatePromotion', { promotion }, staff);
  expect(created.text).toBe(
    `{"promotion":{"id":${created.json.promotion.id},"name":"P","discount_type":"fixed_price","value":"2.00","product_ids":[${product.id}],` +
      `"category_id":null,"starts_at":null,"ends_at":"2027-01-01T00:00:00.000Z","created_at":"${time}","updated_at":"${time}"}}`,
  );
  const center = await catalog.answer('CreateRevenueCenter', { revenue_center: { name: ' Front ' } }, staff);
  expect(center.text).toBe(`{"revenue_center":{"id":${center.json.revenue_center.id},"name":"Front"}}`);
});

test("the body of a product's event is its public shape to the byte, without costs", async () => {
  const created = await fullProduct();
  const event = (await catalog.events(storeId)).findLast((row) => row.name === 'product.updated')!;
  expect(event.text).toBe(
    `{"id":"${event.body.id}","event":"product.updated","resource_type":"Product","resource_id":${created.id},"created_at":"${time}","data":{${fullFields(created)}}}`,
  );
  expect(event.body.id).toMatch(/^[0-9a-f-]{36}$/);
  await catalog.call('DeleteProduct', { id: String(created.id) }, staff);
  const gone = (await catalog.events(storeId)).at(-1)!;
  expect(gone.text).toBe(
    `{"id":"${gone.body.id}","event":"product.deleted","resource_type":"Product","resource_id":${created.id},"created_at":"${time}","data":{"id":${created.id}}}`,
  );
});
