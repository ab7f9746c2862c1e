/** Specification: GET /categories, GET /brands and POST /products. */
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
const create = async (product: object) => (await world.call('POST', '/products', { key, body: { product } })).body.data;
const byStaff = async (path: string, wrapper: string, fields: object) => {
  const answer = await world.call('POST', `/${path}`, { ...staff(), body: { [wrapper]: fields } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body[wrapper];
};

describe('GET /categories and GET /brands', () => {
  test('the active tree; "Categories with no active products (directly or via subcategories) are left out"', async () => {
    const root = await byStaff('categories', 'category', { name: 'Tree root' });
    const leaf = await byStaff('categories', 'category', { name: 'Tree leaf', parent_id: root.id });
    await byStaff('categories', 'category', { name: 'Tree empty', parent_id: root.id });
    await byStaff('products', 'product', { name: 'On the leaf', category_ids: [leaf.id] });
    const tree = (await get('/categories')).body.data;
    const found = tree.find(({ name }: { name: string }) => name === 'Tree root');
    expect(found).toMatchObject({
      full_name: 'Tree root',
      depth: 0,
      parent_id: null,
      ancestor_ids: [],
      product_count: 0,
      total_product_count: 1,
    });
    expect(found.subcategories).toHaveLength(1);
    expect(found.subcategories[0]).toMatchObject({
      full_name: 'Tree root > Tree leaf',
      depth: 1,
      parent_id: root.id,
      ancestor_ids: [root.id],
      product_count: 1,
    });
    const keys =
      'id name full_name slug icon icon_url color position store_type age_restricted depth parent_id ancestor_ids revenue_center_ids product_count total_product_count subcategories';
    expect(Object.keys(found)).toEqual(keys.split(' '));
  });

  test('"returns all brands sorted by name: id, name, description", by code point on every installation', async () => {
    for (const name of ['Beta', 'alpha', 'Gamma']) await byStaff('brands', 'brand', { name });
    const brands = (await get('/brands')).body.data;
    expect(Object.keys(brands[0])).toEqual(['id', 'name', 'description']);
    expect(brands.map(({ name }: { name: string }) => name)).toEqual(['Beta', 'Gamma', 'alpha']);
  });
});

describe('POST /products', () => {
  test('"Only these fields are accepted; all others are ignored … a new product starts at 0"; D49: write-only fields are stored and not echoed', async () => {
    const writeOnly = {
      menu_display_name: 'M',
      wholesale_enabled: true,
      pack_quantity: 2,
      box_quantity: 3,
      reorder_point: 4,
      supplier_name: 'S',
      lot_number: 'L',
      expiry_date: '2027-01-31',
      product_format: 'F',
    };
    const product = await create({ name: 'Accepted', current_stock: 50, ...writeOnly });
    expect(product.current_stock).toBe(0);
    for (const name of Object.keys(writeOnly)) expect(product).not.toHaveProperty(name);
    const { rows } = await world.database.query('select menu_display_name, lot_number, supplier_name from catalog.products where id = $1', [
      product.id,
    ]);
    expect(rows[0]).toEqual({ menu_display_name: 'M', lot_number: 'L', supplier_name: 'S' });
  });

  test.each([
    ['3.394', '3.39'],
    ['3.395', '3.40'],
    ['3.3949999999999999', '3.39'],
    ['0', '0.00'],
    ['1e2', '100.00'],
    ['999999999999.99', '999999999999.99'],
    ['-0', '0.00'],
    ['-0.001', '0.00'],
    ['""', '0.00'],
  ])('D41: price %s is stored as %s, whether it is sent as a number or as text', async (sent, stored) => {
    for (const text of sent === '""' ? [sent] : [sent, `"${sent}"`]) {
      const answer = await world.call('POST', '/products', { key, raw: `{"product":{"name":"Rounded","price":${text}}}` });
      expect([answer.status, answer.body.data?.price]).toEqual([201, stored]);
    }
  });

  test('row 41, D63: 20 at once with one sku: exactly one is created, the others are 422 or 409', async () => {
    const body = { product: { name: 'Raced', sku: 'RACE' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.call('POST', '/products', { key, body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([409, 422]).toContain(answer.status);
      if (answer.status === 409) expect(answer.body).toEqual({ error: 'Record already exists', details: 'sku has already been taken' });
      else expect(answer.body.errors).toEqual({ sku: ['has already been taken'] });
    }
  });
});
