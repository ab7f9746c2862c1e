/** What managers do behind the counter: suppliers and their invoices, stock, customers who are one, the loyalty programme. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Store } from '../kit/world.ts';
import { axeFindings, cutButtons, shown } from './chromium.ts';
import { inBrowser, narrow, test, usePanel } from './panel.ts';
import { choose, scanAnywhere } from './till.ts';

let store: Store;
let page: Page;
const products: { id: number; name: string }[] = [];

const post = (path: string, body: unknown) => world.staff('POST', path, body, store);
const read = (path: string) => world.staff('GET', path, undefined, store);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const stockOf = async ({ id }: { id: number }) => (await read(`/products/${id}`)).product.current_stock;

const open = (path: string): Promise<void> => openOn(path, page);

/** Nothing that axe finds, and no button that is cut, on the narrow dark screen. */
async function isSound(): Promise<void> {
  await shown(page);
  expect(await axeFindings(page)).toEqual([]);
  expect(await cutButtons(page)).toEqual([]);
}

const {
  world,
  newContext,
  signedIn,
  open: openOn,
} = usePanel(async () => {
  store = await world.newStore(['developer_api', 'customers', 'loyalty', 'stock_locations']);
  for (const [name, barcode] of [
    ['Tea', '4000000000017'],
    ['Candle', '4000000000024'],
  ]) {
    products.push((await post('/products', { product: { name, barcode, price: '3.00', cost: '0.00' } })).product);
  }
  page = await signedIn('/suppliers', await newContext({ viewport: narrow, colorScheme: 'dark' }), store);
});

inBrowser('behind the counter', () => {
  test('a supplier is made, changed at the version that the form shows, and archived', async () => {
    await button('New supplier').click();
    await dialog('New supplier').getByLabel('Name').fill('Lamps & Co');
    await dialog('New supplier').getByLabel('E-mail for orders').fill('orders@lamps.example');
    await isSound();
    await button('Save').click();
    await button('Change Lamps & Co').click();
    const form = dialog('Change Lamps & Co');
    await form.getByLabel('Phone').fill('0123');
    const { id } = (await read('/suppliers')).suppliers[0];
    await world.staff('PATCH', `/suppliers/${id}`, { supplier: { email: 'new@lamps.example' } }, store);
    await button('Save').click();
    await form.getByText('changed this meanwhile').waitFor();
    await button('Keep mine').click();
    await button('Save').click();
    await form.waitFor({ state: 'detached' });
    expect((await read(`/suppliers/${id}`)).supplier).toMatchObject({ email: 'new@lamps.example', phone: '0123' });

    await post('/suppliers', { supplier: { name: 'Old & Gone' } });
    await open('/suppliers');
    await isSound();
    await button('Archive Old & Gone').click();
    await button('Archive').click();
    await button('Archive Old & Gone').waitFor({ state: 'detached' });
    expect((await read('/suppliers')).suppliers).toMatchObject([{ name: 'Lamps & Co' }]);
  });

  test('an item scanned twice is ordered twice; the order is billed and received', async () => {
    await open('/purchase-orders/new');
    for (const quantity of ['1', '2']) {
      await page.getByLabel('Add a product').fill('4000000000017');
      await page.keyboard.press('Enter');
      await page.locator(`input[aria-label="Quantity of Tea"][value="${quantity}"]`).waitFor();
    }
    await isSound();
    await button('Create the order').click();
    await button('Change').click();
    const changed = dialog(/^Change order/);
    await choose(changed.getByRole('combobox', { name: 'Supplier' }), 'Lamps & Co');
    await changed.getByLabel('Expected on').fill('2030-05-04');
    await changed.getByLabel('Notes').fill('By the back door');
    await isSound();
    await button('Save').click();
    await changed.waitFor({ state: 'detached' });
    await page.getByText('By the back door').waitFor();

    await button("Supplier's invoice").click();
    const invoice = dialog("Supplier's invoice");
    const replaces = invoice.getByText('what you save replaces it');
    expect(await replaces.count()).toBe(0);
    await invoice.getByLabel('Number').fill('L-77');
    await invoice.getByLabel('Day').fill('2030-05-05');
    await invoice.getByLabel('Billed: Tea', { exact: true }).fill('3');
    await invoice.getByLabel('Unit cost billed: Tea').fill('1.25');
    await isSound();
    await button('Save').click();
    await invoice.waitFor({ state: 'detached' });
    await page.getByText('L-77, 5 May 2030').waitFor();
    await button("Supplier's invoice").click();
    await replaces.waitFor();
    await page.keyboard.press('Escape');
    await invoice.waitFor({ state: 'detached' });
    const id = Number(/\d+$/.exec(page.url())![0]);
    const include = 'include=expected_on,notes,supplier_invoice_number,supplier_invoice_date';
    expect((await read(`/purchase_orders/${id}?${include}`)).purchase_order).toMatchObject({
      supplier: { name: 'Lamps & Co' },
      expected_on: '2030-05-04',
      supplier_invoice_number: 'L-77',
      supplier_invoice_date: '2030-05-05',
      line_items: [{ quantity_ordered: 2, quantity_invoiced: 3, unit_cost_invoiced: 1.25 }],
    });

    await page.getByLabel('Arrives now: Tea').fill('2');
    await button('Receive').click();
    await page.getByText('The order is received').waitFor();
    await button('Correct Tea').click();
    const correction = dialog('Correct Tea');
    await correction.getByLabel('Received in all').fill('3');
    await isSound();
    await button('Save').click();
    await correction.waitFor({ state: 'detached' });
    await world.settled();
    expect(await stockOf(products[0]!)).toBe(3);
    await isSound();
  });

  test('many products are counted at once by scanning; the draft outlives a reload', async () => {
    await open('/stock/count');
    for (const code of ['4000000000017', '4000000000024', '4000000000024']) {
      await page.getByLabel('Add a product').fill(code);
      await page.keyboard.press('Enter');
      await page.locator('input[aria-label="Add a product"][value=""], input[value=""][placeholder^="Name"]').waitFor();
    }
    await page.locator('input[aria-label="Counted of Candle"][value="2"]').waitFor();
    await open('/stock/count');
    await page.getByLabel('Counted of Tea').fill('7');
    await page.getByLabel('Notes').fill('Yearly');
    await isSound();
    await button('Record the count').click();
    await page.getByText('No lines yet').waitFor();
    await world.settled();
    expect([await stockOf(products[0]!), await stockOf(products[1]!)]).toEqual([7, 2]);
  });

  test('stock is moved between locations made here; an empty one is deleted', async () => {
    await open('/stock/locations');
    for (const [name, kind] of [
      ['Cellar', 'In the back'],
      ['Shop', 'Shop floor'],
      ['Shed', 'In the back'],
    ]) {
      await button('New location').click();
      await dialog('New location').getByLabel('Name').fill(name!);
      await choose(dialog('New location').getByRole('combobox', { name: 'Where' }), kind!);
      await button('Save').click();
      await button(`Change ${name}`).waitFor();
    }
    await isSound();
    await button('Delete Shed').click();
    await button('Delete').click();
    await button('Delete Shed').waitFor({ state: 'detached' });

    await open(`/products/${products[1]!.id}`);
    await button('Adjust stock').click();
    const adjust = dialog(/^Adjust the stock/);
    await adjust.getByLabel('Quantity').fill('5');
    await choose(adjust.getByRole('combobox', { name: 'Where' }), 'Cellar');
    await button('Record').click();
    await adjust.waitFor({ state: 'detached' });
    await open('/stock');
    await isSound();
    await button('Move stock').click();
    const move = dialog('Move stock');
    await move.getByLabel('Product').fill('4000000000024');
    await page.keyboard.press('Enter');
    await move.getByText('7 in stock').waitFor();
    await move.getByLabel('Quantity').fill('3');
    await choose(move.getByRole('combobox', { name: 'From' }), 'Cellar');
    await choose(move.getByRole('combobox', { name: 'To' }), 'Shop');
    await isSound();
    await button('Move').click();
    await move.waitFor({ state: 'detached' });
    const { stock_adjustments: rows } = await read('/stock_adjustments?per_page=2');
    expect(rows).toMatchObject([
      { adjustment_type: 'transfer_in', quantity_change: 3, warehouse_location: { name: 'Shop' } },
      { adjustment_type: 'transfer_out', quantity_change: -3, warehouse_location: { name: 'Cellar' } },
    ]);
  });

  test('the next count is of the place of the one before', async () => {
    await open('/stock/count');
    const where = page.getByRole('combobox', { name: 'Where' });
    await choose(where, 'Cellar');
    await scanAnywhere(page, '4000000000024');
    await page.getByLabel('Counted of Candle').waitFor();
    await button('Record the count').click();
    await page.getByLabel('Counted of Candle').waitFor({ state: 'detached' });
    const { stock_adjustments: rows } = await read('/stock_adjustments?per_page=1');
    expect(rows).toMatchObject([{ product_id: products[1]!.id, warehouse_location: { name: 'Cellar' } }]);
    expect(await where.inputValue()).toBe('Cellar');
  });

  test('two customers who are one are merged, and points are corrected with a reason', async () => {
    const kept = (await post('/customers', { customer: { name: 'Nora Quill' } })).customer;
    const other = (await post('/customers', { customer: { name: 'Norah Quill', email: 'norah@example.com' } })).customer;
    await post(`/customers/${other.id}/store_credit`, { store_credit: { amount: 12, transaction_type: 'issue' } });
    await open(`/customers/${kept.id}`);
    await button('Correct').click();
    await dialog('Correct the points').getByLabel('By').fill('40');
    await dialog('Correct the points').getByLabel('Reason').fill('Card was forgotten');
    await isSound();
    await button('Save').click();
    await page.getByRole('row', { name: /^Adjust 40 40/ }).waitFor();
    await button('Merge').click();
    const merge = dialog('Merge another into Nora Quill');
    await choose(merge.getByRole('combobox', { name: 'Customer' }), /^Norah/, 'Norah');
    await merge.getByText('cannot be undone').waitFor();
    await isSound();
    await merge.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('norah@example.com').waitFor();
    await page.getByRole('row', { name: /^Adjust £?\$?12\.00/ }).waitFor();
    await isSound();
    expect((await read(`/store_credits/customer/${kept.id}`)).store_credit.balance).toBe(12);
    expect((await world.call('GET', `/customers/${other.id}`, { token: store.token })).status).toBe(404);
  });

  test('tiers and rewards of the loyalty programme are set up, changed and deleted', async () => {
    await open('/loyalty');
    await button('New tier').click();
    const tier = dialog('New tier');
    await tier.getByLabel('Name').fill('Gold');
    await tier.getByLabel('Level').fill('2');
    await tier.getByLabel('Reached with a spend of').fill('1 250,5');
    await tier.getByLabel('Discount in percent').fill('5');
    await isSound();
    await button('Save').click();
    await button('Change Gold').click();
    await dialog('Change Gold').getByLabel('Discount in percent').fill('7.5');
    await button('Save').click();
    await dialog('Change Gold').waitFor({ state: 'detached' });
    expect((await read('/loyalty_tiers')).loyalty_tiers).toMatchObject([
      { name: 'Gold', level: 2, minimum_lifetime_spend: '1250.50', discount_percentage: '7.50' },
    ]);

    await button('New reward').click();
    const reward = dialog('New reward');
    await reward.getByLabel('Name').fill('Free tea');
    // One of both: of two the till would take the amount, unsaid.
    await reward.getByLabel('Amount off').fill('5');
    await reward.getByLabel('Or percent off').waitFor({ state: 'detached' });
    await reward.getByLabel('Amount off').fill('');
    await reward.getByLabel('Or percent off').waitFor();
    await choose(reward.getByRole('combobox', { name: 'Gives' }), 'A free product');
    await reward.getByLabel('Points it takes').fill('100');
    await reward.getByLabel('Free product').fill('4000000000017');
    await page.keyboard.press('Enter');
    await reward.getByText('Tea', { exact: true }).waitFor();
    await choose(reward.getByRole('combobox', { name: 'Only from the tier' }), 'Gold');
    await isSound();
    await button('Save').click();
    await button('Delete Free tea').waitFor();
    expect((await read('/loyalty_rewards?all=true')).loyalty_rewards).toMatchObject([
      { name: 'Free tea', product_id: products[0]!.id, points_required: 100, minimum_tier_level: 2 },
    ]);
    await isSound();
    await button('Delete Free tea').click();
    await button('Delete').click();
    await page.getByText('No reward yet').waitFor();
  });

  test('a category is put below another and back to the top', async () => {
    const { category: top } = await post('/categories', { category: { name: 'Drinks' } });
    const { category } = await post('/categories', { category: { name: 'Hot drinks', parent_id: top.id } });
    const parent = async () => (await read('/categories?all=true')).categories.find(({ id }: { id: number }) => id === category.id);
    await open('/categories');
    await button('Change Hot drinks').click();
    await page.getByRole('button', { name: /clear/i }).or(page.locator('.mantine-Select-section button')).first().click();
    await button('Save').click();
    await dialog('Change Hot drinks').waitFor({ state: 'detached' });
    expect((await parent())?.parent_id).toBeNull();
  });

  test('a manager closes the drawer of a clerk who has left', async () => {
    const token = await world.newStaff('clerk', { name: 'Lea Left' }, store);
    const body = { opening_float: '100.00' };
    expect((await world.call('POST', '/cash_drawer_sessions', { token, body })).status).toBe(201);
    await open('/day');
    await button('Count and close the drawer of Lea Left').click();
    const asked = dialog('Count and close the drawer of Lea Left');
    await asked.getByLabel('Counted').fill('90');
    await isSound();
    // Midnight: the report is of the next day, which the store does not have yet.
    await page.clock.setFixedTime(Number(world.clock.now()) + 24 * 3_600_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Date must not be after today').waitFor();
    expect(await asked.getByLabel('Counted').inputValue()).toMatch(/^90/);
    await page.clock.setFixedTime(world.clock.now());
    await asked.getByRole('button', { name: 'Close the drawer' }).click();
    await dialog('The drawer is closed').getByText('is missing').waitFor();
    await page.getByText('Still open: 0.').waitFor();
    const [drawer] = (await read('/cash_drawer_sessions')).cash_drawer_sessions;
    expect(drawer).toMatchObject({ status: 'closed', counted: '90.00', difference: '-10.00' });
  });
});
