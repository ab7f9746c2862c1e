import { beforeAll, expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, staffOf, storeId } from '../../test/purchasing-under-test.ts';

let supplierId: number;
sharePurchasing();
beforeAll(async () => {
  supplierId = await purchasing.supplier('Lantern Works');
});

const line = { product_id: 1, quantity_ordered: 30, unit_price: '1.35' };
const refused = (line_items: object[], fields: object = {}) => purchasing.refusal(purchasing.order(line_items, fields));

test('golden: a purchase order has exactly these keys in this order, null for none', async () => {
  const body = {
    purchase_order: {
      supplier_id: supplierId,
      order_number: ' PO-301 ',
      tax_amount: '8.10',
      shipping_cost: 5,
      ordered_at: '2026-11-19T09:00',
      line_items: [line, { product_name: 'Mystery', quantity_ordered: '0.5', unit_price: '0.335', unit_type: 'box' }],
    },
  };
  const { text } = await purchasing.answer('CreatePurchaseOrder', body, staffOf(storeId));
  const [first, second] = JSON.parse(text).purchase_order.line_items;
  const { id } = JSON.parse(text).purchase_order;
  const none =
    '"quantity_received":0,"unit_price":PRICE,"unit_cost_invoiced":null,"line_total":TOTAL,"variance_status":"pending",' +
    '"invoice_variance":null,"receiving_variance":null,"fulfillment_variance":LESS,"variance_value":null,';
  const figures = (price: string, total: string, less: string) =>
    none.replace('PRICE', price).replace('TOTAL', total).replace('LESS', less);
  expect(text).toBe(
    `{"purchase_order":{"id":${id},"order_number":"PO-301","status":"pending","supplier":{"id":${supplierId},"name":"Lantern Works"},` +
      '"subtotal":40.67,"tax_amount":8.1,"shipping_cost":5,"total":53.77,"ordered_at":"2026-11-19T14:00:00.000Z","received_at":null,' +
      '"created_at":"2026-11-20T12:00:00.000Z","updated_at":"2026-11-20T12:00:00.000Z","has_variance":false,"line_items":[' +
      `{"id":${first.id},"product_id":1,"product_name":"White metal lantern","sku":"71053","unit_type":"unit","quantity_ordered":30,` +
      `"quantity_invoiced":null,${figures('1.35', '40.5', '-30')}"match_status":"matched","supplier_document_id":null},` +
      `{"id":${second.id},"product_id":null,"product_name":"Mystery","sku":"N/A","unit_type":"box","quantity_ordered":0.5,` +
      `"quantity_invoiced":null,${figures('0.335', '0.17', '-0.5')}"match_status":"unmatched","supplier_document_id":null}]}}`,
  );
  expect(await purchasing.get(id)).toEqual(JSON.parse(text).purchase_order);
});

test('D268: unit costs have four decimals, sums two', async () => {
  const costly = { ...line, quantity_ordered: 1_000, unit_price: '0.0125' };
  const order = await purchasing.order([costly, { ...line, quantity_ordered: 1, unit_price: '0.00005' }]);
  expect(order).toMatchObject({ subtotal: 12.5, total: 12.5 });
  expect(order.line_items.map((one: Record<string, number>) => `${one.unit_price} ${one.line_total}`)).toEqual(['0.0125 12.5', '0.0001 0']);
  const billed = { id: order.line_items[0].id, quantity_invoiced: 999, unit_cost_invoiced: '0.0117' };
  const invoiced = await purchasing.invoice(order.id, [billed]);
  expect(invoiced.line_items[0]).toMatchObject({ unit_cost_invoiced: 0.0117, variance_value: 11.6883 });
});

test('one line is enough; numbers skip one given by hand, and it is ordered now', async () => {
  const first = await purchasing.order([line]);
  expect(first).toMatchObject({ supplier: null, tax_amount: 0, shipping_cost: 0, ordered_at: '2026-11-20T12:00:00.000Z' });
  const number = Number(/^PO-(\d+)$/.exec(first.order_number)![1]);
  await purchasing.order([line], { order_number: `PO-${number + 1}` });
  expect((await purchasing.order([line])).order_number).toBe(`PO-${number + 2}`);
});

test('D236: 60 orders at once all have numbers of their own', async () => {
  const loose = [{ sku: 'X', quantity_ordered: 1, unit_price: 1 }];
  const orders = await Promise.all(Array.from({ length: 60 }, () => purchasing.order(loose, {}, 3)));
  expect(new Set(orders.map((order) => order.order_number)).size).toBe(60);
  expect(await purchasing.order(loose, {}, 4)).toMatchObject({ order_number: 'PO-1001' });
});

test("D244: a line keeps its product's name and sku, whatever becomes of the product", async () => {
  purchasing.catalog.products.set(5, { storeId, name: 'Old name', sku: 'OLD' });
  const { id } = await purchasing.order([{ ...line, product_id: 5, product_name: 'Mine', sku: 'MINE' }]);
  purchasing.catalog.products.delete(5);
  expect((await purchasing.get(id)).line_items[0]).toMatchObject({ product_id: 5, product_name: 'Old name', sku: 'OLD' });
});

test('everything that is wrong is said in one answer', async () => {
  const answer = await refused(
    [
      { ...line, quantity_ordered: 0 },
      { product_id: 1 },
      { quantity_ordered: 1, unit_price: 1 },
      { ...line, product_id: 9 },
      { ...line, product_id: 3 },
      { ...line, match_status: 'create_new' },
      { sku: 'A', quantity_ordered: 1, unit_price: 1, match_status: 'create_new' },
      { sku: 'A', quantity_ordered: 1, unit_price: 1, match_status: 'matched' },
      { ...line, unit_price: 'cheap', quantity_ordered: '1\0' },
      7 as never,
    ],
    { supplier_id: 999_999, tax_amount: -1, ordered_at: 'yesterday' },
  );
  expect(answer.errors).toEqual([
    'Tax amount must be greater than or equal to 0',
    'Ordered at must be a valid timestamp',
    'Line 1 quantity ordered must be greater than 0',
    "Line 2 quantity ordered can't be blank",
    "Line 2 unit price can't be blank",
    "Line 3 product id can't be blank",
    'Line 6 match status must be matched with a product_id',
    "Line 7 product name can't be blank",
    'Line 8 match status must not be matched without a product_id',
    'Line 9 quantity ordered is not a number',
    'Line 9 unit price is not a number',
    'Line 10 is invalid',
    'Line 4 product not found',
    'Line 5 product has variations; name one of them',
    'Supplier not found',
  ]);
  expect(answer).toMatchObject({ status: 422, error: `Validation failed: ${answer.errors.join(', ')}` });
});

test('422 with a number that is taken in the store, and with amounts beyond 10^12', async () => {
  const named = { order_number: 'TAKEN' };
  await purchasing.order([line], named);
  expect((await refused([line], named)).errors).toEqual(['Order number has already been taken']);
  expect((await purchasing.order([{ ...line, product_id: 9 }], named, 2)).order_number).toBe('TAKEN');
  const dear = { ...line, quantity_ordered: '99999999999', unit_price: '999999999999.99' };
  expect((await refused([dear])).errors).toEqual(['Line 1 total is too large']);
  const half = { ...line, quantity_ordered: 1, unit_price: '600000000000' };
  expect((await refused([half, half])).errors).toEqual(['Total is too large']);
});

test('an order whose event would not fit is refused at once', async () => {
  const [product_name, sku] = ['茶'.repeat(255), '茶'.repeat(255)];
  const answer = await refused(Array.from({ length: 1000 }, () => ({ product_name, sku, quantity_ordered: 1, unit_price: 1 })));
  expect(answer).toMatchObject({ status: 422, errors: ['the order is too large: at most 750000 bytes are allowed'] });
});

test('with catalog down an order of products is the unexpected 500; others are made', async () => {
  purchasing.catalog.isDown = true;
  expect(await refused([line])).toMatchObject({ status: 500, error: expect.stringContaining('unexpected') });
  await purchasing.order([{ product_name: 'Anything', quantity_ordered: 1, unit_price: 1 }]);
});

test('the audit trail keeps who made the order and what it was', async () => {
  const [event] = await purchasing.eventsOf(storeId, () => purchasing.order([line]));
  expect(event).toMatchObject({ name: 'purchase_order.created', body: null });
  expect(event!.audit).toMatchObject({ action: 'purchase_order.create', resource_type: 'PurchaseOrder', before: null });
  expect(event!.audit!.after).toMatchObject({ status: 'pending', line_items: [{ product_id: 1, quantity_ordered: 30 }] });
});
