import { describe, expect, test } from '@jest/globals';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { catalog, key, keyOf, shareCatalog, staff, storeId } from '../../test/catalog-under-test.ts';

shareCatalog();

const create = (product: unknown, caller = key) => catalog.answer('CreateProduct', { product } as object, caller);

describe('POST /products', () => {
  test('a new product has stock 0, and fields that a client may not write are ignored', async () => {
    const body =
      '{"product": {"name": "Lantern", "current_stock": 40, "id": 7, "store_id": 99, "average_cost": 3, "deleted_at": "2020-01-01", "__proto__": {"active": false}, "equivalent_grams": 3, "parent_id": 1}}';
    const product = (await catalog.body('CreateProduct', body, key)).product;
    expect(product).toMatchObject({ name: 'Lantern', current_stock: 0, in_stock: false, active: true, price: '0.00' });
    expect(product).not.toHaveProperty('average_cost');
    expect(await catalog.list('', keyOf(99))).toMatchObject({ products: [] });
  });

  test('D47: a sku in use is a 422 of one statement; deleted products do not count', async () => {
    const first = (await create({ name: 'First', sku: 'A-1' })).json.product;
    const errors = { sku: ['has already been taken'] };
    const second = (fields: object) => catalog.refusal(create({ sku: ' A-1 ', ...fields }));
    expect(await catalog.statementsOf(() => second({ name: 'Second' }))).toBe(1);
    expect(await second({ name: 'Second' })).toMatchObject({ status: 422, errors });
    expect(await second({})).toMatchObject({ status: 422, errors: { name: ["can't be blank"], ...errors } });
    expect([(await catalog.list('', key)).pagination.total_count, (await catalog.events(storeId)).length]).toEqual([1, 1]);
    await create({ name: 'Third', sku: 'a-1' });
    await catalog.call('DeleteProduct', { id: String(first.id) }, staff);
    expect((await create({ name: 'Fourth', sku: 'A-1' })).json.product.sku).toBe('A-1');
  });

  test('D41: money is rounded half-up to two decimals, exactly, whatever was sent', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.integer({ min: 0, max: 9_999 }),
      async (whole, fraction) => {
        const sent = `${whole}.${String(fraction).padStart(4, '0')}`;
        const cents = BigInt(whole) * 100n + BigInt(Math.floor((fraction + 50) / 100));
        const expected = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
        const { json } = await catalog.answer('CreateProduct', `{"product": {"name": "m", "price": ${sent}, "cost": "${sent}"}}`, key);
        expect(json.product).toMatchObject({ price: expected, effective_price: expected, cost: expected });
      },
    );
    await holds(property, {
      numRuns: 60,
      examples: [
        [0, 50],
        [1, 49],
        [0, 9_950],
        [10, 9_999],
        [2, 6_750],
      ],
    });
  });

  test('a cost is writable without costs:read, and readable only with it', async () => {
    const blind = keyOf(storeId, { scopes: new Set(['products:read', 'products:write']) });
    const { json } = await create({ name: 'a', cost: 2, wholesale_price: 3 }, blind);
    for (const field of ['cost', 'average_cost', 'wholesale_price']) expect(json.product).not.toHaveProperty(field);
    expect(await catalog.get(json.product.id, key)).toMatchObject({ cost: '2.00', wholesale_price: '3.00' });
  });

  test('costs of receipts are absent, not null, until there are receipts', async () => {
    const { json } = await create({ name: 'Lantern', sku: 'COST', price: 3, average_cost: 9 });
    const { id } = json.product;
    await catalog.stock(storeId, [{ product_id: id, stock: '5.000', version: 1 }]);
    await catalog.answer('BulkUpsert', { products: [{ sku: 'COST', average_cost: 9, price: 4 }] }, key);
    for (const name of ['average_cost', 'cost']) expect(await catalog.get(id, key)).not.toHaveProperty(name);
    // What a client wrote is its word on the cost, for as long as it says so.
    await catalog.answer('BulkUpsert', { products: [{ sku: 'COST', cost: 2 }] }, key);
    expect(await catalog.get(id, key)).toMatchObject({ cost: '2.00' });
    await catalog.answer('BulkUpsert', { products: [{ sku: 'COST', cost: null }] }, key);
    for (const name of ['average_cost', 'cost']) expect(await catalog.get(id, key)).not.toHaveProperty(name);
    expect(await catalog.run('select 1 from catalog.products where average_cost is not null and store_id = $1', [storeId])).toEqual([]);
  });

  test('a creation has one event with the public shape, and is audited in full', async () => {
    const { json } = await create({ name: 'Lantern', sku: 'A', cost: 2, supplier_name: 'Lamps Ltd' });
    const [event, ...others] = await catalog.events(storeId);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: 'product.created', aggregate: `product:${json.product.id}` });
    const about = { action: 'product.create', resource_type: 'Product', resource_id: json.product.id, ip: '203.0.113.7' };
    const after = { name: 'Lantern', sku: 'A', cost: '2.00', supplier_name: 'Lamps Ltd' };
    expect(event!.audit).toMatchObject({ ...about, before: null, after });
    expect(event!.text).not.toMatch(/cost|wholesale|Lamps/);
  });
});

test('POST /products is two statements, whose answer and event equal the next GET', async () => {
  let created: object | undefined;
  const make = async () => {
    created = await catalog.product({ name: 'Written once', sku: 'once', price: 2, description: 'A lamp', pack_quantity: 6 }, key);
  };
  expect(await catalog.statementsOf(make)).toBe(2);
  const [event] = await catalog.events(storeId);
  const read = await catalog.get((created as { id: number }).id, key);
  expect(created).toEqual(read);
  expect(event!.body.data).toMatchObject({ id: read.id, name: 'Written once', sku: 'once', price: '2.00', categories: [], variations: [] });
});
