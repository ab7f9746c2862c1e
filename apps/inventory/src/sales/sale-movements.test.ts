/** Stock that leaves with a sale and comes back with its void, over a real database. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Message, SaleFact } from '@store/events';
import { inventory, newStore, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { asStaff, callerOf } from '../../test/start-inventory.ts';

shareInventory();
beforeEach(() => newStore());

const line = (productId: number, quantity: string, changes: Partial<SaleFact['lines'][number]> = {}) => ({
  product_id: productId,
  product_name: `Product ${productId}`,
  sku: `P-${productId}`,
  quantity,
  bundle: false,
  ...changes,
});

function fact(id: number, lines: SaleFact['lines'], changes: Partial<SaleFact> = {}): SaleFact {
  const money = { subtotal: '10.00', discount_amount: '0.00', total: '10.00', store_credit: '0.00' };
  return {
    id,
    receipt_number: `R-${id}`,
    counted: true,
    customer_id: null,
    ...money,
    user: { id: 7, name: 'Cleo Clerk' },
    lines,
    ...changes,
  };
}

function told(name: string, sale: SaleFact, store = storeId): Message {
  return {
    id: randomUUID(),
    topic: 'sales.events',
    storeId: store,
    name,
    aggregate: `sale:${sale.id}`,
    public: null,
    internal: { sale },
    actor: { type: 'user', key: null, user: sale.user },
    requestId: 'r',
    createdAt: '2026-11-20T12:00:00.000Z',
  };
}

function storeTold(features: string[]): Message {
  const store = { timeZone: 'Europe/London', features };
  return { ...told('store.changed', fact(1, [])), topic: 'gateway.events', internal: { store }, version: 1 };
}

const ledger = async () => (await inventory.list('', callerOf(storeId))).stock_adjustments;

test('spec, D111, D220: one row per line, type sale, by the clerk, with the receipt number and the snapshot; source register', async () => {
  const events = await inventory.eventsOf(storeId, () =>
    inventory.publish(told('sale.completed', fact(1, [line(11, '2'), line(12, '0.5'), line(11, '1')]))),
  );
  const rows = (await ledger()).reverse();
  expect(rows.map((row) => [row.product_id, row.adjustment_type, row.quantity_change, row.quantity_before, row.quantity_after])).toEqual([
    [11, 'sale', -2, 0, -2],
    [12, 'sale', -0.5, 0, -0.5],
    [11, 'sale', -1, -2, -3],
  ]);
  expect(rows[0]).toMatchObject({ product_name: 'Product 11', sku: 'P-11', reason: 'R-1', user: { id: 7, name: 'Cleo Clerk' } });
  expect(events.map((event) => [event.name, event.body.data.transaction_type, event.body.data.source, event.internal.stock])).toEqual([
    ['inventory.adjusted', 'sale', 'register', { product_id: 11, stock: '-2.000', version: 1 }],
    ['inventory.adjusted', 'sale', 'register', { product_id: 12, stock: '-0.500', version: 1 }],
    ['inventory.adjusted', 'sale', 'register', { product_id: 11, stock: '-3.000', version: 2 }],
  ]);
  expect(inventory.catalog.asked).toBe(0);
});

test('D164: a void puts back what a completed sale took, once, and nothing of a sale that never counted', async () => {
  const sale = fact(2, [line(21, '3')]);
  await inventory.publish(told('sale.completed', sale));
  await inventory.publish(told('sale.voided', { ...sale, user: { id: 8, name: 'Max Manager' } }));
  await inventory.publish(told('sale.voided', fact(3, [line(21, '5')], { counted: false })));
  const rows = await ledger();
  expect(rows.map((row) => [row.adjustment_type, row.quantity_change, row.quantity_after, row.user?.name])).toEqual([
    ['void', 3, 0, 'Max Manager'],
    ['sale', -3, -3, 'Cleo Clerk'],
  ]);
});

test('an event that comes again, by its id or in another event, moves nothing again', async () => {
  const sold = told('sale.completed', fact(4, [line(31, '1'), line(32, '1')]));
  await inventory.publish(sold, sold);
  await inventory.publish(sold);
  await inventory.publish({ ...sold, id: randomUUID() }, { ...sold, id: randomUUID() });
  expect(await ledger()).toHaveLength(2);
  expect(await inventory.stockOf(storeId, 31)).toBe(-1);
});

test('D220: in a store that tracks locations a sale and a void use the floor location of the lowest id, a bundle none', async () => {
  await inventory.addLocation('Cellar', 'back', asStaff(storeId));
  const shop = await inventory.addLocation('Shop', 'floor', asStaff(storeId));
  await inventory.addLocation('Annex', 'floor', asStaff(storeId));
  const sale = fact(5, [line(41, '1'), line(42, '1', { bundle: true })]);
  await inventory.publish(storeTold(['stock_locations']), told('sale.completed', sale), told('sale.voided', sale));
  const places = (await ledger()).reverse().map((row) => [row.product_id, row.adjustment_type, row.warehouse_location?.id ?? null]);
  expect(places).toEqual([
    [41, 'sale', shop.id],
    [42, 'sale', null],
    [41, 'void', shop.id],
    [42, 'void', null],
  ]);
});

test('D220: a store without the feature, or without a floor location, gets its rows without a location', async () => {
  await inventory.addLocation('Shop', 'floor', asStaff(storeId));
  await inventory.publish(told('sale.completed', fact(6, [line(51, '1')])));
  expect((await ledger())[0]!.warehouse_location).toBeNull();
  newStore();
  await inventory.publish(storeTold(['stock_locations']), told('sale.completed', fact(7, [line(51, '1')])));
  expect((await ledger())[0]!.warehouse_location).toBeNull();
});

test('a batch of 300 sales of two stores takes a bounded number of statements and keeps every chain', async () => {
  const other = storeId + 500;
  const sales = Array.from({ length: 300 }, (_, n) =>
    told('sale.completed', fact(1_000 + n, [line(61, '1'), line(62 + (n % 20), '0.250')]), n % 2 === 0 ? storeId : other),
  );
  const statements = await inventory.statementsOf(() => inventory.publish(...sales));
  expect(statements).toBeLessThan(30);
  expect(await inventory.stockOf(storeId, 61)).toBe(-150);
  expect(await inventory.stockOf(other, 61)).toBe(-150);
});

test('a sale beside a count by hand: both are written, and the chain holds', async () => {
  inventory.catalog.products.set(71, { storeId, name: 'Tea' });
  const counted = { product_id: 71, adjustment_type: 'inventory', counted_quantity: 10 };
  await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => inventory.publish(told('sale.completed', fact(2_000 + n, [line(71, '1'), line(70, '1')])))),
    ...Array.from({ length: 5 }, () => inventory.adjust(counted, callerOf(storeId))),
  ]);
  const rows = (await ledger()).filter((row) => row.product_id === 71).reverse();
  expect(rows).toHaveLength(15);
  for (const [index, row] of rows.entries()) expect(row.quantity_before).toBe(index === 0 ? 0 : rows[index - 1]!.quantity_after);
});

test.each([
  ['no sale', undefined],
  ['a line without a quantity', { ...fact(8, []), lines: [{ ...line(81, '1'), quantity: 'many' }] }],
  ['a line without a product', { ...fact(9, []), lines: [{ ...line(81, '1'), product_id: null }] }],
])('%s waits in dead_letters, and the next sale is handled', async (_, sale) => {
  const bad = { ...told('sale.completed', fact(8, [])), internal: { sale } } as unknown as Message;
  await inventory.publish(bad, told('sale.completed', fact(10, [line(82, '1')])));
  expect(await inventory.stockOf(storeId, 82)).toBe(-1);
  const letters = await inventory.db.read('select 1 from inventory.dead_letters where event_id = $1', [bad.id]);
  expect(letters).toHaveLength(1);
});
