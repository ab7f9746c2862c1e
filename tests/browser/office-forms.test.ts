/** Forms of the back office: what is sent counts once, what is typed goes where it was meant to, and the page says what is stored. */
import { expect } from '@jest/globals';
import { holdAnswer, lateAnswer, loseAnswer } from './answers.ts';
import { button, dialog, inBrowser, page, test, useShop } from './panel.ts';
import { holdsValue, scanAnywhere } from './till.ts';

const { world, ids, open, read } = useShop('/', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'] });

/** Both clicks of a doubled one come before the page is drawn anew, as on a busy machine. */
const pressTwice = (name: string) => button(name).evaluate((pressed: { click(): void }) => [pressed.click(), pressed.click()]);
const newOrder = async (unit_price: string): Promise<number> => {
  const line_items = [{ product_id: ids.Globe, quantity_ordered: 10, unit_price }];
  return (await world.create('/purchase_orders', { purchase_order: { line_items } })).id;
};
const order = async (id: number) => (await read(`/purchase_orders/${id}`)).purchase_order;

inBrowser('a form of the back office', () => {
  test('that is pressed twice before it is drawn anew is sent once', async () => {
    const { id } = await world.create('/customers', { customer: { name: 'Noor Haddad' } });
    await open(`/customers/${id}`, page);
    await button('Issue or take').click();
    await dialog().getByLabel('Amount').fill('12,50');
    await pressTwice('Save');
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/store_credits/customer/${id}`)).store_credit.balance).toBe(12.5);

    const received = await newOrder('0.20');
    await open(`/purchase-orders/${received}`, page);
    await page.getByLabel('Arrives now: Globe').fill('3');
    await pressTwice('Receive');
    await page.getByText('The goods are received').waitFor();
    await page.getByRole('cell', { name: '3', exact: true }).waitFor();
    expect((await order(received)).line_items[0].quantity_received).toBe(3);
  });

  test('offers what its search found for the text in it, and nothing of an earlier one', async () => {
    for (const name of ['Tea black', 'Tea in bags green', 'Tea in bags white']) await world.create('/products', { product: { name } });
    await open('/stock', page);
    const search = page.getByLabel('Product', { exact: true });
    await search.fill('Tea');
    await page.getByRole('option', { name: /^Tea/ }).nth(2).waitFor();
    const late = await lateAnswer(page, 'GET', /search=Tea\+in/);
    const asked = page.waitForRequest(/search=Tea\+in/);
    await search.pressSequentially(' in');
    await asked;
    expect(await page.getByRole('option').count()).toBe(0);
    late();
    await page.getByRole('option', { name: /^Tea in bags green/ }).waitFor();
    await search.press('ArrowDown');
    await search.press('Enter');
    await dialog().getByText('Adjust the stock of Tea in bags green').waitFor();
  });

  test('that is read late does not take the place of one that was opened meanwhile', async () => {
    const { id } = await world.create('/suppliers', { supplier: { name: 'Acme' } });
    await open('/suppliers', page);
    const late = await holdAnswer(page, 'GET', /\/suppliers\/\d+$/);
    await button('Change Acme').click();
    await button('New supplier').click();
    await dialog().getByLabel('Name').fill('Brand New');
    const answered = page.waitForResponse(/\/suppliers\/\d+$/);
    late();
    await answered;
    await button('Save').click();
    await page.getByText('The supplier is saved').waitFor();
    const names = (await read('/suppliers')).suppliers.map((one: { id: number; name: string }) => [one.id === id, one.name]);
    expect(names.toSorted()).toEqual([
      [false, 'Brand New'],
      [true, 'Acme'],
    ]);
  });

  test('of the settings is locked while it is sent, and asks again for a lost answer', async () => {
    await open('/settings', page);
    await page.getByLabel('Phone').fill('0123456');
    const saved = await holdAnswer(page, 'PATCH', /\/settings/);
    await button('Save').click();
    await page.locator('fieldset:disabled').waitFor();
    saved();
    await page.getByText('The settings are saved').waitFor();
    await page.getByLabel('Address').fill('1 High Street');
    await loseAnswer(page, 'PATCH', /\/settings/);
    await button('Save').click();
    await page.getByText('The answer was lost. It may have been recorded.').waitFor();
    await button('Ask again').click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect((await read('/settings')).settings.store).toMatchObject({ phone: '0123456', address: '1 High Street' });
  });

  test('that deleted something of which no answer came shows that it is gone', async () => {
    const { id } = await world.create('/products', { product: { name: 'Gone' } });
    await open(`/products/${id}`, page);
    await button('Delete').click();
    await loseAnswer(page, 'DELETE', /\/products\/\d+$/);
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await button('Look at what is stored').click();
    await button('Restore it, if it was deleted').waitFor();
    expect(await button('Adjust stock').count()).toBe(0);
  });

  test('says so when what somebody else changed cannot be read', async () => {
    await open(`/products/${ids.Lamp}`, page);
    await button('Change').click();
    await dialog().getByLabel('Price').fill('5');
    await world.staff('PATCH', `/products/${ids.Lamp}`, { product: { price: '4.00' } });
    await page.route(/\/products\/\d+(\?|$)/, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()));
    await button('Save').click();
    await page.getByText('That did not work').waitFor();
    expect(await dialog().getByLabel('Price').inputValue()).toBe('5.00');
  });

  test('marks an order once, though the button says the next status at the second click', async () => {
    const id = await newOrder('0.20');
    await open(`/purchase-orders/${id}`, page);
    const mark = button(/^Mark as/);
    await mark.click();
    await mark.filter({ hasText: 'shipped' }).click();
    await page.waitForTimeout(500);
    expect((await order(id)).status).toBe('confirmed');
    await page.waitForTimeout(1_000);
    await mark.click();
    await mark.waitFor({ state: 'detached' });
    expect((await order(id)).status).toBe('shipped');
  });

  test('orders nothing at a cost that nobody knows', async () => {
    await world.create('/products', { product: { name: 'Unknown', sku: '31337', price: '5.00' } });
    await open('/purchase-orders/new', page);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '31337');
    await holdsValue(page, 'Unit price of Unknown', '');
    const before = (await read('/purchase_orders')).pagination.total_count;
    await button('Create the order').click();
    await page.getByLabel('Unit price of Unknown').and(page.locator(':focus')).waitFor();
    expect((await read('/purchase_orders')).pagination.total_count).toBe(before);
    await button('Remove Unknown').click();
  });

  test('takes and shows a unit cost of four decimals, and orders at no text that is none', async () => {
    const id = await newOrder('0.0125');
    await open(`/purchase-orders/${id}`, page);
    await page.getByText('0.0125').waitFor();
    await button("Supplier's invoice").click();
    await dialog().getByLabel('Number').fill('F-1');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await order(id)).line_items[0].unit_cost_invoiced).toBe(0.0125);
    await open('/purchase-orders/new', page);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '22418');
    const price = page.getByLabel('Unit price of Globe');
    await price.fill('12.345');
    await page.getByLabel('Add a product').focus();
    await page.getByText('This is not an amount').waitFor();
    const before = (await read('/purchase_orders')).pagination.total_count;
    await button('Create the order').click();
    await price.and(page.locator(':focus')).waitFor();
    await price.fill('12,3450');
    await page.getByLabel('Add a product').focus();
    await holdsValue(page, 'Unit price of Globe', '12.3450');
    await button('Create the order').click();
    await page.waitForURL(/\/purchase-orders\/\d+$/);
    const { purchase_orders: made, pagination } = await read('/purchase_orders');
    expect([pagination.total_count, made[0].line_items[0].unit_price]).toEqual([before + 1, 12.345]);
  });

  test('of a key that was revoked while its answer was lost shows no key', async () => {
    await open('/keys', page);
    await button('Create a key').click();
    await dialog().getByLabel('Name').fill('Lost');
    await button('All that read').click();
    await loseAnswer(page, 'POST', /\/api_keys$/);
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('The answer was lost. It may have been recorded.').waitFor();
    const { id } = (await read('/api_keys')).api_keys.find(({ name }: { name: string }) => name === 'Lost');
    await world.staff('DELETE', `/api_keys/${id}`, undefined);
    await dialog().getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('This key was revoked meanwhile').waitFor();
    expect(await page.getByRole('textbox', { name: 'the new API key' }).count()).toBe(0);
  });
});
