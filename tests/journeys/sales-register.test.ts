/** The register over HTTP, and what a sale sets in motion: stock, customer, tenders, webhooks (specification, Sale status). */
import { describe, expect, test } from '@jest/globals';
import { useReceiver, useWorld } from '../kit/use.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const key = await world.newKey(world.store);

const staff = (method: string, path: string, body: object) => world.call(method, path, { token: world.store.token, body });

const tea = (await world.create('/products', { product: { name: 'Tea', sku: 'TEA', price: '4.00', cost: '1.10' } })).id;
await world.staff('POST', '/stock_adjustments', { product_id: tea, adjustment_type: 'receive', quantity_change: 100 });
const read = async (path: string) => (await world.call('GET', path, { key })).body.data;
const sell = (sale: object = {}) => world.create('/sales', { sale: { line_items: [{ product_id: tea, quantity: 3 }], ...sale } });
const stock = async () => (await read(`/products/${tea}`)).current_stock;

test('stock leaves with the sale, returns with its void, a ledger row per line', async () => {
  await world.settled();
  const before = await stock();
  const sale = await sell({
    line_items: [
      { product_id: tea, quantity: 2 },
      { product_id: tea, quantity: '0.5' },
    ],
  });
  await world.settled();
  expect(await stock()).toBe(before - 2.5);
  await staff('PATCH', `/sales/${sale.id}`, { sale: { status: 'voided' } });
  await world.settled();
  expect(await stock()).toBe(before);
  const rows = (await read(`/stock_adjustments?product_id=${tea}&per_page=4`)) as Record<string, unknown>[];
  expect(rows.map((row) => [row.adjustment_type, row.quantity_change, row.reason])).toEqual([
    ['void', 0.5, sale.receipt_number],
    ['void', 2, sale.receipt_number],
    ['sale', -0.5, sale.receipt_number],
    ['sale', -2, sale.receipt_number],
  ]);
  expect(rows[0]!.user).toMatchObject({ name: 'Ada Admin' });
});

test('spec: sale.completed, sale.voided fire once, as GET shows it; parked fire none', async () => {
  const webhook_subscription = { url: `${receiver.url}/sales`, events: ['sale.completed', 'sale.voided'] };
  await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
  const { id } = await sell({ status: 'pending' });
  await staff('PATCH', `/sales/${id}`, { sale: { status: 'ready' } });
  await staff('PATCH', `/sales/${id}`, { sale: { status: 'completed' } });
  const completed = await read(`/sales/${id}`);
  await staff('PATCH', `/sales/${id}`, { sale: { status: 'completed' } });
  await staff('PATCH', `/sales/${id}`, { sale: { status: 'voided', void_reason: 'Wrong item' } });
  await staff('PATCH', `/sales/${id}`, { sale: { status: 'voided' } });
  const voided = await read(`/sales/${id}`);
  const hooks = (await receiver.arrived('/sales', 2)).map((hook) => JSON.parse(hook.body.toString()));
  await world.settled();
  expect(hooks.map(({ event, resource_type, resource_id, data }) => ({ event, resource_type, resource_id, data }))).toEqual([
    { event: 'sale.completed', resource_type: 'Sale', resource_id: id, data: completed },
    { event: 'sale.voided', resource_type: 'Sale', resource_id: id, data: voided },
  ]);
  expect(voided).toMatchObject({ status: 'voided', void_reason: 'Wrong item' });
  expect(JSON.stringify(hooks)).not.toContain('1.10');
});

test("D163: tax by the store's settings, in components rounded one by one", async () => {
  await staff('PATCH', '/settings', { settings: { tax: { mode: 'split', gst_rate: '5', pst_rate: '9.975' } } });
  expect(await sell({ line_items: [{ product_id: tea, quantity: 1, unit_price: '10.10' }] })).toMatchObject({
    tax_amount: '1.52',
    total: '11.62',
  });
  await staff('PATCH', '/settings', { settings: { tax: { mode: 'none' } } });
  expect(await sell()).toMatchObject({ tax_amount: '0.00' });
});

describe('tenders', () => {
  test('store credit is taken with the sale, shown with its id, returned by the void', async () => {
    const { id: customer } = await world.create('/customers', { customer: { name: 'Maya', email: 'maya@register.example' } });
    await staff('POST', `/customers/${customer}/store_credit`, { store_credit: { amount: 20, transaction_type: 'issue' } });
    const payments = [
      { method: 'store_credit', amount: 7 },
      { method: 'cash', amount: 5 },
    ];
    const sale = await sell({ customer_id: customer, payments });
    expect(sale.payment_method).toBe('split');
    const credit = () => read(`/store_credits/customer/${customer}`);
    expect(await credit()).toMatchObject({ balance: 13, recent_transactions: [{ sale_id: sale.id, amount: -7 }, { amount: 20 }] });
    await staff('PATCH', `/sales/${sale.id}`, { sale: { status: 'voided' } });
    await world.settled();
    expect(await credit()).toMatchObject({ balance: 20, recent_transactions: [{ transaction_type: 'refund', amount: 7 }, {}, {}] });
    const refused = await staff('POST', '/sales', {
      sale: { customer_id: customer, line_items: [{ product_id: tea, quantity: 6 }], payment_method: 'store_credit' },
    });
    expect(refused.status).toBe(422);
    expect((await credit()).balance).toBe(20);
  });
});
