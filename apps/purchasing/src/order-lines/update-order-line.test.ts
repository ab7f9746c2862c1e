import { beforeAll, expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, storeId } from '../../test/shared-purchasing.ts';
import { asStaff } from '../../test/start-purchasing.ts';

sharePurchasing();
beforeAll(async () => {
  purchasing.catalog.products.set(2, { storeId, name: 'Red metal lantern' });
});

const matchedLine = { product_id: 1, quantity_ordered: 10, unit_price: '1.35' };
const loose = { product_name: 'Some lantern', sku: 'S-1', quantity_ordered: 10, unit_price: '1.35' };

async function ordered(line: object = matchedLine): Promise<{ id: number; line: number }> {
  const { id, line_items } = await purchasing.order(storeId, [line]);
  return { id, line: line_items[0].id };
}
const receive = (id: number, line: number, quantity_received: number) =>
  purchasing.receive(storeId, id, { line_items: [{ id: line, quantity_received }] });
const moved = async (work: () => Promise<unknown>): Promise<[number, string][]> => {
  const facts = (await purchasing.eventsOf(storeId, work)).flatMap(({ internal }) => internal?.receipt?.moved ?? []);
  return facts.map(({ product_id, quantity }) => [product_id, quantity]);
};
const refused = (id: number, line: number | string, line_item: unknown, store = storeId) =>
  purchasing.refusal(purchasing.body('UpdatePurchaseOrderLine', { line_item }, asStaff(store), { id, line_id: line }));

test('D157: quantity_received sets the total, and the difference moves stock, up or down', async () => {
  const { id, line } = await ordered();
  await receive(id, line, 4);
  expect(await moved(() => purchasing.correct(storeId, id, line, { quantity_received: 7 }))).toEqual([[1, '3.000']]);
  expect(await moved(() => purchasing.correct(storeId, id, line, { quantity_received: '2.5' }))).toEqual([[1, '-4.500']]);
  expect(await moved(() => purchasing.correct(storeId, id, line, { quantity_received: '2.5' }))).toEqual([]);
});

test('D240: a correction makes an order partially received, never received; on a received or cancelled one it changes no state', async () => {
  const { id, line } = await ordered();
  expect(await purchasing.correct(storeId, id, line, { quantity_received: 10 })).toMatchObject({
    status: 'partially_received',
    received_at: null,
    line_items: [{ variance_status: 'ok' }],
  });
  expect(await purchasing.correct(storeId, id, line, { quantity_received: 0 })).toMatchObject({ status: 'partially_received' });
  for (const status of ['received', 'cancelled']) {
    const final = await ordered();
    await purchasing.move(storeId, final.id, status);
    expect(await purchasing.correct(storeId, final.id, final.line, { quantity_received: 3 })).toMatchObject({ status, has_variance: true });
  }
});

test('spec: purchase_order.received fires once with the full order; corrections, invoices and re-saves afterwards fire nothing', async () => {
  const { id, line } = await ordered();
  const events = await purchasing.eventsOf(storeId, async () => {
    await receive(id, line, 10);
    await purchasing.correct(storeId, id, line, { quantity_received: 9 });
    await purchasing.invoice(storeId, id, [{ id: line, quantity_invoiced: 10 }]);
    await purchasing.move(storeId, id, 'received');
    await purchasing.correct(storeId, id, line, { quantity_received: 10 });
  });
  const fired = events.filter(({ body }) => body !== null);
  expect(fired.map(({ name }) => name)).toEqual(['purchase_order.received']);
  const { body } = fired[0]!;
  expect(body).toMatchObject({ event: 'purchase_order.received', resource_type: 'PurchaseOrder', resource_id: id });
  const { text } = await purchasing.call('GetPurchaseOrder', { id: String(id) }, asStaff(storeId));
  const shape = JSON.parse(text).purchase_order;
  expect(Object.keys(body.data)).toEqual(Object.keys(shape));
  expect(Object.keys(body.data.line_items[0])).toEqual(Object.keys(shape.line_items[0]));
  // As it was on the move into received: later corrections are not in it.
  expect(body.data).toMatchObject({ status: 'received', line_items: [{ quantity_received: 10, quantity_invoiced: null }] });
});

test('20 receipts that each complete the order at once: one is received, the event fires once', async () => {
  const { id, line } = await ordered();
  const outcomes = await purchasing.eventsOf(storeId, () => Promise.allSettled(Array.from({ length: 20 }, () => receive(id, line, 10))));
  expect(outcomes.filter(({ name }) => name === 'purchase_order.received')).toHaveLength(1);
  expect((await purchasing.get(storeId, id)).line_items[0].quantity_received).toBe(10);
});

test('D242: an unmatched line moves stock when it is matched, all that was received; matching anew moves it over, unmatching takes it back', async () => {
  const { id, line } = await ordered(loose);
  expect(await moved(() => receive(id, line, 4))).toEqual([]);
  expect(await moved(() => purchasing.correct(storeId, id, line, { product_id: 1 }))).toEqual([[1, '4.000']]);
  expect(await moved(() => purchasing.correct(storeId, id, line, { product_id: 1 }))).toEqual([]);
  const both = () => purchasing.correct(storeId, id, line, { product_id: 2, quantity_received: 5 });
  expect(await moved(both)).toEqual([
    [1, '-4.000'],
    [2, '5.000'],
  ]);
  const [matched] = (await purchasing.get(storeId, id)).line_items;
  expect(matched).toMatchObject({ product_id: 2, product_name: 'Red metal lantern', sku: 'N/A', match_status: 'matched' });
  expect(await moved(() => purchasing.correct(storeId, id, line, { product_id: null }))).toEqual([[2, '-5.000']]);
  const [free] = (await purchasing.get(storeId, id)).line_items;
  expect(free).toMatchObject({ product_id: null, product_name: 'Red metal lantern', match_status: 'unmatched' });
});

test('match_status create_new waits for something to arrive; of a line that has arrived the product is made at once', async () => {
  const waiting = await ordered(loose);
  const flagged = await purchasing.correct(storeId, waiting.id, waiting.line, { match_status: 'create_new' });
  expect(flagged.line_items[0]).toMatchObject({ product_id: null, match_status: 'create_new' });
  expect(purchasing.catalog.made.has(waiting.line)).toBe(false);
  const arrived = await ordered({ ...loose, sku: 'S-2' });
  await receive(arrived.id, arrived.line, 3);
  const made = await moved(() => purchasing.correct(storeId, arrived.id, arrived.line, { match_status: 'create_new' }));
  expect(made).toEqual([[purchasing.catalog.made.get(arrived.line), '3.000']]);
});

test('costs follow a correction: the line as it stands, with when something last arrived', async () => {
  const { id, line } = await ordered();
  await receive(id, line, 4);
  const arrivedAt = purchasing.clock.now().toISOString();
  purchasing.clock.advance(60_000);
  const [event] = await purchasing.eventsOf(storeId, () => purchasing.correct(storeId, id, line, { quantity_received: 0 }));
  const fact = { line_id: line, product_id: 1, quantity: '0.000', unit_cost: '1.35', landed_cost: '1.35', received_at: arrivedAt };
  expect(event!.internal.receipt).toMatchObject({ order_id: id, number: 2, user: { id: 7, name: 'Max Manager' }, lines: [fact] });
});

test('the audit trail keeps what the correction changed, and nothing else', async () => {
  const { id, line } = await ordered();
  const events = await purchasing.eventsOf(storeId, () => purchasing.correct(storeId, id, line, { quantity_received: 1 }));
  const at = purchasing.clock.now().toISOString();
  expect(events.at(-1)!.audit).toMatchObject({
    action: 'purchase_order.update',
    before: { status: 'pending', line_items: [{ id: line, quantity_received: '0.000', received_at: null }] },
    after: { status: 'partially_received', line_items: [{ id: line, quantity_received: '1.000', received_at: at }] },
  });
});

test('400 without anything to change, 404 for an unknown order or line, 422 for what does not go together', async () => {
  const { id, line } = await ordered();
  const other = await ordered(loose);
  expect(await refused(id, line, {})).toEqual({ status: 400, error: 'param is missing or the value is empty: line_item' });
  expect(await refused(id, other.line, { quantity_received: 1 })).toEqual({ status: 404, error: 'Line item not found' });
  expect(await refused(id, 'x', { quantity_received: 1 })).toEqual({ status: 404, error: 'Line item not found' });
  expect(await refused(id, line, { quantity_received: 1 }, 2)).toEqual({ status: 404, error: 'Purchase order not found' });
  const errors = async (line_item: object, at = { id, line }) => (await refused(at.id, at.line, line_item)).errors;
  expect(await errors({ quantity_received: -1 })).toEqual(['Quantity received must be greater than or equal to 0']);
  expect(await errors({ quantity_received: null })).toEqual(["Quantity received can't be blank"]);
  expect(await errors({ product_id: 9 })).toEqual(['Product not found']);
  expect(await errors({ product_id: 3 })).toEqual(['Product has variations; name one of them']);
  expect(await errors({ product_id: 2, match_status: 'create_new' })).toEqual(['Match status must be matched with a product_id']);
  expect(await errors({ match_status: 'matched' }, other)).toEqual(['Match status must not be matched without a product_id']);
  expect(await errors({ match_status: 'lost' })).toEqual(['Match status must be one of matched, unmatched, create_new']);
  const nameless = await ordered({ sku: 'S-9', quantity_ordered: 1, unit_price: 1 });
  expect(await errors({ match_status: 'create_new' }, nameless)).toEqual(['Match status needs a line with a product_name']);
});
