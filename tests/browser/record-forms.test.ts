/** Two tabs with the same record: nobody's change is lost without a word (D285), and nothing that was typed. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { holdAnswer, loseAnswer } from './answers.ts';
import { axeFindings, shown } from './chromium.ts';
import { inBrowser, test, usePanel } from './panel.ts';

let page: Page;
let productId: number;

const patch = (path: string, body: unknown) => world.staff('PATCH', path, body);
const product = async () => (await read(`/products/${productId}`)).product;

const { world, newContext, signedIn, post, read } = usePanel(async () => {
  const lantern = { name: 'Lantern', price: '3.39', barcode: '50000001', external_id: 'shop-1042' };
  productId = (await world.create('/products', { product: lantern })).id;
  page = await signedIn(`/products/${productId}`, await newContext());
});

const create = async (path: string, body: Record<string, unknown>) => (await world.create(path, body)).id as number;
const save = (name = 'Save') => page.getByRole('button', { name, exact: true }).click();

const order = async (id: number) => (await read(`/purchase_orders/${id}?include=supplier_invoice_number`)).purchase_order;
/** An order of 10 lamps at 2.00 and 4 wicks at 1.00. */
const openOrder = async () => {
  const ordered = { Lamp: [10, '2.00'], Wick: [4, '1.00'] } as const;
  const line_items = Object.entries(ordered).map(([product_name, [quantity_ordered, unit_price]]) => ({
    product_name,
    quantity_ordered,
    unit_price,
  }));
  const { id } = await world.create('/purchase_orders', { purchase_order: { line_items } });
  const lines: { id: number }[] = (await order(id)).line_items;
  return {
    id,
    lines,
    receive: (line: number, quantity_received: number) =>
      post(`/purchase_orders/${id}/receive`, { line_items: [{ id: lines[line]!.id, quantity_received }] }),
    opened: async () => {
      await page.goto(`${world.baseUrl}/admin/purchase-orders/${id}`);
      await page.getByRole('button', { name: 'Correct Lamp' }).waitFor();
    },
  };
};

inBrowser('a form of the panel', () => {
  test('saves over a sale that moved stock, and asks when somebody changed its fields', async () => {
    await page.getByText('shop-1042').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const form = page.getByRole('dialog', { name: 'Change Lantern' });
    await form.getByLabel('Name').fill('Brass lantern');
    const stock = { product_id: productId, adjustment_type: 'receive', quantity_change: 4 };
    await post('/stock_adjustments', stock);
    await save();
    await form.waitFor({ state: 'detached' });
    expect(await product()).toMatchObject({ name: 'Brass lantern', current_stock: 4 });

    await page.getByRole('button', { name: 'Change' }).click();
    const again = page.getByRole('dialog');
    await again.getByLabel('Name').fill('Tin lantern');
    await patch(`/products/${productId}`, { product: { price: '4.10' } });
    await world.settled();
    await save();
    await again.getByText('changed this meanwhile').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await product()).toMatchObject({ name: 'Brass lantern', price: '4.10' });
    await save('Keep mine');
    expect(await again.getByLabel('Price').inputValue()).toBe('4.10');
    await save();
    await again.waitFor({ state: 'detached' });
    expect(await product()).toMatchObject({ name: 'Tin lantern', price: '4.10' });
  });

  test('of a record that another page read anew overwrites nothing it did not show', async () => {
    const id = await create('/customers', { customer: { name: 'Dora', notes: 'first' } });
    await page.goto(`${world.baseUrl}/admin/customers/${id}`);
    await page.getByRole('link', { name: 'All sales' }).waitFor();
    await patch(`/customers/${id}`, { customer: { notes: 'allergic to lavender' } });
    const readAnew = page.waitForResponse((response) => response.url().endsWith(`/customers/${id}`));
    await page.getByRole('link', { name: 'All sales' }).click();
    await readAnew;
    const release = await holdAnswer(page, 'GET', /\/customers\/\d+\?include/);
    await page.goBack();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Notes').fill('first, likes blue');
    await save();
    await page.getByText('changed this meanwhile').waitFor();
    release();
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await read(`/customers/${id}`)).customer.notes).toBe('allergic to lavender');
  });

  test('of a promotion saves a value with the kind that it was typed for', async () => {
    const promotion = { name: 'Lantern days', discount_type: 'percentage', value: '10', product_ids: [productId] };
    const id = await create('/promotions', { promotion });
    const stored = async () => (await read('/promotions')).promotions.find((one: { id: number }) => one.id === id);
    await page.goto(`${world.baseUrl}/admin/promotions`);
    await page.getByRole('button', { name: 'Change Lantern days' }).click();
    await page.getByLabel('Percent').fill('20');
    // Where it cannot be asked for, nothing is sent and nothing is lost.
    const list = /\/promotions$/;
    await page.route(list, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()));
    await save();
    await page.getByText('That did not work').waitFor();
    await page.unroute(list);
    expect(await page.getByLabel('Percent').inputValue()).toBe('20');
    await patch(`/promotions/${id}`, { promotion: { discount_type: 'fixed_amount', value: '2.00' } });
    await save();
    await page.getByText('changed this meanwhile').waitFor();
    expect((await stored()).discount_type).toBe('fixed_amount');
    await save('Keep mine');
    await save();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ discount_type: 'percentage', value: expect.stringMatching(/^20/) });
    await page.goto(`${world.baseUrl}/admin/products/${productId}`);
  });

  test('of what has no version asks when somebody changed it, not of its own change', async () => {
    const id = await create('/categories', { category: { name: 'Lights' } });
    const name = async () =>
      (await world.staff('GET', '/categories?all=true')).categories.find((one: { id: number }) => one.id === id).name;
    await page.goto(`${world.baseUrl}/admin/categories`);
    await page.getByRole('button', { name: 'Change Lights' }).click();
    const form = page.getByRole('dialog', { name: 'Change Lights' });
    await form.getByLabel('Name').fill('Lanterns');
    await patch(`/categories/${id}`, { category: { name: 'Lighting' } });
    await save();
    await form.getByText('changed this meanwhile').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await name()).toBe('Lighting');
    await save('Keep mine');
    await save();
    await form.waitFor({ state: 'detached' });
    expect(await name()).toBe('Lanterns');

    await page.getByRole('button', { name: 'Change Lanterns' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Lamps');
    await loseAnswer(page, 'PATCH', /\/categories\//);
    await save();
    await page.getByText('The answer was lost. It may have been recorded.').waitFor();
    await save('Ask again');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await name()).toBe('Lamps');

    // Read first, it is not sent yet: leaving asks.
    await page.getByRole('button', { name: 'Change Lamps' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Lights');
    const readAnew = await holdAnswer(page, 'GET', /\/categories\?/);
    await save();
    const asks = () => page.evaluate<boolean>("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    expect(await asks()).toBe(true);
    readAnew();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([await name(), await asks()]).toEqual(['Lights', false]);

    // Who leaves has nothing saved.
    await page.goto(`${world.baseUrl}/admin/products/${productId}`);
    await page.getByRole('link', { name: 'Categories', exact: true }).click();
    await page.getByRole('button', { name: 'Change Lights' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Never');
    const readLate = await holdAnswer(page, 'GET', /\/categories\?/);
    await save();
    await page.evaluate('history.back()');
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('button', { name: 'Change', exact: true }).waitFor();
    readLate();
    await world.settled();
    expect([await name(), await page.getByText('That did not work').count()]).toEqual(['Lights', 0]);
  });

  test('of an order that is stale cancels nothing of which goods were received', async () => {
    const line_items = [{ product_id: productId, quantity_ordered: 4, unit_price: '1.00' }];
    const id = await create('/purchase_orders', { purchase_order: { line_items } });
    await page.goto(`${world.baseUrl}/admin/purchase-orders/${id}`);
    const cancel = page.getByRole('button', { name: 'Cancel the order' });
    await cancel.waitFor();
    const { line_items: lines } = await order(id);
    const received = { line_items: [{ id: lines[0].id, quantity_received: 2 }] };
    await post(`/purchase_orders/${id}/receive`, received);
    await cancel.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('That did not work').waitFor();
    await cancel.waitFor({ state: 'detached' });
    expect(await order(id)).toMatchObject({ status: 'partially_received', line_items: [{ quantity_received: 2 }] });
    await page.goto(`${world.baseUrl}/admin/products/${productId}`);
  });

  test('of a person asks, and changes nothing that another admin took away meanwhile', async () => {
    const person = { name: 'Cleo Clerk', email: 'cleo@forms.example', password: 'nine lanterns over the harbour', role: 'admin' };
    const id = await create('/staff_users', { staff_user: person });
    await page.goto(`${world.baseUrl}/admin/staff`);
    await page.getByRole('button', { name: 'Change Cleo Clerk' }).click();
    await page.getByLabel('Name').fill('Cleo Clark');
    await patch(`/staff_users/${id}`, { staff_user: { role: 'clerk', active: false } });
    await save();
    await page.getByText('changed this meanwhile').waitFor();
    await save('Keep mine');
    await save();
    await page.getByText('The person is saved').waitFor();
    const { staff_users } = await read('/staff_users');
    const stored = staff_users.find((one: { id: number }) => one.id === id);
    expect(stored).toMatchObject({ name: 'Cleo Clark', role: 'clerk', active: false });
    await page.goto(`${world.baseUrl}/admin/products/${productId}`);
  });

  test('asks before what was typed is lost, by Escape and by another page', async () => {
    await page.getByRole('button', { name: 'Change' }).click();
    const form = page.getByRole('dialog', { name: /^Change/ });
    await form.getByLabel('Name').fill('Not to be lost');
    await page.keyboard.press('Escape');
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asked.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Stay here' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('Not to be lost');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await asked.getByRole('button', { name: 'Leave' }).click();
    await form.waitFor({ state: 'detached' });

    await page.goto(`${world.baseUrl}/admin/settings`);
    await shown(page);
    await page.getByLabel('Name', { exact: true }).fill('Another name');
    await page.getByRole('link', { name: 'Products' }).click();
    await asked.getByRole('button', { name: 'Stay here' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another name');
  });

  test('of the settings shows what another admin saved, and keeps what was typed', async () => {
    await patch('/settings', { settings: { store: { phone: '0123456' } } });
    await save();
    await page.getByText('changed this meanwhile').waitFor();
    await save('Keep mine');
    expect(await page.getByLabel('Phone').inputValue()).toBe('0123456');
    await save();
    await page.getByText('The settings are saved').waitFor();
    // The version of the answer is that of the next change.
    await page.getByLabel('Name', { exact: true }).fill('A third name');
    await save();
    // The button is also disabled while the answer is awaited; the words go with the answer.
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect((await read('/settings')).settings.store).toMatchObject({ name: 'A third name', phone: '0123456' });
  });

  test('of an order line asks when more of it was received, not when more of another', async () => {
    const { id, receive, opened } = await openOrder();
    await receive(0, 5);
    await opened();
    await page.getByRole('button', { name: 'Correct Lamp' }).click();
    const form = page.getByRole('dialog', { name: 'Correct Lamp' });
    const inAll = form.getByLabel('Received in all');
    await receive(0, 3);
    await world.settled();
    await inAll.fill('6');
    await save();
    await form.getByText('changed this meanwhile').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect((await order(id)).line_items[0].quantity_received).toBe(8);
    await save('Show theirs');
    expect(await inAll.inputValue()).toBe('8');
    await receive(1, 1);
    await inAll.fill('9');
    await save();
    await form.waitFor({ state: 'detached' });
    expect((await order(id)).line_items).toMatchObject([{ quantity_received: 9 }, { quantity_received: 1 }]);
  });

  test('of the goods that arrive asks when some of what it filled in was received', async () => {
    const { id, receive, opened } = await openOrder();
    await opened();
    const arriving = page.getByLabel('Arrives now: Lamp');
    await save('Fill with what is open');
    await receive(0, 3);
    await world.settled();
    await save('Receive');
    await page.getByText('changed this meanwhile').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('cell', { name: '3', exact: true }).waitFor();
    await save('Show theirs');
    expect(await arriving.inputValue()).toBe('7');
    await save('Receive');
    await page.getByText('The order is received').waitFor();
    expect((await order(id)).line_items).toMatchObject([{ quantity_received: 10 }, { quantity_received: 4 }]);
  });

  test("of a supplier's invoice asks when somebody billed, and sends no line that stays", async () => {
    const { id, lines, opened } = await openOrder();
    await opened();
    await page.getByRole('button', { name: "Supplier's invoice" }).click();
    const form = page.getByRole('dialog', { name: "Supplier's invoice" });
    const line_items = [{ id: lines[0]!.id, quantity_invoiced: 7, unit_cost_invoiced: '2.40' }];
    await post(`/purchase_orders/${id}/invoice`, { line_items });
    await world.settled();
    await form.getByLabel('Number').fill('INV-9');
    await save();
    await form.getByText('changed this meanwhile').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const billed = { quantity_invoiced: 7, unit_cost_invoiced: 2.4 };
    expect(await order(id)).toMatchObject({ supplier_invoice_number: null, line_items: [billed, { quantity_invoiced: null }] });
    await save('Keep mine');
    expect(await form.getByLabel('Billed: Lamp', { exact: true }).inputValue()).toBe('7');
    const sent = page.waitForRequest(/\/invoice\?/);
    await save();
    await form.waitFor({ state: 'detached' });
    expect((await sent).postDataJSON().line_items).toMatchObject([{ id: lines[1]!.id }]);
    expect(await order(id)).toMatchObject({ supplier_invoice_number: 'INV-9', line_items: [billed, { quantity_invoiced: 4 }] });

    await page.getByRole('button', { name: "Supplier's invoice" }).click();
    await form.getByLabel('Number').fill('INV-10');
    await save();
    await form.waitFor({ state: 'detached' });
    expect((await order(id)).supplier_invoice_number).toBe('INV-10');
  });
});
