/** Forms whose answer comes late or never: what they sent counts once, and what was typed or scanned meanwhile stays. */
import { expect } from '@jest/globals';
import { holdAnswer, loseAnswer } from './answers.ts';
import { inBrowser, page, test, useShop } from './panel.ts';
import { holdsQuantity, holdsValue, scanAnywhere } from './till.ts';

const button = (name: string | RegExp) => page.getByRole('button', { name });

const { world, ids, post, read } = useShop('/register', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Pin: ['77', '0.10'] });

inBrowser('a late answer to a form', () => {
  const isSaid = () => page.getByText('The answer was lost. It may have been recorded.').waitFor();
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const expected = async () => (await read('/cash_drawer_sessions')).cash_drawer_sessions[0].expected;
  const move = async () => {
    const dialog = page.getByRole('dialog');
    await button('Cash in or out').click();
    await dialog.getByLabel('Amount').fill('12,50');
    await dialog.getByLabel('Reason').fill('Milk');
  };

  test('that never comes keeps the form, and counts once; the next is something else', async () => {
    const dialog = page.getByRole('dialog');
    /** Presses, and asks again for the answer that was lost. */
    const twice = async (path: RegExp, name: string) => {
      await loseAnswer(page, 'POST', path);
      await inDialog(name);
      await isSaid();
      expect(await dialog.getByRole('textbox').first().isDisabled()).toBe(true);
      await inDialog('Ask again');
      await dialog.waitFor({ state: 'detached' });
      await page.unroute(path);
    };
    await button('Open').click();
    await dialog.getByLabel('Cash in it now').fill('100');
    await twice(/\/cash_drawer_sessions$/, 'Open');
    await move();
    await twice(/\/cash_drawer_sessions\/\d+\//, 'Book');
    expect(await expected()).toBe('87.50');
    // The same again after a form that was closed without its answer.
    await move();
    await loseAnswer(page, 'POST', /\/cash_drawer_sessions\/\d+\//);
    await inDialog('Book');
    await isSaid();
    // A clerk sees no movement elsewhere.
    expect(await dialog.getByRole('button', { name: 'Look at what is stored' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await button('Leave').click();
    await dialog.first().waitFor({ state: 'detached' });
    expect(await expected()).toBe('75.00');
    await move();
    // Enter twice counts once.
    for (let time = 0; time < 2; time++) await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await expected()).toBe('62.50');
    await page.unrouteAll();
    // The list says at once that the drawer is closed; its count keeps its dialog until the difference is shown.
    await button('Count and close').click();
    await dialog.getByLabel('Counted').fill('60');
    await loseAnswer(page, 'POST', /\/close$/);
    await inDialog('Close the drawer');
    await page.getByText('Closed: cash of your sales').waitFor();
    await inDialog('Ask again');
    await dialog.getByRole('status').getByText('2.50').waitFor();
    await inDialog('Done');
    await page.unrouteAll();

    const { customer } = await post('/customers', { customer: { name: 'Noor Haddad' } });
    await page.goto(`${world.baseUrl}/admin/customers/${customer.id}`);
    await button('Issue or take').click();
    await dialog.getByLabel('Amount').fill('5');
    await twice(/\/store_credit$/, 'Save');
    expect((await read(`/store_credits/customer/${customer.id}`)).store_credit.balance).toBe(5);

    await page.goto(`${world.baseUrl}/admin/products/${ids.Lamp}`);
    const stock = (await read(`/products/${ids.Lamp}`)).product.current_stock;
    await button('Adjust stock').click();
    await dialog.getByLabel('Quantity').fill('3');
    await twice(/\/stock_adjustments$/, 'Record');
    expect((await read(`/products/${ids.Lamp}`)).product.current_stock).toBe(stock + 3);
  });

  test('to goods that arrived: what is stored shows, and scans meanwhile arrive next', async () => {
    const line_items = [{ product_id: ids.Lamp, quantity_ordered: 10, unit_price: '0.20' }];
    const { purchase_order: order } = await post('/purchase_orders', { purchase_order: { line_items } });
    const received = async () => (await read(`/purchase_orders/${order.id}`)).purchase_order.line_items[0].quantity_received;
    await page.goto(`${world.baseUrl}/admin/purchase-orders/${order.id}`);
    const arrives = page.getByLabel('Arrives now: Lamp');
    const receivedSoFar = page.getByRole('row', { name: /^Lamp/ }).getByRole('cell').nth(3);
    await arrives.fill('5');
    await loseAnswer(page, 'POST', /\/receive$/);
    await button('Receive').click();
    await isSaid();
    await receivedSoFar.filter({ hasText: /^5/ }).waitFor();
    expect(await arrives.isDisabled()).toBe(true);
    await scanAnywhere(page, '21448');
    await holdsValue(page, 'Arrives now: Lamp', '6');
    await button('Ask again').click();
    await holdsValue(page, 'Arrives now: Lamp', '1');
    expect(await received()).toBe(5);
    await button('Receive').click();
    await receivedSoFar.filter({ hasText: /^6/ }).waitFor();
    expect(await received()).toBe(6);
  });

  test('to a count or a new order: only what was sent leaves the draft', async () => {
    await page.goto(`${world.baseUrl}/admin/stock/count`);
    const holdsCount = (name: string, value: string) => holdsValue(page, `Counted of ${name}`, value);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '22418');
    await holdsCount('Globe', '1');
    await scanAnywhere(page, '21448');
    await holdsCount('Lamp', '1');
    const recorded = await holdAnswer(page, 'POST', /\/stock_reconciliations$/);
    await button('Record the count').click();
    await scanAnywhere(page, '22418');
    await holdsCount('Globe', '2');
    await scanAnywhere(page, '77');
    await holdsCount('Pin', '1');
    recorded();
    await page.getByText('The count is recorded').waitFor();
    await page.getByLabel('Counted of Lamp').waitFor({ state: 'detached' });
    await holdsCount('Globe', '2');
    await holdsCount('Pin', '1');
    expect((await read(`/products/${ids.Globe}`)).product.current_stock).toBe(1);
    await button('Clear').click();

    await page.goto(`${world.baseUrl}/admin/purchase-orders/new`);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '22418');
    await holdsQuantity(page, 'Globe', 1);
    const created = await holdAnswer(page, 'POST', /\/purchase_orders$/);
    // Pressed twice before it is drawn anew it is sent once: a second answer would take the next piece off the draft.
    await button('Create the order').evaluate((pressed: { click(): void }) => [pressed.click(), pressed.click()]);
    await scanAnywhere(page, '22418');
    await holdsQuantity(page, 'Globe', 2);
    await scanAnywhere(page, '21448');
    await holdsQuantity(page, 'Lamp', 1);
    created();
    await page.getByText('is in the next order').waitFor();
    await page.goto(`${world.baseUrl}/admin/purchase-orders/new`);
    await holdsQuantity(page, 'Globe', 1);
    await holdsQuantity(page, 'Lamp', 1);
  });
});
