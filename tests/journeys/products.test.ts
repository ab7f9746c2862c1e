/** Specification: Products, and D46 to D74 where the answer through the gateway shows them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
});
afterAll(() => world.close());

const staff = () => ({ token: world.store.token });
const get = (path: string) => world.call('GET', path, { key });
const names = async (query: string) => (await get(`/products?${query}`)).body.data.map((product: { name: string }) => product.name);
const create = async (product: object) => (await world.call('POST', '/products', { key, body: { product } })).body.data;
const byStaff = async (path: string, wrapper: string, fields: object) => {
  const answer = await world.call('POST', `/${path}`, { ...staff(), body: { [wrapper]: fields } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body[wrapper];
};
const bulk = (ids: unknown[], updates: unknown) =>
  world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: ids, updates } });

test("golden: a product with everything, in the order of the specification's fields", async () => {
  const brand = await byStaff('brands', 'brand', { name: 'Golden brand' });
  const category = await byStaff('categories', 'category', { name: 'Golden category' });
  const { id } = await byStaff('products', 'product', {
    name: 'Golden',
    sku: 'G-1',
    barcode: '111',
    description: 'All of it',
    option_label: 'Each',
    additional_barcodes: [{ code: '222', label: 'Box' }, { code: '333' }],
    price: '10',
    brand_id: brand.id,
    category_ids: [category.id],
    low_stock_threshold: '2.5',
    package_size: '1 kg',
    primary_image_url: 'https://img.example/1.png',
    cost: 4,
    wholesale_price: 7,
    thc_content: '12%',
  });
  const at = world.clock.now().toISOString();
  const { data } = (await get(`/products/${id}`)).body;
  expect(Object.entries(data)).toEqual(
    Object.entries({
      id,
      name: 'Golden',
      sku: 'G-1',
      barcode: '111',
      description: 'All of it',
      option_label: 'Each',
      additional_barcodes: [
        { code: '222', label: 'Box' },
        { code: '333', label: '' },
      ],
      additional_barcode_codes: ['222', '333'],
      product_type: 'simple',
      unit_type: 'unit',
      price: '10.00',
      effective_price: '10.00',
      on_sale: false,
      exclude_from_promotions: false,
      block_manual_discounts: false,
      current_stock: 0,
      low_stock_threshold: 2.5,
      in_stock: false,
      brand: 'Golden brand',
      categories: [{ id: category.id, name: 'Golden category', slug: 'golden-category' }],
      package_size: '1 kg',
      has_variations: false,
      variations: [],
      primary_image_url: 'https://img.example/1.png',
      active: true,
      created_at: at,
      updated_at: data.updated_at,
      cost: '4.00',
      average_cost: data.average_cost,
      wholesale_price: '7.00',
    }).filter(([, value]) => value !== undefined),
  );
});

describe('GET /products', () => {
  test('"returns active products sorted by name"; GET /products/:id "also returns inactive products; a deleted product gives 404"', async () => {
    const [zed, abe, off] = [
      await create({ name: 'Sort zed' }),
      await create({ name: 'Sort abe' }),
      await create({ name: 'Sort off', active: false }),
    ];
    expect(await names('search=Sort')).toEqual(['Sort abe', 'Sort zed']);
    expect((await get(`/products/${off.id}`)).body.data).toMatchObject({ name: 'Sort off', active: false });
    await world.call('DELETE', `/products/${zed.id}`, staff());
    const deleted = await get(`/products/${zed.id}`);
    expect([deleted.status, deleted.body]).toEqual([404, { error: 'Product not found' }]);
    expect(await names('search=Sort')).toEqual([abe.name]);
  });

  test('search "matches name, SKU, barcode, weight-preset barcode, brand name; does not match additional_barcodes"', async () => {
    const brand = await byStaff('brands', 'brand', { name: 'Qbrand' });
    await byStaff('products', 'product', {
      name: 'Qname',
      sku: 'Qsku',
      barcode: 'Qbarcode',
      brand_id: brand.id,
      additional_barcodes: [{ code: 'Qextra' }],
      weight_presets: [{ weight: 1, barcode: 'Qpreset', price: 2 }],
    });
    for (const term of ['Qname', 'qSKU', 'barcod', 'Qpreset', ' qbrand '])
      expect([term, await names(`search=${term}`)]).toEqual([term, ['Qname']]);
    expect(await names('search=Qextra')).toEqual([]);
  });

  test('category: slug, "includes products in subcategories; values store:cannabis and store:general filter by category store type"', async () => {
    const parent = await byStaff('categories', 'category', { name: 'Cat parent', store_type: 'general' });
    const child = await byStaff('categories', 'category', { name: 'Cat child', parent_id: parent.id });
    await byStaff('products', 'product', { name: 'In parent', category_ids: [parent.id] });
    await byStaff('products', 'product', { name: 'In child', category_ids: [child.id] });
    expect(await names('category=cat-parent')).toEqual(['In child', 'In parent']);
    expect(await names('category=cat-child')).toEqual(['In child']);
    expect(await names('category=store:general')).toEqual(['In child', 'In parent']);
    expect(await names('category=store:cannabis')).toEqual([]);
    expect(await names('category=none-such')).toEqual([]);
  });

  test('D53: brand is matched exactly; an unknown one is an empty list, a blank one no filter', async () => {
    const brand = await byStaff('brands', 'brand', { name: 'Exact' });
    await byStaff('products', 'product', { name: 'Branded', brand_id: brand.id });
    expect(await names('brand=Exact')).toEqual(['Branded']);
    for (const other of ['exact', 'Exac', 'Exact%25']) expect(await names(`brand=${other}`)).toEqual([]);
    expect((await names('brand=&per_page=100')).length).toBeGreaterThan(3);
  });

  test('D253: sku and barcode find exact codes, variations and weight presets among them; more than 100 are a 422', async () => {
    const parent = await byStaff('products', 'product', { name: 'Code parent', sku: 'CODE-P' });
    const variation = { name: 'Code variation', sku: 'CODE-V', barcode: '90001', parent_id: parent.id, option_label: 'V' };
    await byStaff('products', 'product', variation);
    const extra = { additional_barcodes: [{ code: '90002' }], weight_presets: [{ weight: 1, barcode: '90003' }] };
    await byStaff('products', 'product', { name: 'Code extra', sku: 'code-e', ...extra });
    expect(await names('sku=CODE-P,CODE-V,CODE-E')).toEqual(['Code parent', 'Code variation']);
    expect(await names('barcode=90001,90002')).toEqual(['Code extra', 'Code variation']);
    expect(await names('barcode=90003')).toEqual(['Code extra']);
    const refused = await get(`/products?sku=${Array.from({ length: 101 }, (_, n) => n).join()}`);
    expect([refused.status, refused.body]).toEqual([422, { error: 'at most 100 skus per request' }]);
    expect(refused.headers.get('x-error-code')).toBe('invalid');
  });

  test('updated_since: "products updated after it" (D38 strictly), "plus products whose variations were; unparseable value ignored"', async () => {
    const parent = await byStaff('products', 'product', { name: 'Since parent', product_type: 'variable' });
    const variation = await byStaff('products', 'product', {
      name: 'Since variation',
      option_label: 'L',
      parent_id: parent.id,
      product_type: 'variation',
    });
    world.clock.advance(1_000);
    await bulk([variation.id], { current_stock: 2 });
    const changed = (await get(`/products/${variation.id}`)).body.data.updated_at;
    const before = new Date(new Date(changed).getTime() - 1).toISOString();
    expect(await names(`updated_since=${before}`)).toEqual(['Since parent', 'Since variation']);
    expect(await names(`updated_since=${changed}`)).toEqual([]);
    expect((await names('updated_since=nonsense&per_page=100')).length).toBeGreaterThan(5);
  });

  test('"Without search or updated_since only top-level products are listed, with variations nested; with either, variation products can also appear as their own rows"', async () => {
    const parent = await byStaff('products', 'product', { name: 'Nest', product_type: 'variable' });
    const fields = { product_type: 'variation', parent_id: parent.id, price: 5 };
    const small = await byStaff('products', 'product', { ...fields, name: 'Nest small', option_label: 'S', sku: 'NEST-S' });
    await byStaff('products', 'product', { ...fields, name: 'Nest off', option_label: 'O', active: false });
    await bulk([small.id], { current_stock: 3 });
    const listed = (await get('/products?per_page=100')).body.data;
    expect(listed.filter(({ name }: { name: string }) => name.startsWith('Nest')).map(({ name }: { name: string }) => name)).toEqual([
      'Nest',
    ]);
    const shown = listed.find(({ name }: { name: string }) => name === 'Nest');
    expect(shown).toMatchObject({ has_variations: true, current_stock: 3, in_stock: true });
    expect(shown.variations).toEqual([
      {
        id: small.id,
        name: 'Nest small',
        sku: 'NEST-S',
        barcode: null,
        additional_barcodes: [],
        additional_barcode_codes: [],
        price: '5.00',
        current_stock: 3,
        in_stock: true,
      },
    ]);
    expect(await names('search=nest')).toEqual(['Nest', 'Nest small']);
  });

  test('revenue_center_id: "only products visible in that revenue center"; D58: a product in none is visible in all', async () => {
    const [one, two] = [
      await byStaff('revenue_centers', 'revenue_center', { name: 'One' }),
      await byStaff('revenue_centers', 'revenue_center', { name: 'Two' }),
    ];
    await byStaff('products', 'product', { name: 'Center one', revenue_center_ids: [one.id] });
    await byStaff('products', 'product', { name: 'Center none' });
    expect(await names(`search=Center&revenue_center_id=${one.id}`)).toEqual(['Center none', 'Center one']);
    expect(await names(`search=Center&revenue_center_id=${two.id}`)).toEqual(['Center none']);
  });

  test("D50: effective_price is the best active promotion's, on_sale says whether it is lower", async () => {
    const product = await create({ name: 'Promoted', price: 10 });
    await byStaff('promotions', 'promotion', { name: 'P', discount_type: 'percentage', value: 25, product_ids: [product.id] });
    expect((await get(`/products/${product.id}`)).body.data).toMatchObject({ price: '10.00', effective_price: '7.50', on_sale: true });
  });

  test('cannabis fields are "present only when cannabis features are on for the store"', async () => {
    const store = await world.newStore(['developer_api', 'cannabis']);
    const own = await world.newKey(store);
    const body = { product: { name: 'Leaf', strain_type: 'sativa', thc_content: '18', cbd_content: '1', is_cannabis_product: true } };
    const shown = (await world.call('POST', '/products', { key: own, body })).body.data;
    expect(shown).toMatchObject({ strain_type: 'sativa', thc_content: '18', cbd_content: '1' });
    const hidden = await create(body.product);
    for (const name of ['strain_type', 'thc_content', 'cbd_content', 'equivalent_grams']) expect(hidden).not.toHaveProperty(name);
  });
});
