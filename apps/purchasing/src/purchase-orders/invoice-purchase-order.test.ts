import { expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, storeId } from '../../test/purchasing-under-test.ts';

sharePurchasing();

const line = { product_id: 1, quantity_ordered: 10, unit_price: '1.35' };
const ordered = (lines = 1) => purchasing.order(Array(lines).fill(line), { shipping_cost: '2.70' });
const refused = (id: number, line_items: object[]) => purchasing.refusal(purchasing.invoice(id, line_items));
const costs = async (work: () => Promise<unknown>) =>
  (await purchasing.eventsOf(storeId, work)).flatMap(({ internal }) => internal?.receipt ?? []);

test('spec: an invoice fills quantity, cost and their variances on its lines alone', async () => {
  const { id, line_items } = await ordered(2);
  await purchasing.receive(id, { line_items: [{ id: line_items[0].id, quantity_received: 8 }] });
  const billed = await purchasing.invoice(id, [{ id: line_items[0].id, quantity_invoiced: 12, unit_cost_invoiced: '1.50' }]);
  const variances = { invoice_variance: 2, receiving_variance: -4, fulfillment_variance: -2, variance_value: 6 };
  const costs = { unit_price: 1.35, unit_cost_invoiced: 1.5, line_total: 13.5 };
  const first = { quantity_invoiced: 12, supplier_document_id: expect.any(Number), ...costs, ...variances };
  expect(billed.line_items[0]).toMatchObject(first);
  expect(billed.line_items[1]).toMatchObject({ quantity_invoiced: null, variance_value: null, supplier_document_id: null });
});

test('D245: a later invoice replaces on its lines; without a cost the ordered counts', async () => {
  const { id, line_items } = await ordered(2);
  const [first, second] = line_items.map((line: { id: number }) => line.id);
  const before = await purchasing.invoice(id, [
    { id: first, quantity_invoiced: 10, unit_cost_invoiced: '9.99' },
    { id: second, quantity_invoiced: 0 },
  ]);
  const after = await purchasing.invoice(id, [{ id: first, quantity_invoiced: 9 }]);
  const replaced = { quantity_invoiced: 9, unit_cost_invoiced: null, receiving_variance: -9, variance_value: 12.15 };
  expect(after.line_items[0]).toMatchObject(replaced);
  expect(after.line_items[1]).toEqual(before.line_items[1]);
  expect(after.line_items[1]).toMatchObject({ quantity_invoiced: 0, variance_value: 0 });
  expect(after.line_items[0].supplier_document_id).not.toBe(after.line_items[1].supplier_document_id);
});

test('an invoice alone is no variance; on a received order it changes only costs', async () => {
  const { id, line_items } = await ordered();
  const line = line_items[0].id;
  expect((await purchasing.invoice(id, [{ id: line, quantity_invoiced: 99 }])).has_variance).toBe(false);
  await purchasing.receive(id, { line_items: [{ id: line, quantity_received: 10 }] });
  const again = { id: line, quantity_invoiced: 10, unit_cost_invoiced: '1.60' };
  const events = await purchasing.eventsOf(storeId, () => purchasing.invoice(id, [again]));
  expect(events.map(({ name, body }) => [name, body])).toEqual([
    ['purchase_order.receipt', null],
    ['purchase_order.updated', null],
  ]);
  // 1.60 and the tenth of the shipping of 2.70 that each ordered unit bears.
  const fact = { line_id: line, product_id: 1, quantity: '10.000', unit_cost: '1.60', landed_cost: '1.87' };
  expect(events[0]!.internal.receipt).toMatchObject({ moved: [], lines: [fact] });
  expect((await costs(() => purchasing.invoice(id, [again]))).length).toBe(0);
});

test('D240: an invoice is taken on any order but a cancelled one', async () => {
  for (const status of ['confirmed', 'received']) {
    const { id, line_items } = await ordered();
    await purchasing.move(id, status);
    expect(await purchasing.invoice(id, [{ id: line_items[0].id, quantity_invoiced: 1 }])).toMatchObject({ status });
  }
  const { id, line_items } = await ordered();
  await purchasing.move(id, 'cancelled');
  const answer = await refused(id, [{ id: line_items[0].id, quantity_invoiced: 1 }]);
  expect(answer).toMatchObject({ status: 422, errors: ['Purchase order is cancelled'] });
});

test('400 without lines, 422 with every error at once', async () => {
  const { id, line_items } = await ordered();
  const line = line_items[0].id;
  expect(await refused(id, undefined as never)).toMatchObject({ status: 400 });
  const wrong = [
    { id: line, quantity_invoiced: -1 },
    { id: line },
    { quantity_invoiced: 1 },
    { id: 999_999, quantity_invoiced: 1, unit_cost_invoiced: 'much' },
  ];
  expect((await refused(id, wrong)).errors).toEqual([
    'Line 1 quantity invoiced must be greater than or equal to 0',
    "Line 2 quantity invoiced can't be blank",
    "Line 3 id can't be blank",
    'Line 4 unit cost invoiced is not a number',
    'Line 2 is billed more than once',
    'Line 4 is not a line of the order',
  ]);
});
