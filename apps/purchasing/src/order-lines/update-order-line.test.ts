import { beforeAll, expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, staffOf, storeId } from '../../test/purchasing-under-test.ts';

sharePurchasing();
beforeAll(async () => {
  purchasing.catalog.products.set(2, { storeId, name: 'Red metal lantern' });
});

const matchedLine = { product_id: 1, quantity_ordered: 10, unit_price: '1.35' };
const loose = { product_name: 'Some lantern', sku: 'S-1', quantity_ordered: 10, unit_price: '1.35' };

async function ordered(line: object = matchedLine): Promise<{ id: number; line: number }> {
  const { id, line_items } = await purchasing.order([line]);
  return { id, line: line_items[0].id };
}
const receive = (id: number, line: number, quantity_received: number) =>
  purchasing.receive(id, { line_items: [{ id: line, quantity_received }] });
const moved = async (work: () => Promise<unknown>): Promise<[number, string][]> => {
  const facts = (await purchasing.eventsOf(storeId, work)).flatMap(({ internal }) => internal?.receipt?.moved ?? []);
  return facts.map(({ product_id, quantity }) => [product_id, quantity]);
};
const refused = (id: number, line: number | string, line_item: unknown) =>
  purchasing.refusal(purchasing.body('UpdatePurchaseOrderLine', { line_item }, staffOf(storeId), { id, line_id: line }));

test('D157: quantity_received sets the total; the difference moves stock up or down', async () => {
  const { id, line } = await ordered();
  await receive(id, line, 4);
  expect(await moved(() => purchasing.correct(id, line, { quantity_received: 7 }))).toEqual([[1, '3.000']]);
  expect(await moved(() => purchasing.correct(id, line, { quantity_received: '2.5' }))).toEqual([[1, '-4.500']]);
  expect(await moved(() => purchasing.correct(id, line, { quantity_received: '2.5' }))).toEqual([]);
});

test('D240: a correction makes an order partially received, never a final one', async () => {
  const { id, line } = await ordered();
  const partial = { status: 'partially_received', received_at: null, line_items: [{ variance_status: 'ok' }] };
  expect(await purchasing.correct(id, line, { quantity_received: 10 })).toMatchObject(partial);
  expect(await purchasing.correct(id, line, { quantity_received: 0 })).toMatchObject({ status: 'partially_received' });
  for (const status of ['received', 'cancelled']) {
    const final = await ordered();
    await purchasing.move(final.id, status);
    expect(await purchasing.correct(final.id, final.line, { quantity_received: 3 })).toMatchObject({ status, has_variance: true });
  }
});

test('spec: purchase_order.received fires once with the full order, whatever follows', async () => {
  const { id, line } = await ordered();
  const events = await purchasing.eventsOf(storeId, async () => {
    await receive(id, line, 10);
    await purchasing.correct(id, line, { quantity_received: 9 });
    await purchasing.invoice(id, [{ id: line, quantity_invoiced: 10 }]);
    await purchasing.move(id, 'received');
    await purchasing.correct(id, line, { quantity_received: 10 });
  });
  const fired = events.filter(({ body }) => body !== null);
  expect(fired.map(({ name }) => name)).toEqual(['purchase_order.received']);
  const { body } = fired[0]!;
  expect(body).toMatchObject({ event: 'purchase_order.received', resource_type: 'PurchaseOrder', resource_id: id });
  const { text } = await purchasing.call('GetPurchaseOrder', { id: String(id) }, staffOf(storeId));
  const shape = JSON.parse(text).purchase_order;
  expect(Object.keys(body.data)).toEqual(Object.keys(shape));
  expect(Object.keys(body.data.line_items[0])).toEqual(Object.keys(shape.line_items[0]));
  // As it was on the move into received: later corrections are not in it.
  expect(body.data).toMatchObject({ status: 'received', line_items: [{ quantity_received: 10, quantity_invoiced: null }] });
});

test('20 receipts that each complete the order: one is received, the event fires once', async () => {
  const { id, line } = await ordered();
  const outcomes = await purchasing.eventsOf(storeId, () => Promise.allSettled(Array.from({ length: 20 }, () => receive(id, line, 10))));
  expect(outcomes.filter(({ name }) => name === 'purchase_order.received')).toHaveLength(1);
  expect((await purchasing.get(id)).line_items[0].quantity_received).toBe(10);
});

test('D242: what a line received moves with its match: on, to another product, back', async () => {
  const { id, line } = await ordered(loose);
  expect(await moved(() => receive(id, line, 4))).toEqual([]);
  expect(await moved(() => purchasing.correct(id, line, { product_id: 1 }))).toEqual([[1, '4.000']]);
  expect(await moved(() => purchasing.correct(id, line, { product_id: 1 }))).toEqual([]);
  const both = () => purchasing.correct(id, line, { product_id: 2, quantity_received: 5 });
  expect(await moved(both)).toEqual([
    [1, '-4.000'],
    [2, '5.000'],
  ]);
  const [matched] = (await purchasing.get(id)).line_items;
  expect(matched).toMatchObject({ product_id: 2, product_name: 'Red metal lantern', sku: 'N/A', match_status: 'matched' });
  expect(await moved(() => purchasing.correct(id, line, { product_id: null }))).toEqual([[2, '-5.000']]);
  const [free] = (await purchasing.get(id)).line_items;
  expect(free).toMatchObject({ product_id: null, product_name: 'Red metal lantern', match_status: 'unmatched' });
});

test('match_status create_new makes the product once something of the line has arrived', async () => {
  const waiting = await ordered(loose);
  const flagged = await purchasing.correct(waiting.id, waiting.line, { match_status: 'create_new' });
  expect(flagged.line_items[0]).toMatchObject({ product_id: null, match_status: 'create_new' });
  expect(purchasing.catalog.productIds.has(waiting.line)).toBe(false);
  const arrived = await ordered({ ...loose, sku: 'S-2' });
  await receive(arrived.id, arrived.line, 3);
  const productIds = await moved(() => purchasing.correct(arrived.id, arrived.line, { match_status: 'create_new' }));
  expect(productIds).toEqual([[purchasing.catalog.productIds.get(arrived.line), '3.000']]);
});

test('costs follow a correction: the line as it is, with when it last arrived', async () => {
  const { id, line } = await ordered();
  await receive(id, line, 4);
  const arrivedAt = purchasing.clock.now().toISOString();
  purchasing.clock.advance(60_000);
  const [event] = await purchasing.eventsOf(storeId, () => purchasing.correct(id, line, { quantity_received: 0 }));
  const fact = { line_id: line, product_id: 1, quantity: '0.000', unit_cost: '1.35', landed_cost: '1.35', received_at: arrivedAt };
  expect(event!.internal.receipt).toMatchObject({ order_id: id, number: 2, user: { id: 7, name: 'Max Manager' }, lines: [fact] });
});

test('the audit trail keeps what the correction changed, and nothing else', async () => {
  const { id, line } = await ordered();
  const events = await purchasing.eventsOf(storeId, () => purchasing.correct(id, line, { quantity_received: 1 }));
  const at = purchasing.clock.now().toISOString();
  expect(events.at(-1)!.audit).toMatchObject({
    action: 'purchase_order.update',
    before: { status: 'pending', line_items: [{ id: line, quantity_received: '0.000', received_at: null }] },
    after: { status: 'partially_received', line_items: [{ id: line, quantity_received: '1.000', received_at: at }] },
  });
});

test('a line of another order is a 404; what does not go together is a 422', async () => {
  const { id, line } = await ordered();
  const other = await ordered(loose);
  expect(await refused(id, other.line, { quantity_received: 1 })).toEqual({ status: 404, error: 'Line item not found' });
  const nameless = await ordered({ sku: 'S-9', quantity_ordered: 1, unit_price: 1 });
  for (const [line_item, error, at] of [
    [{ quantity_received: null }, "Quantity received can't be blank"],
    [{ product_id: 3 }, 'Product has variations; name one of them'],
    [{ product_id: 2, match_status: 'create_new' }, 'Match status must be matched with a product_id'],
    [{ match_status: 'matched' }, 'Match status must not be matched without a product_id', other],
    [{ match_status: 'lost' }, 'Match status must be one of matched, unmatched, create_new'],
    [{ match_status: 'create_new' }, 'Match status needs a line with a product_name', nameless],
  ] as const)
    expect((await refused((at ?? { id }).id, (at ?? { line }).line, line_item)).errors).toEqual([error]);
});
