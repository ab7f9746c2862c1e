import { expect, test } from '@jest/globals';
import { changedBetweenReads } from '@store/testbed';
import { purchasing, sharePurchasing, storeId } from '../../test/purchasing-under-test.ts';

sharePurchasing();

type Line = { id: number; variance_status: string };
const ordered = (lines: object[] = [{ product_id: 1, quantity_ordered: 10, unit_price: '1.35' }]) => purchasing.order(lines);
const refused = (id: number, body: object) => purchasing.refusal(purchasing.receive(id, body));
const facts = async (work: () => Promise<unknown>) =>
  (await purchasing.eventsOf(storeId, work)).flatMap(({ internal }) => internal?.receipt ?? []);

test('D157: receipts add up; the order is received once every ordered line is full', async () => {
  const { id, line_items } = await ordered([
    { product_id: 1, quantity_ordered: 10, unit_price: '1.35' },
    { product_name: 'Mystery box', quantity_ordered: '0.5', unit_price: 2 },
  ]);
  const [first, second] = line_items.map((line: Line) => line.id);
  const part = await purchasing.receive(id, { line_items: [{ id: first, quantity_received: 4 }] });
  expect(part).toMatchObject({ status: 'partially_received', received_at: null, has_variance: true });
  expect(part.line_items.map((line: Line) => line.variance_status)).toEqual(['short', 'pending']);
  const more = await purchasing.receive(id, { line_items: [{ id: first, quantity_received: 6 }] });
  expect(more.status).toBe('partially_received');
  // D241: an unmatched line counts too.
  const full = await purchasing.receive(id, { line_items: [{ id: second, quantity_received: 0.5 }] });
  expect(full).toMatchObject({ status: 'received', received_at: '2026-11-20T12:00:00.000Z', has_variance: false });
});

test('complete: true receives the order as it is: short of the missing, over the extra', async () => {
  const five = { product_id: 2, quantity_ordered: 5, unit_price: '0.10' };
  const { id, line_items } = await ordered([{ product_id: 1, quantity_ordered: 10, unit_price: '1.35' }, five, five]);
  const arrived = [11, 0].map((quantity_received, n) => ({ id: line_items[n].id, quantity_received }));
  const done = await purchasing.receive(id, { complete: true, line_items: arrived });
  expect(done.status).toBe('received');
  expect(done.line_items.map((line: Line) => line.variance_status)).toEqual(['over', 'short', 'short']);
  const { id: untouched } = await ordered();
  expect(await purchasing.receive(untouched, { complete: true })).toMatchObject({ status: 'received', has_variance: true });
});

test('something that was not ordered is a line of its own, ordered 0: unexpected', async () => {
  const { id, line_items } = await ordered();
  const { line_items: lines } = await purchasing.receive(id, {
    line_items: [
      { id: line_items[0].id, quantity_received: 10 },
      { product_id: 2, quantity_received: '2.5', unit_price: '0.40' },
      { product_name: 'Gift', quantity_received: 1 },
      { sku: 'G-2', quantity_received: 1 },
    ],
  });
  const tea = { product_id: 2, product_name: 'Loose tea', sku: 'N/A', unit_type: 'gram', match_status: 'matched' };
  const figures = { quantity_ordered: 0, quantity_received: 2.5, unit_price: 0.4, line_total: 0, fulfillment_variance: 2.5 };
  const gift = { product_id: null, product_name: 'Gift', sku: 'N/A', unit_type: 'unit', unit_price: 0, match_status: 'unmatched' };
  const unknown = { product_id: null, product_name: 'Unknown Product', sku: 'G-2' };
  expect(lines.slice(1)).toMatchObject([{ ...tea, ...figures, variance_status: 'unexpected' }, gift, unknown]);
});

test('D201: the largest accepted order is received and billed with the longest values', async () => {
  const nameMax = 248;
  const lines = (bytes: number) =>
    Array.from({ length: 1_000 }, () => ({ product_name: 'x'.repeat(bytes), sku: 's', quantity_ordered: '0.001', unit_price: '0.01' }));
  expect(await purchasing.refusal(ordered(lines(nameMax + 5)))).toMatchObject({ status: 422 });
  const { id, line_items } = await ordered(lines(nameMax));
  const all = (values: object) => line_items.map((line: Line) => ({ id: line.id, ...values }));
  await purchasing.invoice(id, all({ quantity_invoiced: '99999999999.998', unit_cost_invoiced: '0.01' }));
  const events = await purchasing.eventsOf(storeId, () =>
    purchasing.receive(id, { line_items: all({ quantity_received: '99999999999.997' }) }),
  );
  expect(events.map(({ name }) => name)).toEqual(['purchase_order.receipt', 'purchase_order.received']);
});

test('an order is read as of one moment: its status is that of its lines', async () => {
  const { id, line_items } = await ordered();
  const all = { line_items: [{ id: line_items[0].id, quantity_received: 10 }] };
  const read = () => purchasing.get(id);
  const order = await changedBetweenReads(purchasing.app.db, () => purchasing.receive(id, all), read);
  expect([order.status, order.line_items[0].quantity_received]).toEqual(['pending', 0]);
  expect(await read()).toMatchObject({ status: 'received', line_items: [{ quantity_received: 10 }] });
});

test('D241: a line that is named twice arrives twice', async () => {
  const { id, line_items } = await ordered();
  const twice = { id: line_items[0].id, quantity_received: '0.1' };
  const { line_items: lines } = await purchasing.receive(id, { line_items: [twice, twice, { ...twice, quantity_received: '0.1' }] });
  expect(lines[0].quantity_received).toBe(0.3);
});

test('concurrent receipts of the same line never lose a quantity', async () => {
  const { id, line_items } = await ordered([{ product_id: 1, quantity_ordered: 1000, unit_price: '1.35' }]);
  const receipts = Array.from({ length: 30 }, (_, n) =>
    purchasing.receive(id, { line_items: [{ id: line_items[0].id, quantity_received: n + 1 }] }),
  );
  const moved = await facts(() => Promise.all(receipts));
  expect((await purchasing.get(id)).line_items[0].quantity_received).toBe(465);
  expect(moved.reduce((sum, fact) => sum + Number(fact.moved[0].quantity), 0)).toBe(465);
  expect(new Set(moved.map((fact) => fact.number)).size).toBe(30);
});

test('D241: all or nothing, with every error in one answer', async () => {
  const { id, line_items } = await ordered();
  const line = line_items[0].id;
  const one = { quantity_received: 1 };
  const named = [{ id: line, ...one }, { id: 999_999, ...one }, { id: line, quantity_received: 0 }, { id: line }];
  const answer = await refused(id, { line_items: [...named, { product_id: 9, ...one }, { product_id: 3, ...one }, one, 7] });
  const errors = [
    'Line 3 quantity received must be greater than 0',
    "Line 4 quantity received can't be blank",
    "Line 7 product id can't be blank",
    'Line 8 is invalid',
    'Line 5 product not found',
    'Line 6 product has variations; name one of them',
    'Line 2 is not a line of the order',
  ];
  expect(answer).toEqual({ status: 422, error: `Validation failed: ${errors.join(', ')}`, errors });
  expect(await purchasing.get(id)).toMatchObject({ status: 'pending', line_items: [{ quantity_received: 0 }] });
});

test('too many lines, too much of one, and a complete that is no boolean are a 422', async () => {
  const { id, line_items } = await ordered();
  const [line] = line_items;
  expect((await refused(id, { complete: 'yes' })).errors).toEqual(['Complete must be true or false']);
  const many = Array.from({ length: 1001 }, () => ({ id: line.id, quantity_received: 1 }));
  expect((await refused(id, { line_items: many })).errors).toEqual(['Line items is too long (maximum is 1000)']);
  await purchasing.receive(id, { line_items: [{ id: line.id, quantity_received: 1 }] });
  const huge = { line_items: [{ id: line.id, quantity_received: '99999999999' }] };
  expect((await refused(id, huge)).errors).toEqual(['Quantity received is too large']);
});

test('D240: nothing is received on an order that is received or cancelled', async () => {
  for (const status of ['received', 'cancelled']) {
    const { id, line_items } = await ordered();
    await purchasing.move(id, status);
    const answer = await refused(id, { line_items: [{ id: line_items[0].id, quantity_received: 1 }] });
    expect(answer).toMatchObject({ status: 422, errors: [`Purchase order is already ${status}`] });
  }
});

test('D243: a create_new line becomes a product on arrival, or matches a sku, once', async () => {
  const { id, line_items } = await ordered([
    { product_name: 'New lamp', sku: 'L-1', quantity_ordered: 2, unit_price: 3, match_status: 'create_new' },
    { product_name: 'Lantern again', sku: '71053', quantity_ordered: 2, unit_price: 3, match_status: 'create_new' },
  ]);
  expect(line_items[0]).toMatchObject({ product_id: null, match_status: 'create_new', product_name: 'New lamp' });
  const body = { line_items: line_items.map((line: Line) => ({ id: line.id, quantity_received: 1 })) };
  const { line_items: lines } = await purchasing.receive(id, body);
  const productIds = purchasing.catalog.productIds.get(line_items[0].id);
  expect(lines[0]).toMatchObject({ product_id: productIds, product_name: 'New lamp', sku: 'L-1', match_status: 'matched' });
  expect(lines[1]).toMatchObject({ product_id: 1, product_name: 'White metal lantern', sku: '71053', match_status: 'matched' });
  const [fact] = await facts(() => purchasing.receive(id, body));
  expect(fact.moved.map((moved: { product_id: number }) => moved.product_id)).toEqual([productIds, 1]);
});

test('with catalog down a receipt that makes a product saves nothing; others pass', async () => {
  const { id, line_items } = await ordered([
    { product_name: 'Late lamp', quantity_ordered: 2, unit_price: 3, match_status: 'create_new' },
    { product_id: 1, quantity_ordered: 2, unit_price: 3 },
  ]);
  purchasing.catalog.isDown = true;
  const answer = await refused(id, { line_items: [{ id: line_items[0].id, quantity_received: 1 }] });
  expect(answer).toEqual({ status: 500, error: 'An unexpected error occurred. Please contact support.' });
  expect((await purchasing.get(id)).status).toBe('pending');
  const other = await purchasing.receive(id, { line_items: [{ id: line_items[1].id, quantity_received: 1 }] });
  expect(other.status).toBe('partially_received');
});

test('a line flagged create_new before the lock is a 409, and nothing is received', async () => {
  const { id, line_items } = await ordered([
    { product_name: 'Slow lamp', quantity_ordered: 2, unit_price: 3 },
    { product_id: 1, quantity_ordered: 2, unit_price: 3 },
  ]);
  const arrived = [{ id: line_items[0].id }, { product_id: 1 }].map((line) => ({ ...line, quantity_received: 1 }));
  purchasing.catalog.onAsked = async () => {
    purchasing.catalog.onAsked = async () => undefined;
    await purchasing.correct(id, line_items[0].id, { match_status: 'create_new' });
  };
  const answer = await refused(id, { line_items: arrived });
  expect(answer).toMatchObject({ status: 409, error: 'The order changed meanwhile' });
  expect((await purchasing.get(id)).line_items[0].quantity_received).toBe(0);
});
