/** The admin panel in a real browser, over the running system. One world and one browser for the whole file. */
import { expect } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { adminFolder } from '../../tools/local/admin-panel.ts';
import { allBytes, firstPageBytes } from './bundle.ts';
import { axeFindings, missingChromium, refusalsOf, signIn } from './chromium.ts';
import { inBrowser, test, usePanel } from './panel.ts';
import { choose, complete, scan, takePayment } from './till.ts';

if (missingChromium) process.stdout.write(`The admin panel is not tested in a browser: ${missingChromium}.\n`);

const bytesMax = { firstPage: 300_000, all: 400_000 };

let context: BrowserContext;
let page: Page;
let product: { id: number; sku: string; barcode: string; name: string };

const open = (path: string, on = page): Promise<void> => openOn(path, on);

const {
  world,
  receiver,
  newContext,
  open: openOn,
  post,
  read,
} = usePanel(async () => {
  const created = await post('/products', {
    product: { name: 'Brass lantern', sku: 'LAN-1', barcode: '5000000000017', price: '12.50', low_stock_threshold: 3 },
  });
  product = created.product;
  context = await newContext({ colorScheme: 'light' });
  page = await context.newPage();
});

inBrowser('the admin panel', () => {
  test('its first page is at most 300 kB compressed, all with one language 400 kB', () => {
    expect(firstPageBytes(adminFolder())).toBeLessThanOrEqual(bytesMax.firstPage);
    expect(allBytes(adminFolder())).toBeLessThanOrEqual(bytesMax.all);
  });

  test('from sign-in to a key, a sale, its webhook live, and the revocation', async () => {
    await open('/keys');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(world.store.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Invalid email or password').waitFor();
    await signIn(page, world.store);

    // A key is created, and its text is shown once.
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.getByRole('textbox', { name: 'the new API key' }).textContent())!;
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Revoke Web shop' }).waitFor();
    expect((await world.call('GET', '/key', { key })).body.data).toMatchObject({ name: 'Web shop', rate_limit: 60, test_mode: false });

    // Its subscription is watched while a sale is made in another tab.
    const webhook_subscription = { url: `${receiver.url}/panel`, events: ['sale.completed'] };
    const subscribed = await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
    await open(`/webhooks/${subscribed.body.data.id}`);
    await page.getByRole('status', { name: 'Deliveries: Live' }).waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
    const till = await context.newPage();
    await sell(till);
    await receiver.arrived('/panel', 1);
    await page.getByText('200 delivered').waitFor();
    await till.close();

    // The signing secret is shown against the password.
    await page.getByRole('button', { name: 'Reveal secret' }).click();
    await page.getByLabel('Your password').fill('not the password');
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page.locator('[id$="-error"]').waitFor();
    await page.getByLabel('Your password').fill(world.store.password);
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page
      .getByRole('textbox', { name: 'the signing secret' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'Done' }).click();

    await open('/keys');
    await page.getByRole('button', { name: 'Revoke Web shop' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('No key is in force').waitFor();
    expect((await world.call('GET', '/key', { key })).status).toBe(401);
  });

  test('the first page asks for everything at once: no request waits for another', async () => {
    const wanted = [
      'settings',
      'sales/by_hour',
      'requests/summary',
      'webhook_monitor/summary',
      'products/low_stock',
      'webhook_notices',
      'webhook_monitor',
    ];
    const asked = new Set<string>();
    const allAsked = Promise.withResolvers<void>();
    await page.route('**/api/v1/**', async (route) => {
      asked.add(new URL(route.request().url()).pathname.replace('/api/v1/', ''));
      if (wanted.every((path) => asked.has(path))) allAsked.resolve();
      await allAsked.promise;
      await route.continue();
    });
    await open('/');
    await page.getByText('Sold today').waitFor();
    await page.unroute('**/api/v1/**');
    expect([...asked].sort()).toEqual([...wanted].sort());
  });

  test('from a product to what changed it, with its old price, and to the request', async () => {
    await world.call('PATCH', `/products/${product.id}`, { token: world.store.token, body: { product: { price: '13.75' } } });
    await world.settled();
    await open(`/products/${product.id}`);
    await page.getByRole('link', { name: 'History' }).click();
    const change = page.getByRole('row', { name: 'price 12.50 13.75' });
    await change.waitFor();
    await page
      .getByRole('link', { name: /^Request / })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Changes (1)' }).waitFor();
    await change.waitFor();
  });

  test('a scanned barcode is sold by gift card and credit; its void gives both back', async () => {
    const { customer } = await post('/customers', { customer: { name: 'Nora Quill', email: 'nora@example.com' } });
    await post(`/customers/${customer.id}/store_credit`, { store_credit: { amount: 50, transaction_type: 'issue' } });
    const { gift_card: card } = await post('/gift_cards', { gift_card: { amount: 5, card_number: 'PANEL-1' } });
    const balances = async () => [
      (await read(`/gift_cards/lookup/${card.card_number}`)).gift_card.balance,
      (await read(`/store_credits/customer/${customer.id}`)).store_credit.balance,
    ];
    const before = await balances();
    await world.settled();
    await open('/register');
    await choose(page.getByRole('combobox', { name: 'Customer' }), /^Nora Quill/, 'Nora');
    await scan(page, product.barcode, product.name);
    const dialog = await takePayment(page);
    const methods = dialog.getByRole('combobox', { name: 'Paid by' });
    await choose(methods, 'Gift card');
    await dialog.getByLabel('Gift card number').fill(card.card_number);
    await dialog.getByLabel('Amount').fill('5.00');
    await dialog.getByText('5.00 available').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // The second payment is what is left.
    await dialog.getByRole('button', { name: 'Add another payment' }).click();
    await choose(methods.nth(1), 'Store credit');
    await dialog.getByText('Paid in full').waitFor();
    await dialog.getByLabel('Amount').first().focus();
    const receipt = await complete(page);
    const [sale] = (await read(`/sales?search=${receipt}`)).sales;
    expect(sale).toMatchObject({ status: 'completed', payment_method: 'split', customer: { id: customer.id } });
    const paid = await balances();
    expect(paid[0]).toBe(0);
    expect(before[1] - paid[1]).toBeCloseTo(Number(sale.total) - 5);

    await open(`/sales/${sale.id}`);
    await page.getByRole('button', { name: 'Void the sale' }).click();
    const asked = page.getByRole('dialog');
    await asked.getByLabel('Reason').fill('Changed their mind');
    await asked.getByRole('button', { name: 'Void the sale' }).click();
    await page.getByText('Changed their mind').waitFor();
    expect((await read(`/sales/${sale.id}`)).sale).toMatchObject({ status: 'voided', void_reason: 'Changed their mind' });
    await world.settled();
    expect(await balances()).toEqual(before);
  });

  test('an order that arrives short shows its variance, and the stock rises by arrivals', async () => {
    const line = { product_id: product.id, quantity_ordered: 5, unit_price: '4.00' };
    const { purchase_order: order } = await post('/purchase_orders', { purchase_order: { line_items: [line] } });
    await world.settled();
    const stock = (await read(`/products/${product.id}`)).product.current_stock;
    await open(`/purchase-orders/${order.id}`);
    await page.getByLabel(`Arrives now: ${product.name}`).fill('3');
    await page.getByLabel('Nothing more will arrive').check();
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByRole('row', { name: new RegExp(`^${product.name}.* 5 .*3 .*short −2`) }).waitFor();
    expect((await read(`/purchase_orders/${order.id}`)).purchase_order).toMatchObject({ status: 'received', has_variance: true });
    await world.settled();
    expect((await read(`/products/${product.id}`)).product.current_stock).toBe(stock + 3);
  });

  test("a promotion on a category lowers its products' prices until it is deleted", async () => {
    const { category } = await post('/categories', { category: { name: 'Garden lights' } });
    const lamp = { name: 'Garden lamp', price: '40.00', category_ids: [category.id] };
    const { id } = (await post('/products', { product: lamp })).product;
    const price = async () => (await read(`/products/${id}`)).product.effective_price;
    await open('/promotions');
    await page.getByRole('button', { name: 'New promotion' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Summer nights');
    await dialog.getByLabel('Percent').fill('25');
    await dialog.getByText('A category', { exact: true }).click();
    await choose(dialog.getByRole('combobox', { name: 'Category' }), 'Garden lights', 'Garden');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /^Summer nights 25 % off Garden lights/ }).waitFor();
    expect(await price()).toBe('30.00');
    await page.getByRole('button', { name: 'Delete Summer nights' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No promotion yet').waitFor();
    expect(await price()).toBe('40.00');
  });

  test('a list reads and holds the shown page alone, and is one history step per click', async () => {
    const key = await world.newKey(world.store);
    const products = Array.from({ length: 100 }, (_, n) => ({ sku: `ROW-${n}`, name: `Row ${n}`, price: 1 }));
    await world.call('POST', '/products/bulk_upsert', { key, body: { products } });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/v1/products') asked.push(search);
    });
    await open('/products');
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(25);
    const last = page.getByRole('button', { name: /^Page \d+$/ }).last();
    const lastPage = Number((await last.textContent())!);
    await last.click();
    await page.getByText(new RegExp(`^${(lastPage - 1) * 25 + 1} to `)).waitFor();
    expect(await rows.count()).toBeLessThanOrEqual(25);
    expect(asked).toEqual(['?page=1&per_page=25', `?page=${lastPage}&per_page=25`]);
    await rows.first().getByRole('link').click();
    await page.getByRole('link', { name: '← Products' }).waitFor();
    await page.goBack();
    await page.getByText(new RegExp(`^${(lastPage - 1) * 25 + 1} to `)).waitFor();
  });

  test('a clerk sees what clerks may do; a new sign-in leads back to the page', async () => {
    const clerk = { name: 'Cleo Clerk', email: 'cleo@panel.example', password: 'correct horse battery', role: 'clerk' };
    const { id } = (await post('/staff_users', { staff_user: clerk })).staff_user;
    const at = await (await newContext({ colorScheme: 'light' })).newPage();
    await open('/keys', at);
    await signIn(at, clerk);
    await at.getByText('This page is not for your role').waitFor();
    expect(await at.locator('nav').innerText()).not.toMatch(/API keys|Webhooks|Audit trail|Settings/);
    const refused = refusalsOf(at);
    await open('/', at);
    expect(refused).toEqual([]);
    await world.call('PATCH', `/staff_users/${id}`, { token: world.store.token, body: { staff_user: { role: 'manager' } } });
    await at.getByRole('link', { name: 'Products' }).click();
    await at.getByText('Your session has ended').waitFor();
    await signIn(at, clerk);
    await at.getByRole('heading', { name: 'Products' }).waitFor();
    await at.getByRole('link', { name: 'Audit trail' }).waitFor();
    await at.context().close();
  });
});

/** Sells the product by keyboard alone: its sku, F4 for the payment, Enter for its whole amount in cash. */
async function sell(till: Page): Promise<void> {
  await open('/register', till);
  await scan(till, product.sku, product.name);
  await takePayment(till);
  await complete(till);
}
