/** What was sent before a page or a dialog was left counts once, and neither comes back nor reaches what is there now. */
import { expect } from '@jest/globals';
import { holdAnswer, lateAnswer, loseAnswer } from './answers.ts';
import { button, inBrowser, page, test, useShop } from './panel.ts';
import { choose, holdsQuantity, holdsValue, scanAnywhere, takePayment } from './till.ts';

const { world, ids, open, read } = useShop('/', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'] });

const goTo = async (name: string) => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
};
/** How often the globe was counted. */
const counts = async () =>
  (await read('/stock_adjustments?adjustment_type=inventory&per_page=100')).stock_adjustments.filter(
    ({ product_id }: { product_id: number }) => product_id === ids.Globe,
  ).length;
const orders = async (): Promise<{ id: number }[]> => (await read('/purchase_orders')).purchase_orders;

inBrowser('what was sent before it was left', () => {
  const openDraft = async (path: string) => {
    await open(path, page);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '22418');
  };

  test('is not in the draft of a count any more', async () => {
    await openDraft('/stock/count');
    await holdsValue(page, 'Counted of Globe', '1');
    const recorded = await holdAnswer(page, 'POST', /\/stock_reconciliations$/);
    await button('Record the count').click();
    await goTo('Products');
    recorded();
    await page.getByText('The count is recorded').waitFor();
    await page.goBack();
    await page.getByLabel('Add a product').waitFor();
    expect(await page.getByLabel('Counted of Globe').count()).toBe(0);
  });

  test('is an order of which another page is told, and stays as it is', async () => {
    await openDraft('/purchase-orders/new');
    await holdsQuantity(page, 'Globe', 1);
    const before = (await orders()).length;
    const created = await holdAnswer(page, 'POST', /\/purchase_orders$/);
    await button('Create the order').click();
    await goTo('Products');
    const search = page.getByLabel('Search products');
    await search.fill('Noor');
    created();
    await page.getByText('The order is created').waitFor();
    expect([new URL(page.url()).pathname, await search.inputValue()]).toEqual(['/admin/products', 'Noor']);
    await open('/purchase-orders/new', page);
    await page.getByLabel('Add a product').waitFor();
    expect(await page.getByLabel('Quantity of Globe').count()).toBe(0);
    expect(await orders()).toHaveLength(before + 1);
  });

  test('and whose answer was lost is asked for again after a reload', async () => {
    await openDraft('/purchase-orders/new');
    await holdsQuantity(page, 'Globe', 1);
    const before = (await orders()).length;
    await loseAnswer(page, 'POST', /\/purchase_orders$/);
    await button('Create the order').click();
    const isSaid = () => page.getByText('The answer was lost. It may have been recorded.').waitFor();
    await isSaid();
    await page.reload();
    await isSaid();
    expect(await page.locator('fieldset:disabled').count()).toBe(1);
    await button('Ask again').click();
    await page.waitForURL(/\/purchase-orders\/\d+$/);
    expect(await orders()).toHaveLength(before + 1);
  });

  test('is owed behind another page, and after it was looked for, until it is answered', async () => {
    await openDraft('/stock/count');
    await holdsValue(page, 'Counted of Globe', '1');
    const before = await counts();
    await loseAnswer(page, 'POST', /\/stock_reconciliations$/);
    const recorded = await holdAnswer(page, 'POST', /\/stock_reconciliations$/);
    await button('Record the count').click();
    await goTo('Products');
    recorded();
    await page.getByText('The answer was lost. It may have been recorded.').waitFor();
    await page.goBack();
    await button('Look at what is stored').click();
    await page.getByRole('heading', { name: 'Stock ledger' }).waitFor();
    await page.goBack();
    await button('Ask again').waitFor();
    expect(await page.locator('fieldset:disabled').count()).toBe(1);
    await button('Ask again').click();
    await page.getByText('The count is recorded').waitFor();
    await page.getByLabel('Counted of Globe').waitFor({ state: 'detached' });
    expect(await counts()).toBe(before + 1);
  });

  test('of a count is the same one some seconds later', async () => {
    await openDraft('/stock/count');
    await holdsValue(page, 'Counted of Globe', '1');
    const before = await counts();
    await loseAnswer(page, 'POST', /\/stock_reconciliations$/);
    await button('Record the count').click();
    await page.getByText('The answer was lost').first().waitFor();
    await page.clock.setFixedTime(world.clock.now().getTime() + 5_000);
    await button('Ask again').click();
    await page.getByText('The count is recorded').waitFor();
    await page.locator('fieldset:disabled').waitFor({ state: 'detached' });
    expect(await counts()).toBe(before + 1);
  });

  test('and is not there is a draft again once that is said', async () => {
    await openDraft('/purchase-orders/new');
    await holdsQuantity(page, 'Globe', 1);
    const before = (await orders()).length;
    await page.route(/\/purchase_orders$/, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
    await button('Create the order').click();
    await button('It is not there').click();
    await page.locator('fieldset:disabled').waitFor({ state: 'detached' });
    await page.unrouteAll();
    await page.getByLabel('Quantity of Globe').fill('4');
    await button('Create the order').click();
    await page.waitForURL(/\/purchase-orders\/\d+$/);
    expect(await orders()).toHaveLength(before + 1);
  });

  test('names a piece that is scanned while the last goods are received', async () => {
    const line_items = [{ product_id: ids.Globe, quantity_ordered: 3, unit_price: '0.20' }];
    const { id } = await world.create('/purchase_orders', { purchase_order: { line_items } });
    await open(`/purchase-orders/${id}`, page);
    await page.getByLabel('Arrives now: Globe').fill('3');
    const received = await holdAnswer(page, 'POST', /\/receive$/);
    await button('Receive').click();
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Arrives now: Globe', '4');
    received();
    await page.getByText('The order is received').waitFor();
    await page.getByText('Globe is not expected here').waitFor();
  });

  test('keeps its dialog until it is answered, and its keys from the sale behind it', async () => {
    await open('/register', page);
    await scanAnywhere(page, '22418');
    await holdsQuantity(page, 'Globe', 1);
    const customer = page.getByRole('combobox', { name: 'Customer' });
    await choose(customer, 'New customer: Slow Sue', 'Slow Sue');
    const saved = await holdAnswer(page, 'POST', /\/customers$/);
    await button('Save').click();
    await page.locator('fieldset:disabled').waitFor();
    for (const key of ['+', '+', 'Delete']) await page.keyboard.press(key);
    await holdsQuantity(page, 'Globe', 1);
    expect([await button('Cancel').isDisabled(), await button('Close').isDisabled()]).toEqual([true, true]);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await scanAnywhere(page, '21448');
    await holdsQuantity(page, 'Lamp', 1);
    expect(await page.locator('fieldset:disabled').count()).toBe(1);
    saved();
    await page.getByText('The customer is saved').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Customer Slow Sue').waitFor();
    await holdsQuantity(page, 'Globe', 1);
  });

  test('brings nothing back over what is scanned since the till was opened anew', async () => {
    const line_items = [{ product_id: ids.Globe, quantity: 1 }];
    const { receipt_number } = await world.create('/sales', { sale: { status: 'pending', line_items } });
    await open('/register', page);
    const taken = await lateAnswer(page, 'GET', /\/api\/v1\/sales\/\d+(\?|$)/);
    await button(`Resume ${receipt_number}`).click();
    await goTo('Products');
    await goTo('Register');
    await scanAnywhere(page, '21448');
    await holdsQuantity(page, 'Lamp', 1);
    const read = page.waitForResponse(/\/api\/v1\/sales\/\d+(\?|$)/);
    taken();
    await (await read).finished();
    // The page has heard of it.
    await page.evaluate('new Promise((done) => setTimeout(done, 0)).then(() => new Promise((done) => setTimeout(done, 0)))');
    await page.reload();
    await holdsQuantity(page, 'Lamp', 1);
    expect(await page.getByLabel('Quantity of Globe').count()).toBe(0);
    // A payment: what is scanned behind it is told.
    const paid = await lateAnswer(page, 'POST', /\/api\/v1\/sales$/);
    await takePayment(page);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Products', exact: true }).first().click();
    await button('Leave').click();
    await page.getByRole('heading', { name: 'Products', exact: true }).waitFor();
    await goTo('Register');
    await scanAnywhere(page, '22418');
    await page.getByText('22418 is kept until the payment ends').waitFor();
    paid();
    await page.getByText('22418 was scanned while a payment was open: scan it again').waitFor();
    await page.getByText(/^Sale R-/).waitFor();
  });

  // Last, as it ends the session that the tests share.
  test('and waits for a second step is not carried on behind a sign-out', async () => {
    await open('/customers', page);
    await button('New customer').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Gone Gail');
    const asked = page.waitForRequest(/\/customers\?dry_run/);
    const looked = await lateAnswer(page, 'POST', /\/customers\?dry_run/);
    await button('Save').click();
    await asked;
    const other = await page.context().newPage();
    await open('/products', other);
    await other.getByRole('button', { name: 'Account' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    looked();
    await page.getByText('Nothing of yours is saved yet.').waitFor();
    expect((await read('/customers?q=Gail')).customers).toEqual([]);
  });
});
