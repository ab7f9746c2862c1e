/** PATCH /sales/:id: the states of a sale, what each takes, and what each move sets in motion. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { noTax } from '@store/rpc';
import { changedBetweenReads, type Json, lockWaits } from '@store/testbed';
import { clerk, register, shareRegister, store } from '../../test/shared-register.ts';
import { clerkOf } from '../../test/start-register.ts';
import { keyOf, staffOf } from '../../test/start-sales.ts';

let tea = 0;
shareRegister();
beforeEach(() => {
  tea = register.product(store, { name: 'Tea', price: '4.00' });
});

const lines = (quantity = 1) => [{ product_id: tea, quantity }];
const park = (more: object = {}) => register.create({ status: 'pending', line_items: lines(), ...more }, clerk);
const names = async () => (await register.events(store)).map((event) => event.name);

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
    for (const status of path[from]) await register.update(id, { status }, clerk);
    const before = (await names()).length;
    const event = allowed[`${from} ${to}`];
    if (event === undefined) {
      expect((await register.refusal(register.update(id, { status: to }, clerk))).status).toBe(422);
    } else {
      const sale = await register.update(id, { status: to }, clerk);
      expect(sale.status).toBe(to);
      expect('completed_at' in sale).toBe(to === 'completed' || (to === 'voided' && from === 'completed'));
      expect('voided_at' in sale && 'void_reason' in sale).toBe(to === 'voided');
    }
    expect((await names()).slice(before)).toEqual(event ? [event] : []);
  });
});

test('one sale is read as it stood at one moment: its sums are those of its lines, also while it is changed', async () => {
  const { id } = await park();
  const read = () => register.byId('GetSale', id, clerk);
  const change = () => register.update(id, { line_items: lines(5) }, clerk);
  const { sale } = await changedBetweenReads(register.app.db, change, read);
  expect([sale.subtotal, sale.line_items.map((line: Json) => line.total)]).toEqual(['4.00', ['4.00']]);
  expect((await read()).sale).toMatchObject({ subtotal: '20.00', line_items: [{ total: '20.00' }] });
});

test('a change that waits for another is made at the time after it: no sale is voided before it was completed', async () => {
  const { id } = await park();
  let voiding: Promise<Json> | undefined;
  await register.db.unit(store, async (em) => {
    await sql(em, 'select 1 from sales.sales where store_id = $1 and id = $2 for update', [store, id]);
    voiding = register.update(id, { status: 'voided' }, clerk);
    await lockWaits(register.db, 1);
    register.clock.advance(60_000);
  });
  const { voided_at, updated_at } = await voiding!;
  expect([voided_at, updated_at]).toEqual(Array(2).fill(register.clock.now().toISOString()));
});

test('D214: a parked sale takes all that a new one takes; lines that are sent replace and reprice', async () => {
  const customer = await register.customer(store, 601);
  const { id, receipt_number } = await park({ discount_amount: 1 });
  register.catalog.products.get(tea)!.price = '5.00';
  const kept = await register.update(id, { source: 'phone', customer_id: customer }, clerk);
  expect(kept).toMatchObject({ source: 'phone', total: '3.00', customer: { id: 601 } });
  const changed = await register.update(
    id,
    { line_items: [...lines(2), ...lines()], fulfillment_method: 'shipping', customer_id: null },
    clerk,
  );
  expect(changed).toMatchObject({ subtotal: '15.00', discount_amount: '1.00', total: '14.00', receipt_number });
  expect(changed).not.toHaveProperty('customer');
  expect(changed.line_items.map((line: { quantity: number }) => line.quantity)).toEqual([2, 1]);
  const done = await register.update(id, { status: 'completed', payments: [{ method: 'debit', amount: 14 }] }, clerk);
  expect(done).toMatchObject({ status: 'completed', payment_method: 'debit', line_items: changed.line_items });
});

test('D214: a parked sale takes another number, which must be free, and no reason without a void', async () => {
  const [{ id }, other] = [await park(), await park()];
  expect(await register.update(id, { receipt_number: ' T-1 ' }, clerk)).toMatchObject({ receipt_number: 'T-1' });
  expect(await register.refused(register.update(id, { receipt_number: other.receipt_number }, clerk))).toEqual([
    'Receipt number has already been taken',
  ]);
  expect(await register.refused(register.update(id, { receipt_number: ' ' }, clerk))).toEqual(["Receipt number can't be blank"]);
  expect(await register.refused(register.update(id, { void_reason: 'Left' }, clerk))).toEqual(['Void reason needs status voided']);
  await register.update(id, { status: 'completed', receipt_number: 'T-2' }, clerk);
  expect((await register.refused(register.update(id, { receipt_number: 'T-3' }, clerk)))[0]).toMatch(/^A completed sale takes only/);
});

test('D266: payments and taxes of a sale, by tender and component; D267: a void is found by when it changed', async () => {
  const split = clerkOf(store, { tax: { ...noTax, mode: 'split', gstRate: '5', pstRate: '9.975', gstName: 'GST', pstName: 'QST' } });
  const payments = [
    { method: 'cash', amount: '100.00' },
    { method: 'debit', amount: '1049.75' },
  ];
  const customer_id = await register.customer(store, 602);
  const line_items = [{ product_id: tea, quantity: 1, unit_price: '1000.00' }];
  const { id } = await register.create({ line_items, payments, customer_id, completed_at: '2026-10-01' }, split);
  const { id: parked } = await park({ payments: [{ method: 'debit', amount: 4 }] });
  const ask = async (of: number, caller = keyOf(store)) => (await register.answer('GetSalePayments', {}, caller, { id: of })).json;
  const taxes = [
    { name: 'GST', rate: '5.00', amount: '50.00' },
    { name: 'QST', rate: '9.975', amount: '99.75' },
  ];
  expect(await ask(id)).toEqual({ payments: payments.map((one) => ({ ...one, given_back: false })), taxes });
  expect(await ask(parked)).toEqual({ payments: [], taxes: [] });
  const since = register.clock.now().toISOString();
  register.clock.advance(60_000);
  await register.update(id, { status: 'voided' }, clerk);
  expect(await ask(id)).toEqual({ payments: payments.map((one) => ({ ...one, given_back: true })), taxes });
  expect(await register.refusal(ask(id, keyOf(register.newStore())))).toEqual({ status: 404, error: 'Sale not found' });
  const found = async (query: string) =>
    (await register.query('ListSales', query, clerk)).sales.map((sale: { id: number }) => sale.id).sort((a: number, b: number) => a - b);
  expect(await found('')).toEqual([parked]);
  for (const [query, ids] of [
    [`updated_since=${since}`, [id]],
    [`updated_since=${since}&period=today`, []],
    ['updated_since=2026-11-01T00:00:00Z', [id, parked]],
    ['updated_since=soon', [parked]],
    ['customer_id=602', [id]],
    ['customer_id=x', []],
    ['customer_id=602&status=completed', []],
  ] as const)
    expect(await found(query)).toEqual(ids);
});

test('D215: completing recomputes nothing, whatever became of the settings and the catalogue', async () => {
  const taxed = clerkOf(store, { tax: { ...noTax, mode: 'single', rate: '20' } });
  const { id } = await register.create({ status: 'pending', line_items: lines(3) }, taxed);
  register.catalog.products.delete(tea);
  const asked = register.catalog.asked;
  const done = await register.update(id, { status: 'completed' }, clerkOf(store, { tax: { ...noTax, mode: 'single', rate: '5' } }));
  expect(done).toMatchObject({ subtotal: '12.00', tax_amount: '2.40', total: '14.40', line_items: [{ product_name: 'Tea' }] });
  expect(register.catalog.asked).toBe(asked);
});

test('D209: what a parked sale names is what it is paid with, unless the completion names other tenders', async () => {
  const payments = [
    { method: 'cash', amount: 1 },
    { method: 'debit', amount: 3 },
  ];
  const named = await park({ payments });
  expect(named.payment_method).toBe('split');
  expect((await register.update(named.id, { status: 'completed' }, clerk)).payment_method).toBe('split');
  const other = await park({ payments });
  expect((await register.update(other.id, { status: 'completed', payment_method: 'credit' }, clerk)).payment_method).toBe('credit');
  const stale = await park({ payments });
  await register.update(stale.id, { line_items: lines(2) }, clerk);
  expect(await register.refused(register.update(stale.id, { status: 'completed' }, clerk))).toEqual([
    'Payments must sum up to the total of 8.00',
  ]);
});

describe('a completed sale', () => {
  test('D214: takes only status voided and fulfillment_status', async () => {
    const { id } = await register.create({ line_items: lines(), fulfillment_method: 'local_delivery' }, clerk);
    for (const sent of [
      { line_items: lines(2) },
      { discount_amount: 1 },
      { customer_id: null },
      { payments: [] },
      { status: 'voided', source: 'pos' },
    ])
      expect((await register.refusal(register.update(id, sent, clerk))).status).toBe(422);
    const before = await register.events(store);
    const sale = await register.update(id, { fulfillment_status: 'fulfilled' }, clerk);
    expect(sale.status).toBe('completed');
    const [event] = (await register.events(store)).slice(before.length);
    expect([event!.name, event!.body, event!.audit?.before]).toMatchObject(['sale.updated', null, { fulfillment_status: 'open' }]);
  });

  test('D213: void_reason is Voided when none was given; the sale keeps its completion; a second void changes nothing', async () => {
    const { id } = await register.create({ line_items: lines() }, clerk);
    register.clock.advance(60_000);
    const manager = staffOf(store, { actor: { userId: 9, userName: 'Max Manager' } });
    const voided = await register.update(id, { status: 'voided', void_reason: ' ' }, manager);
    expect(voided).toMatchObject({ status: 'voided', void_reason: 'Voided', clerk: 'Cleo Clerk' });
    expect(Date.parse(voided.voided_at) - Date.parse(voided.completed_at)).toBe(60_000);
    expect(await register.update(id, { status: 'voided', void_reason: 'Again' }, clerk)).toEqual(voided);
    expect(await register.refused(register.update(id, { fulfillment_status: 'open' }, clerk))).toEqual(['Sale is voided']);
    expect(await register.refused(register.update(id, { void_reason: 'Again' }, clerk))).toEqual(['Sale is voided']);
    const events = await register.events(store);
    expect(events.map((event) => event.name)).toEqual(['sale.completed', 'sale.voided']);
    expect(events[1]!.internal.sale).toMatchObject({ counted: true, user: { id: 9, name: 'Max Manager' } });
    expect(events[1]!.body.data).toEqual(voided);
  });
});

test('D164, D212: voiding a parked sale fires sale.voided and counts nothing', async () => {
  const { id } = await park();
  await register.update(id, { status: 'voided', void_reason: 'Left' }, clerk);
  const event = (await register.events(store)).at(-1)!;
  expect([event.name, event.body.data.void_reason, event.internal.sale.counted]).toEqual(['sale.voided', 'Left', false]);
});

test('a change that changes nothing is answered as the sale stands, without an event', async () => {
  const sale = await park();
  register.clock.advance(1_000);
  expect(await register.update(sale.id, { source: 'pos', status: 'pending' }, clerk)).toEqual(sale);
  expect(await names()).toEqual(['sale.created']);
});

test('D250, D94: delivery and shipping start open, others fulfilled, and a new method starts anew', async () => {
  const statusOf = async (id: number) =>
    (
      await register.run<{ fulfillment_status: string }>('select fulfillment_status from sales.sales where store_id = $1 and id = $2', [
        store,
        id,
      ])
    )[0]!.fulfillment_status;
  for (const [method, status] of [
    ['in_store', 'fulfilled'],
    ['pickup', 'fulfilled'],
    ['local_delivery', 'open'],
    ['shipping', 'open'],
  ]) {
    const { id } = await park({ fulfillment_method: method });
    expect(await statusOf(id)).toBe(status);
    await register.update(id, { fulfillment_method: 'shipping' }, clerk);
    expect(await statusOf(id)).toBe('open');
  }
});

test('D48: a PATCH with nothing known in it is a 400, a malformed field a 422', async () => {
  const { id } = await park();
  expect((await register.refusal(register.update(id, { colour: 'red' }, clerk))).status).toBe(400);
  expect(await register.refused(register.update(id, { status: 'sold' }, clerk))).toEqual([
    'Status must be one of pending, ready, completed, voided',
  ]);
  expect(await register.refused(register.update(id, { line_items: null }, clerk))).toEqual(['Line items is invalid']);
  expect(await register.refused(register.update(id, { line_items: [] }, clerk))).toEqual(["Line items can't be blank"]);
});
