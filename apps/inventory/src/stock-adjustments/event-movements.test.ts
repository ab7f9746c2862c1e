/** Stock that sales, voids, receipts and their corrections move (D220). */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Message, ReceiptFact, SaleFact } from '@store/events';
import { saleMessage, storeMessage, testMessage } from '@store/testbed';
import { caller, inventory, ledger, newStore, shareInventory, staff, storeId } from '../../test/inventory-under-test.ts';

shareInventory();
beforeEach(() => newStore());

const line = (product_id: number, quantity: string, bundle = false) => ({
  ...{ product_id, product_name: `Product ${product_id}`, sku: `P-${product_id}` },
  ...{ quantity, bundle },
});
type Line = ReturnType<typeof line>;
const sale = (kind: 'completed' | 'voided', id: number, lines: Line[], changes: Partial<SaleFact> = {}, store = storeId) =>
  saleMessage(store, kind, { id, lines, ...changes });

function receipt(order: number, number: number, moved: Line[], changes: object = {}): Message {
  const user = { id: 7, name: 'Max Manager' };
  const fact: ReceiptFact = { order_id: order, order_number: `PO-${order}`, number, user, moved, lines: [], ...changes };
  const about = { name: 'purchase_order.receipt', aggregate: `purchase_order:${order}` };
  return testMessage('purchasing', { storeId, ...about, internal: { receipt: fact } });
}

const sold = [line(11, '2'), line(12, '0.5'), line(11, '1')];
test.each([
  ['spec, D111: a sale', () => sale('completed', 1, sold), 'sale', 'register', [-2, -0.5, -3], 'R-1', { id: 9, name: 'Sam Hill' }],
  ['spec: a receipt', () => receipt(1, 1, sold), 'receive', 'purchase_order', [2, 0.5, 3], 'PO-1', { id: 7, name: 'Max Manager' }],
] as const)(
  '%s is one row per line of the snapshot, by who made it; nothing is asked',
  async (_name, message, type, source, stock, reason, user) => {
    const events = await inventory.eventsOf(storeId, () => inventory.publish(message()));
    const rows = (await ledger()).reverse();
    expect(rows.map((row) => [row.product_id, row.adjustment_type, row.quantity_after])).toEqual(
      sold.map(({ product_id }, n) => [product_id, type, stock[n]]),
    );
    expect(rows[0]).toMatchObject({ product_name: 'Product 11', sku: 'P-11', quantity_before: 0, reason, user });
    expect(events.map(({ name, body, internal }) => [name, body.data.transaction_type, body.data.source, internal.stock])).toEqual(
      [1, 1, 2].map((version, n) => [
        ...['inventory.adjusted', type, source],
        { product_id: sold[n]!.product_id, stock: stock[n]!.toFixed(3), version },
      ]),
    );
    expect(inventory.catalog.asked).toBe(0);
  },
);

test('D164: a void puts back once what a completed sale took, else nothing', async () => {
  await inventory.publish(sale('completed', 2, [line(21, '3')]));
  await inventory.publish(sale('voided', 2, [line(21, '3')], { user: { id: 8, name: 'Max Manager' } }));
  await inventory.publish(sale('voided', 3, [line(21, '5')], { counted: false }));
  expect((await ledger()).map((row) => [row.adjustment_type, row.quantity_change, row.quantity_after, row.user?.name])).toEqual([
    ['void', 3, 0, 'Max Manager'],
    ['sale', -3, -3, 'Sam Hill'],
  ]);
});

test("D157: a correction is the difference; the receipt's number shows repetitions", async () => {
  const [first, second] = [receipt(2, 1, [line(21, '5')]), receipt(2, 2, [line(21, '5')])];
  await inventory.publish(first, second, receipt(2, 3, [line(21, '-12')]));
  await inventory.publish(first, { ...second, id: randomUUID() });
  expect((await ledger()).map((row) => row.quantity_after)).toEqual([-2, 10, 5]);
});

test('an event that comes again, by its id or in another event, moves nothing again', async () => {
  const message = sale('completed', 4, [line(31, '1'), line(32, '1')]);
  await inventory.publish(message, message);
  await inventory.publish(message);
  await inventory.publish({ ...message, id: randomUUID() }, { ...message, id: randomUUID() });
  expect((await ledger()).map((row) => row.quantity_after)).toEqual([-1, -1]);
});

test("with locations stock moves at the lowest id of its kind, a bundle's nowhere", async () => {
  const add = (name: string, kind: string) => inventory.addLocation(name, kind, staff);
  const [cellar, shop] = [await add('Cellar', 'back'), await add('Shop', 'floor')];
  for (const kind of ['floor', 'back']) await add(`Other ${kind}`, kind);
  const [untracked, lines] = [[line(40, '1')], [line(41, '1'), line(42, '1', true)]];
  await inventory.publish(sale('completed', 4, untracked), receipt(3, 1, untracked));
  const tracked = storeMessage(storeId, ['stock_locations']);
  await inventory.publish(tracked, sale('completed', 5, lines), sale('voided', 5, lines), receipt(3, 2, lines));
  const places = (await ledger()).reverse().map((row) => [row.adjustment_type, row.product_id, row.warehouse_location?.id ?? null]);
  expect(places).toEqual([
    ['sale', 40, null],
    ['receive', 40, null],
    ['sale', 41, shop.id],
    ['sale', 42, null],
    ['void', 41, shop.id],
    ['void', 42, null],
    ['receive', 41, cellar.id],
    ['receive', 42, null],
  ]);
});

test('D220: without a floor location a row has none', async () => {
  await inventory.publish(storeMessage(storeId, ['stock_locations']), sale('completed', 7, [line(51, '1')]));
  expect((await ledger())[0].warehouse_location).toBeNull();
});

test('300 sales of two stores and a receipt of 1,000 lines take few statements', async () => {
  const other = storeId + 500;
  const sales = Array.from({ length: 300 }, (_, n) =>
    sale('completed', 1_000 + n, [line(61, '1'), line(62 + (n % 20), '0.250')], {}, n % 2 === 0 ? storeId : other),
  );
  expect(await inventory.statementsOf(() => inventory.publish(...sales))).toBeLessThan(30);
  for (const store of [storeId, other]) expect(await inventory.stockOf(store, 61)).toBe(-150);
  const moved = Array.from({ length: 1_000 }, (_, n) => line(5_000 + n, '1'));
  expect(await inventory.statementsOf(() => inventory.publish(receipt(4, 1, moved)))).toBeLessThan(20);
  expect(await inventory.stockOf(storeId, 5_999)).toBe(1);
});

test('a sale beside a count by hand: both are written, and the chain holds', async () => {
  inventory.catalog.products.set(71, { storeId, name: 'Tea' });
  const counted = { product_id: 71, adjustment_type: 'inventory', counted_quantity: 10 };
  await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => inventory.publish(sale('completed', 2_000 + n, [line(71, '1'), line(70, '1')]))),
    ...Array.from({ length: 5 }, () => inventory.adjust(counted, caller)),
  ]);
  const rows = (await ledger('product_id=71')).reverse();
  expect(rows).toHaveLength(15);
  for (const [index, row] of rows.entries()) expect(row.quantity_before).toBe(index === 0 ? 0 : rows[index - 1].quantity_after);
});

const withoutSale = () => ({ ...sale('completed', 8, []), internal: null });
test.each<[string, () => Message]>([
  ['no sale', withoutSale],
  ['a sold line without a quantity', () => sale('completed', 8, [line(81, 'many')])],
  ['a sold line without a product', () => sale('completed', 9, [{ ...line(81, '1'), product_id: null as never }])],
  ['no received lines', () => receipt(5, 1, undefined as never)],
  ['a received line that moves nothing', () => receipt(5, 1, [line(81, '0.000')])],
  ['a received line without a product', () => receipt(5, 1, [{ ...line(81, '1'), product_id: null as never }])],
  ['no receipt number', () => receipt(5, 1, [], { number: undefined })],
])('%s waits in dead_letters, and the next event is handled', async (_name, message) => {
  const bad = message();
  await inventory.publish(bad, sale('completed', 10, [line(82, '1')]));
  expect(await inventory.stockOf(storeId, 82)).toBe(-1);
  expect(await inventory.run('select 1 from inventory.dead_letters where event_id = $1', [bad.id])).toHaveLength(1);
});
