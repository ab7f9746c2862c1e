/** Specification: Purchase orders, from the order to stock, costs and webhook, as keys and staff see them. */
import { describe, expect, test } from '@jest/globals';
import { useReceiver, useWorld } from '../kit/use.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const key = await world.newKey(world.store);
const { staff } = world;
const supplierId = (await world.create('/suppliers', { supplier: { name: 'Lantern Works', phone: '+1 416 555 0100' } })).id;
const get = (path: string, by = key) => world.call('GET', path, { key: by });
let names = 0;
const newProduct = async (fields: object = {}, store = world.store) => {
  names += 1;
  return (await staff('POST', '/products', { product: { name: `Lamp ${names}`, sku: `PO-${names}`, ...fields } }, store)).product;
};
const order = async (line_items: object[], fields: object = {}, store = world.store) =>
  (await staff('POST', '/purchase_orders', { purchase_order: { line_items, ...fields } }, store)).purchase_order;
const receive = async (id: number, body: object, store = world.store) =>
  (await staff('POST', `/purchase_orders/${id}/receive`, body, store)).purchase_order;
const productOf = async (id: number, by = key) => (await get(`/products/${id}`, by)).body.data;

describe('a purchase order from the order to the shelf', () => {
  test('order, receipt, invoice: stock, ledger, costs and the webhook follow, once', async () => {
    const webhook_subscription = { url: `${receiver.url}/received`, events: ['purchase_order.received', 'inventory.adjusted'] };
    expect((await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } })).status).toBe(201);
    const product = await newProduct();
    const { id, line_items } = await order([{ product_id: product.id, quantity_ordered: 10, unit_price: '2.00' }], {
      supplier_id: supplierId,
      shipping_cost: '5.00',
    });
    const line = line_items[0].id;
    expect(await receive(id, { line_items: [{ id: line, quantity_received: 4 }] })).toMatchObject({ status: 'partially_received' });
    await world.settled();
    expect(await productOf(product.id)).toMatchObject({ current_stock: 4, average_cost: '2.00', cost: '2.50' });
    expect(await receive(id, { line_items: [{ id: line, quantity_received: 4 }], complete: true })).toMatchObject({ status: 'received' });
    await staff('POST', `/purchase_orders/${id}/invoice`, {
      line_items: [{ id: line, quantity_invoiced: 10, unit_cost_invoiced: '2.20' }],
    });
    await world.settled();
    expect(await productOf(product.id)).toMatchObject({ current_stock: 8, average_cost: '2.20', cost: '2.70' });
    const { order_number } = (await get(`/purchase_orders/${id}`)).body.data;
    const ledger = (await get(`/stock_adjustments?product_id=${product.id}`)).body.data;
    const row = { adjustment_type: 'receive', quantity_change: 4, reason: order_number, user: { name: 'Ada Admin' } };
    expect(ledger).toEqual([
      expect.objectContaining({ ...row, quantity_after: 8, user: expect.objectContaining(row.user) }),
      expect.objectContaining({ ...row, quantity_after: 4, user: expect.objectContaining(row.user) }),
    ]);
    const hooks = await receiver.arrived('/received', 3);
    await world.settled();
    const bodies = hooks.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies.filter(({ event }) => event === 'inventory.adjusted').map(({ data }) => data.source)).toEqual(
      Array(2).fill('purchase_order'),
    );
    const received = bodies.filter(({ event }) => event === 'purchase_order.received');
    expect(received).toEqual([
      {
        id: expect.any(String),
        event: 'purchase_order.received',
        resource_type: 'PurchaseOrder',
        resource_id: id,
        created_at: expect.stringMatching(/Z$/),
        data: expect.objectContaining({ id, status: 'received', supplier: { id: supplierId, name: 'Lantern Works' }, has_variance: true }),
      },
    ]);
    expect(received[0].data.line_items[0]).toMatchObject({ quantity_received: 8, quantity_invoiced: null, variance_status: 'short' });
    expect(receiver.hooks.filter(({ path }) => path === '/received')).toHaveLength(3);
  });

  test('create_new: the product is there with the answer, its stock and cost follow', async () => {
    const lines = [{ product_name: 'New lamp', sku: 'BRAND-NEW', quantity_ordered: 3, unit_price: '4.00', match_status: 'create_new' }];
    const { id, line_items } = await order(lines);
    const { line_items: received } = await receive(id, { line_items: [{ id: line_items[0].id, quantity_received: 3 }] });
    expect(received[0]).toMatchObject({ match_status: 'matched', product_name: 'New lamp', sku: 'BRAND-NEW' });
    expect(await productOf(received[0].product_id)).toMatchObject({ name: 'New lamp', sku: 'BRAND-NEW', price: '0.00' });
    await world.settled();
    expect(await productOf(received[0].product_id)).toMatchObject({ current_stock: 3, cost: '4.00', average_cost: '4.00' });
  });
});

test('D116: costs:read is not needed for an order’s costs', async () => {
  const reader = await world.newKey(world.store, { scopes: ['purchasing:read'] });
  const { data } = (await get('/purchase_orders', reader)).body;
  expect(data[0].line_items[0]).toHaveProperty('unit_price');
});
