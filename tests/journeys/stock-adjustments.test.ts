/** Specification: Stock adjustments, and D101 to D112 where the answer through the gateway shows them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store, { name: 'Ledger' });
});
afterAll(() => world.close());

const staff = () => ({ token: world.store.token });
const post = (body: object, more = {}) => world.call('POST', '/stock_adjustments', { key, body, ...more });
const list = async (query: string) => (await world.call('GET', `/stock_adjustments?${query}`, { key })).body.data;
let names = 0;
const newProduct = async (fields: object = {}) =>
  (await world.call('POST', '/products', { key, body: { product: { name: `Stocked ${++names}`, sku: `SA-${names}`, ...fields } } })).body
    .data;

describe('POST /stock_adjustments', () => {
  test('"Response 201: data with id, product_id, product_name, adjustment_type, quantity_change, quantity_before, quantity_after, reason, warehouse_location_id, warehouse_location_name, created_at"', async () => {
    const product = await newProduct();
    const answer = await post({ product_id: product.id, adjustment_type: 'receive', quantity_change: '2.5', reason: 'Delivery' });
    expect(answer.status).toBe(201);
    expect(Object.entries(answer.body.data)).toEqual([
      ['id', expect.any(Number)],
      ['product_id', product.id],
      ['product_name', product.name],
      ['adjustment_type', 'receive'],
      ['quantity_change', 2.5],
      ['quantity_before', 0],
      ['quantity_after', 2.5],
      ['reason', 'Delivery'],
      ['warehouse_location_id', null],
      ['warehouse_location_name', null],
      ['created_at', expect.stringMatching(/Z$/)],
    ]);
  });

  test.each(['receive', 'count', 'spoilage', 'damage', 'reweigh', 'moisture_loss'])(
    '%s: "positive adds, negative removes"; D102: of either sign; D103: below zero too',
    async (type) => {
      const { id } = await newProduct();
      const changes = [];
      for (const quantity of [3, -5, 1.25]) {
        const { data } = (await post({ product_id: id, adjustment_type: type, quantity_change: quantity })).body;
        changes.push([data.quantity_before, data.quantity_change, data.quantity_after]);
      }
      expect(changes).toEqual([
        [0, 3, 3],
        [3, -5, -2],
        [-2, 1.25, -0.75],
      ]);
      expect((await world.call('GET', `/products/${id}`, { key })).body.data).toMatchObject({ current_stock: -0.75, in_stock: false });
    },
  );

  test('inventory: "the difference from current stock is recorded as the change"; D104: zero too; D105: quantity_change is ignored', async () => {
    const { id } = await newProduct();
    await post({ product_id: id, adjustment_type: 'receive', quantity_change: 10 });
    const count = async (counted: number) =>
      (await post({ product_id: id, adjustment_type: 'inventory', counted_quantity: counted, quantity_change: 'x' })).body.data;
    expect(await count(7)).toMatchObject({ quantity_before: 10, quantity_change: -3, quantity_after: 7 });
    expect(await count(7)).toMatchObject({ quantity_before: 7, quantity_change: 0, quantity_after: 7 });
    expect(await count(0)).toMatchObject({ quantity_change: -7, quantity_after: 0 });
  });

  test('D173: an inactive product is adjusted, a deleted one is 404', async () => {
    const inactive = await newProduct({ active: false });
    expect((await post({ product_id: inactive.id, adjustment_type: 'receive', quantity_change: 1 })).status).toBe(201);
    const deleted = await newProduct();
    await world.call('DELETE', `/products/${deleted.id}`, staff());
    expect((await post({ product_id: deleted.id, adjustment_type: 'receive', quantity_change: 1 })).status).toBe(404);
  });

  test('D106: a product with variations is a 422, its variation is adjusted and the parent shows the sum', async () => {
    const create = async (product: object) => (await world.call('POST', '/products', { ...staff(), body: { product } })).body.product;
    const parent = await create({ name: 'Family', product_type: 'variable' });
    const child = await create({ name: 'Child', product_type: 'variation', parent_id: parent.id, option_label: 'c' });
    expect((await post({ product_id: parent.id, adjustment_type: 'receive', quantity_change: 1 })).status).toBe(422);
    expect((await post({ product_id: child.id, adjustment_type: 'receive', quantity_change: 4 })).status).toBe(201);
    expect((await world.call('GET', `/products/${parent.id}`, { key })).body.data.current_stock).toBe(4);
  });

  test('D107: a bundle without a location has a stock of its own', async () => {
    const { id } = await newProduct({ product_type: 'bundle' });
    expect((await post({ product_id: id, adjustment_type: 'receive', quantity_change: 2 })).body.data.quantity_after).toBe(2);
  });

  test('D109: "plus floor_stock and back_stock when the store tracks stock by location"', async () => {
    const store = await world.newStore(['developer_api', 'stock_locations']);
    const own = await world.newKey(store);
    const call = async (path: string, body: object) => (await world.call('POST', path, { token: store.token, body })).body;
    const back = (await call('/warehouse_locations', { warehouse_location: { name: 'Cellar', kind: 'back' } })).warehouse_location;
    const floor = (await call('/warehouse_locations', { warehouse_location: { name: 'Floor', kind: 'floor' } })).warehouse_location;
    const { product } = await call('/products', { product: { name: 'Placed' } });
    const adjust = async (locationId: number, quantity: number) => {
      const body = { product_id: product.id, adjustment_type: 'receive', quantity_change: quantity, warehouse_location_id: locationId };
      return (await world.call('POST', '/stock_adjustments', { key: own, body })).body.data;
    };
    expect(await adjust(back.id, 6)).toMatchObject({
      warehouse_location_id: back.id,
      warehouse_location_name: 'Cellar',
      floor_stock: 0,
      back_stock: 6,
    });
    expect(await adjust(floor.id, 2)).toMatchObject({ floor_stock: 2, back_stock: 6, quantity_after: 8 });
    const { data } = (await world.call('GET', '/stock_adjustments', { key: own })).body;
    expect(data.map((row: { warehouse_location: object }) => row.warehouse_location)).toEqual([
      { id: floor.id, name: 'Floor' },
      { id: back.id, name: 'Cellar' },
    ]);
  });
});

describe('GET /stock_adjustments', () => {
  test('the answer is the ledger row in the order of the specification\'s fields; user is "for key-made adjustments, the admin who created the key"', async () => {
    const product = await newProduct();
    await post({ product_id: product.id, adjustment_type: 'damage', quantity_change: -1, reason: 'Broken' });
    const [row] = await list(`product_id=${product.id}`);
    expect(Object.entries(row)).toEqual([
      ['id', expect.any(Number)],
      ['product_id', product.id],
      ['product_name', product.name],
      ['sku', product.sku],
      ['adjustment_type', 'damage'],
      ['quantity_change', -1],
      ['quantity_before', 0],
      ['quantity_after', -1],
      ['reason', 'Broken'],
      ['notes', null],
      ['user', { id: expect.any(Number), name: 'Ada Admin' }],
      ['approved_by', null],
      ['warehouse_location', null],
      ['reconciliation_id', null],
      ['created_at', expect.stringMatching(/Z$/)],
    ]);
  });

  test('the list is "newest first; paginated (default 100)"', async () => {
    const { id } = await newProduct();
    for (let n = 1; n <= 5; n++) await post({ product_id: id, adjustment_type: 'receive', quantity_change: n });
    expect((await list(`product_id=${id}`)).map((row: { quantity_change: number }) => row.quantity_change)).toEqual([5, 4, 3, 2, 1]);
    expect((await list(`product_id=${id}&per_page=2&page=2`)).map((row: { quantity_change: number }) => row.quantity_change)).toEqual([
      3, 2,
    ]);
  });

  test('filters: product_id, adjustment_type (D110 exact), since "created after (exclusive)", until "up to and including"', async () => {
    const { id } = await newProduct();
    for (const type of ['receive', 'spoilage']) await post({ product_id: id, adjustment_type: type, quantity_change: 1 });
    expect((await list(`product_id=${id}&adjustment_type=spoilage`)).length).toBe(1);
    expect(await list(`product_id=${id}&adjustment_type=Spoilage`)).toEqual([]);
    const [newest] = await list(`product_id=${id}`);
    const before = new Date(new Date(newest.created_at).getTime() - 1).toISOString();
    const seen = async (query: string) => (await list(`product_id=${id}&${query}`)).some((row: { id: number }) => row.id === newest.id);
    expect([await seen(`since=${newest.created_at}`), await seen(`since=${before}`)]).toEqual([false, true]);
    expect([await seen(`until=${newest.created_at}`), await seen(`until=${before}`)]).toEqual([true, false]);
  });

  test('a reconciliation by staff is in the ledger with its id and who approved it', async () => {
    const { id } = await newProduct();
    const users = (await world.call('GET', '/staff_users', staff())).body.staff_users;
    const body = {
      stock_reconciliation: { lines: [{ product_id: id, counted_quantity: 9 }], notes: 'Yearly', approved_by_id: users[0].id },
    };
    const answer = await world.call('POST', '/stock_reconciliations', { ...staff(), body });
    expect(answer.status).toBe(201);
    const [row] = await list(`product_id=${id}`);
    expect(row).toMatchObject({
      adjustment_type: 'inventory',
      quantity_after: 9,
      reconciliation_id: answer.body.stock_reconciliation.id,
      approved_by: { id: users[0].id, name: 'Ada Admin' },
    });
    expect((await world.call('GET', `/products/${id}`, { key })).body.data.current_stock).toBe(9);
  });
});
