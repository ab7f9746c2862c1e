/** PATCH /sales/:id: the states of a sale, what each takes, and what each move sets in motion. */
import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { noTax } from '@store/rpc';
import { changedBetweenReads, type Json, lockWaits } from '@store/testbed';
import { clerk, clerkOf, key, manager, paid, sales, shareSales, store, tea } from '../../test/sales-under-test.ts';

shareSales({}, { name: 'Tea', price: '4.00' });

const lines = (quantity = 1) => [{ product_id: tea, quantity }];
const park = (more: object = {}) => sales.create({ status: 'pending', line_items: lines(), ...more });

describe('spec, Sale status; D96, D97: every move', () => {
  const states = ['pending', 'ready', 'completed', 'voided'] as const;
  const path: Record<(typeof states)[number], string[]> = { pending: [], ready: ['ready'], completed: ['completed'], voided: ['voided'] };
  const allowed: Record<string, string> = {
    'pending pending': '',
    'pending ready': 'sale.updated',
    'pending completed': 'sale.completed',
    'pending voided': 'sale.voided',
    'ready pending': 'sale.updated',
    'ready ready': '',
    'ready completed': 'sale.completed',
    'ready voided': 'sale.voided',
    'completed completed': '',
    'completed voided': 'sale.voided',
    'voided voided': '',
  };
  test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('from %s to %s', async (from, to) => {
    const { id } = await park();
    for (const status of path[from]) await sales.update(id, { status });
    const before = (await sales.names()).length;
    const event = allowed[`${from} ${to}`];
    if (event === undefined) {
      expect((await sales.refusal(sales.update(id, { status: to }))).status).toBe(422);
    } else {
      const sale = await sales.update(id, { status: to });
      expect(sale.status).toBe(to);
      expect('completed_at' in sale).toBe(to === 'completed' || (to === 'voided' && from === 'completed'));
      expect('voided_at' in sale && 'void_reason' in sale).toBe(to === 'voided');
    }
    expect((await sales.names()).slice(before)).toEqual(event ? [event] : []);
  });
});

test('a sale is read as of one moment: its sums are those of its lines', async () => {
  const { id } = await park();
  const read = () => sales.byId('GetSale', id, clerk);
  const change = () => sales.update(id, { line_items: lines(5) });
  const { sale } = await changedBetweenReads(sales.app.db, change, read);
  expect([sale.subtotal, sale.line_items.map((line: Json) => line.total)]).toEqual(['4.00', ['4.00']]);
  expect((await read()).sale).toMatchObject({ subtotal: '20.00', line_items: [{ total: '20.00' }] });
});

test('a change that waits gets the later time: no void precedes its completion', async () => {
  const { id } = await park();
  let voiding: Promise<Json> | undefined;
  await sales.db.unit(store, async (em) => {
    await sql(em, 'select 1 from sales.sales where store_id = $1 and id = $2 for update', [store, id]);
    voiding = sales.update(id, { status: 'voided' });
    await lockWaits(sales.db, 1);
    sales.clock.advance(60_000);
  });
  const { voided_at, updated_at } = await voiding!;
  expect([voided_at, updated_at]).toEqual(Array(2).fill(sales.clock.now().toISOString()));
});

test('D214: a parked sale takes all that a new one takes; new lines replace, reprice', async () => {
  const customer = await sales.customer(601);
  const { id, receipt_number } = await park({ discount_amount: 1 });
  sales.catalog.products.get(tea)!.price = '5.00';
  const kept = await sales.update(id, { source: 'phone', customer_id: customer });
  expect(kept).toMatchObject({ source: 'phone', total: '3.00', customer: { id: 601 } });
  const changed = await sales.update(id, { line_items: [...lines(2), ...lines()], fulfillment_method: 'shipping', customer_id: null });
  expect(changed).toMatchObject({ subtotal: '15.00', discount_amount: '1.00', total: '14.00', receipt_number });
  expect(changed).not.toHaveProperty('customer');
  expect(changed.line_items.map((line: { quantity: number }) => line.quantity)).toEqual([2, 1]);
  const done = await sales.update(id, { status: 'completed', payments: paid(['debit', 14]) });
  expect(done).toMatchObject({ status: 'completed', payment_method: 'debit', line_items: changed.line_items });
});

test('D214: a parked sale takes another free number, and refuses what makes no sale', async () => {
  const [{ id }, other] = [await park(), await park()];
  expect(await sales.update(id, { receipt_number: ' T-1 ' })).toMatchObject({ receipt_number: 'T-1' });
  for (const [sent, error] of [
    [{ receipt_number: other.receipt_number }, 'Receipt number has already been taken'],
    [{ receipt_number: ' ' }, "Receipt number can't be blank"],
    [{ void_reason: 'Left' }, 'Void reason needs status voided'],
    [{ status: 'sold' }, 'Status must be one of pending, ready, completed, voided'],
    [{ line_items: null }, 'Line items is invalid'],
    [{ line_items: [] }, "Line items can't be blank"],
  ] as const)
    expect(await sales.refused(sales.update(id, sent))).toEqual([error]);
  await sales.update(id, { status: 'completed', receipt_number: 'T-2' });
  expect((await sales.refused(sales.update(id, { receipt_number: 'T-3' })))[0]).toMatch(/^A completed sale takes only/);
});

test('D266: payments and taxes of a sale, by tender and component', async () => {
  const split = clerkOf(store, { tax: { ...noTax, mode: 'split', gstRate: '5', pstRate: '9.975', gstName: 'GST', pstName: 'QST' } });
  const payments = paid(['cash', '100.00'], ['debit', '1049.75']);
  const { id } = await sales.create({ line_items: [{ product_id: tea, quantity: 1, unit_price: '1000.00' }], payments }, split);
  const { id: parked } = await park({ payments: paid(['debit', 4]) });
  const ask = (of: number) => sales.byId('GetSalePayments', of, key);
  const taxes = [
    { name: 'GST', rate: '5.00', amount: '50.00' },
    { name: 'QST', rate: '9.975', amount: '99.75' },
  ];
  expect(await ask(id)).toEqual({ payments: payments.map((one) => ({ ...one, given_back: false })), taxes });
  expect(await ask(parked)).toEqual({ payments: [], taxes: [] });
  await sales.update(id, { status: 'voided' });
  expect(await ask(id)).toEqual({ payments: payments.map((one) => ({ ...one, given_back: true })), taxes });
});

test('D267: a void is found by when it changed, and a sale by its customer', async () => {
  const customer_id = await sales.customer(602);
  const { id } = await sales.create({ line_items: lines(), customer_id, completed_at: '2026-10-01' });
  const { id: parked } = await park();
  const since = sales.clock.now().toISOString();
  sales.clock.advance(60_000);
  await sales.update(id, { status: 'voided' });
  for (const [query, ids] of [
    ['', [parked]],
    [`updated_since=${since}`, [id]],
    [`updated_since=${since}&period=today`, []],
    ['updated_since=2026-11-01T00:00:00Z', [id, parked]],
    ['updated_since=soon', [parked]],
    ['customer_id=602', [id]],
    ['customer_id=x', []],
    ['customer_id=602&status=completed', []],
  ] as const)
    expect([query, (await sales.ids(query)).sort((a, b) => a - b)]).toEqual([query, ids]);
});

test('D215: completing recomputes nothing, whatever settings and catalogue became', async () => {
  const taxed = clerkOf(store, { tax: { ...noTax, mode: 'single', rate: '20' } });
  const { id } = await sales.create({ status: 'pending', line_items: lines(3) }, taxed);
  sales.catalog.products.delete(tea);
  const asked = sales.catalog.asked;
  const done = await sales.update(id, { status: 'completed' }, clerkOf(store, { tax: { ...noTax, mode: 'single', rate: '5' } }));
  expect(done).toMatchObject({ subtotal: '12.00', tax_amount: '2.40', total: '14.40', line_items: [{ product_name: 'Tea' }] });
  expect(sales.catalog.asked).toBe(asked);
});

test('D209: a parked sale is paid as it names, unless the completion names tenders', async () => {
  const payments = paid(['cash', 1], ['debit', 3]);
  const named = await park({ payments });
  expect(named.payment_method).toBe('split');
  expect((await sales.update(named.id, { status: 'completed' })).payment_method).toBe('split');
  const other = await park({ payments });
  expect((await sales.update(other.id, { status: 'completed', payment_method: 'credit' })).payment_method).toBe('credit');
  const stale = await park({ payments });
  await sales.update(stale.id, { line_items: lines(2) });
  expect(await sales.refused(sales.update(stale.id, { status: 'completed' }))).toEqual(['Payments must sum up to the total of 8.00']);
});

describe('a completed sale', () => {
  test('D214: takes only status voided and fulfillment_status', async () => {
    const { id } = await sales.create({ line_items: lines(), fulfillment_method: 'local_delivery' });
    const other = [{ line_items: lines(2) }, { discount_amount: 1 }, { customer_id: null }, { payments: [] }];
    for (const sent of [...other, { status: 'voided', source: 'pos' }])
      expect((await sales.refusal(sales.update(id, sent))).status).toBe(422);
    const before = await sales.events(store);
    const sale = await sales.update(id, { fulfillment_status: 'fulfilled' });
    expect(sale.status).toBe('completed');
    const [event] = (await sales.events(store)).slice(before.length);
    expect([event!.name, event!.body, event!.audit?.before]).toMatchObject(['sale.updated', null, { fulfillment_status: 'open' }]);
  });

  test('D213: void_reason defaults to Voided; a second void changes nothing', async () => {
    const { id } = await sales.create({ line_items: lines() });
    sales.clock.advance(60_000);
    const voided = await sales.update(id, { status: 'voided', void_reason: ' ' }, manager);
    expect(voided).toMatchObject({ status: 'voided', void_reason: 'Voided', clerk: 'Cleo Clerk' });
    expect(Date.parse(voided.voided_at) - Date.parse(voided.completed_at)).toBe(60_000);
    expect(await sales.update(id, { status: 'voided', void_reason: 'Again' })).toEqual(voided);
    expect(await sales.refused(sales.update(id, { fulfillment_status: 'open' }))).toEqual(['Sale is voided']);
    expect(await sales.refused(sales.update(id, { void_reason: 'Again' }))).toEqual(['Sale is voided']);
    const events = await sales.events(store);
    expect(events.map((event) => event.name)).toEqual(['sale.completed', 'sale.voided']);
    expect(events[1]!.internal.sale).toMatchObject({ counted: true, user: { id: 9, name: 'Max Manager' } });
    expect(events[1]!.body.data).toEqual(voided);
  });
});

test('D164, D212: voiding a parked sale fires sale.voided and counts nothing', async () => {
  const { id } = await park();
  await sales.update(id, { status: 'voided', void_reason: 'Left' });
  const event = (await sales.events(store)).at(-1)!;
  expect([event.name, event.body.data.void_reason, event.internal.sale.counted]).toEqual(['sale.voided', 'Left', false]);
});

test('a change that changes nothing is answered as the sale stands, without an event', async () => {
  const sale = await park();
  sales.clock.advance(1_000);
  expect(await sales.update(sale.id, { source: 'pos', status: 'pending' })).toEqual(sale);
  expect(await sales.names()).toEqual(['sale.created']);
});

test('D250, D94: delivery and shipping start open, others fulfilled; a new method too', async () => {
  const text = 'select fulfillment_status as status from sales.sales where store_id = $1 and id = $2';
  const statusOf = async (id: number) => (await sales.run<{ status: string }>(text, [store, id]))[0]!.status;
  for (const [method, status] of [
    ['in_store', 'fulfilled'],
    ['pickup', 'fulfilled'],
    ['local_delivery', 'open'],
    ['shipping', 'open'],
  ]) {
    const { id } = await park({ fulfillment_method: method });
    expect(await statusOf(id)).toBe(status);
    await sales.update(id, { fulfillment_method: 'shipping' });
    expect(await statusOf(id)).toBe('open');
  }
});
