/** Stock that arrives by purchase orders, and what corrections do to it, over a real database. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Message, ReceiptFact } from '@store/events';
import { inventory, newStore, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { asStaff, callerOf } from '../../test/start-inventory.ts';

shareInventory();
beforeEach(() => newStore());

const line = (productId: number, quantity: string, bundle = false): ReceiptFact['moved'][number] => ({
  product_id: productId,
  product_name: `Product ${productId}`,
  sku: null,
  bundle,
  quantity,
});

function told(order: number, number: number, moved: ReceiptFact['moved']): Message {
  const user = { id: 7, name: 'Max Manager' };
  const receipt: ReceiptFact = { order_id: order, order_number: `PO-${order}`, number, user, moved, lines: [] };
  return {
    id: randomUUID(),
    topic: 'purchasing.events',
    storeId,
    name: 'purchase_order.receipt',
    aggregate: `purchase_order:${order}`,
    public: null,
    internal: { receipt },
    actor: { type: 'user', key: null, user },
    requestId: 'r',
    createdAt: '2026-11-20T12:00:00.000Z',
  };
}

const storeTold = (features: string[]): Message => ({
  ...told(1, 1, []),
  name: 'store.changed',
  internal: { store: { timeZone: 'Europe/London', features } },
  version: 1,
});
const ledger = async () => (await inventory.list('', callerOf(storeId))).stock_adjustments.reverse();

test('spec, D220: one receive row per line with the order number, by who received it; source purchase_order; nothing is asked', async () => {
  const events = await inventory.eventsOf(storeId, () => inventory.publish(told(1, 1, [line(11, '2.5'), line(12, '1'), line(11, '1')])));
  const rows = await ledger();
  expect(rows.map((row) => [row.product_id, row.adjustment_type, row.quantity_change, row.quantity_before, row.quantity_after])).toEqual([
    [11, 'receive', 2.5, 0, 2.5],
    [12, 'receive', 1, 0, 1],
    [11, 'receive', 1, 2.5, 3.5],
  ]);
  expect(rows[0]).toMatchObject({ product_name: 'Product 11', sku: null, reason: 'PO-1', user: { id: 7, name: 'Max Manager' } });
  expect(events.map((event) => [event.name, event.body.data.transaction_type, event.body.data.source])).toEqual(
    Array(3).fill(['inventory.adjusted', 'receive', 'purchase_order']),
  );
  expect(inventory.catalog.asked).toBe(0);
});

test('D157: a correction is the difference, also below zero; the number of the receipt tells one from its repetition', async () => {
  const first = told(2, 1, [line(21, '5')]);
  const second = told(2, 2, [line(21, '5')]);
  await inventory.publish(first, second, told(2, 3, [line(21, '-12')]));
  await inventory.publish(first, { ...second, id: randomUUID() });
  expect((await ledger()).map((row) => row.quantity_after)).toEqual([5, 10, -2]);
});

test('D220: a store that tracks locations receives at the back location of the lowest id, a bundle nowhere', async () => {
  await inventory.addLocation('Shop', 'floor', asStaff(storeId));
  const cellar = await inventory.addLocation('Cellar', 'back', asStaff(storeId));
  await inventory.addLocation('Annex', 'back', asStaff(storeId));
  await inventory.publish(told(3, 1, [line(31, '1')]));
  await inventory.publish(storeTold(['stock_locations']), told(3, 2, [line(31, '1'), line(32, '1', true)]));
  expect((await ledger()).map((row) => row.warehouse_location?.id ?? null)).toEqual([null, cellar.id, null]);
});

test('a receipt of 1,000 lines takes a bounded number of statements', async () => {
  const moved = Array.from({ length: 1_000 }, (_, n) => line(5_000 + n, '1'));
  expect(await inventory.statementsOf(() => inventory.publish(told(4, 1, moved)))).toBeLessThan(20);
  expect(await inventory.stockOf(storeId, 5_999)).toBe(1);
});

test.each([
  ['no lines', { moved: undefined }],
  ['a line that moves nothing', { moved: [line(81, '0.000')] }],
  ['a line without a product', { moved: [{ ...line(81, '1'), product_id: null }] }],
  ['no number', { number: undefined }],
])('%s waits in dead_letters, and the next receipt is handled', async (_, changes) => {
  const bad = told(5, 1, []);
  Object.assign(bad.internal!.receipt!, changes);
  await inventory.publish(bad, told(6, 1, [line(82, '1')]));
  expect(await inventory.stockOf(storeId, 82)).toBe(1);
  const letters = await inventory.db.read('select 1 from inventory.dead_letters where event_id = $1', [bad.id]);
  expect(letters).toHaveLength(1);
});
