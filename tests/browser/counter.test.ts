/** A day at the counter: drawer, duplicate codes, favourites and keys, a customer made at the till, rewards, receipts, the store away. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { holdAnswer } from './answers.ts';
import { axeFindings, cutButtons, follow, shown } from './chromium.ts';
import { inBrowser, narrow, test, usePanel } from './panel.ts';
import { choose, holdsQuantity, holdsValue, scan, scanAnywhere, takePayment } from './till.ts';

const paperWidthMm = 80;

let till: Page;
const products: number[] = [];

const button = (name: string | RegExp) => till.getByRole('button', { name });

const { world, newContext, signedIn, post, read } = usePanel(async () => {
  const goods = [
    { name: 'Tea, black', barcode: '4000000000017', price: '3.00' },
    { name: 'Tea, green, of the same box', barcode: '4000000000017', price: '4.00' },
    { name: 'Candle of a very long name that would push the totals off a narrow screen', sku: 'CANDLE', price: '1.50' },
  ];
  for (const product of goods) products.push((await post('/products', { product })).product.id);
  const settings = {
    tax: { mode: 'none' },
    opening_float: '150.00',
    store: { name: 'Lantern & Lace', address: '1 High Street' },
    receipt_printer: { enabled: true, header: 'Welcome', footer: 'Goods within 30 days' },
  };
  await world.staff('PATCH', '/settings', { settings });
  const reward = { name: 'A pound off', reward_type: 'discount', discount_amount: '1.00', points_required: 10 };
  await post('/loyalty_rewards', { loyalty_reward: reward });
  const context = await newContext({ viewport: narrow, colorScheme: 'dark', hasTouch: true });
  // What was printed, as it stood on the page at that moment.
  await context.addInitScript(`window.printed = []; window.print = () => {
    const [receipt, page] = [document.querySelector('.receipt'), document.querySelector('#main h1')];
    const { dataset } = document.documentElement;
    dataset.paper = receipt.offsetWidth;
    dataset.page = page.offsetWidth;
    dataset.printed = printed.push(receipt.innerText);
  }`);
  till = await signedIn('/register', context);
});

const printed = () => till.evaluate<string[]>('window.printed');

inBrowser('at the counter', () => {
  test('the drawer opens with the usual float', async () => {
    await button('Open').click();
    const asked = till.getByRole('dialog', { name: 'Open your cash drawer' });
    await asked.waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await asked.getByRole('button', { name: 'Open' }).click();
    await till.getByText('Open since').waitFor();
    expect((await read('/cash_drawer_sessions')).cash_drawer_sessions).toMatchObject([{ status: 'open', opening_float: '150.00' }]);
  });

  test('a code of two products asks which; keys count the newest line; a star keeps', async () => {
    await till.setViewportSize({ width: 1280, height: 860 });
    const search = till.getByLabel('Add a product');
    await search.focus();
    await till.keyboard.type('2*4000000000017');
    await till.keyboard.press('Enter');
    await till.getByText('2 products have the code 4000000000017').waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await button(/^Tea, green/).click();
    await holdsQuantity(till, 'Tea, green, of the same box', 2);
    const candles = (wanted: number) =>
      holdsQuantity(till, 'Candle of a very long name that would push the totals off a narrow screen', wanted);
    // A scanner that stalled: the field is empty then, so that keys are no text.
    await till.keyboard.type('CAN', { delay: 80 });
    await scanAnywhere(till, 'DLE', 200);
    await candles(1);
    await holdsValue(till, 'Add a product', '');
    await till.getByRole('dialog').waitFor({ state: 'detached' });
    // Both before the page has drawn the first.
    await till.evaluate(`for (let n = 0; n < 2; n++)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true, cancelable: true }))`);
    await candles(3);
    await till.keyboard.press('-');
    await candles(2);
    await till.keyboard.press('?');
    await till.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await till.keyboard.press('Escape');
    await button(/^Candle .* is a favourite$/).click();
    await search.focus();
    await till.keyboard.press('Delete');
    await till.getByLabel(/^Quantity of Candle/).waitFor({ state: 'detached' });
    await till
      .getByRole('group', { name: 'Favourites' })
      .getByRole('button', { name: /^Candle/ })
      .click();
    await candles(1);
    await till.setViewportSize({ width: 1280, height: 860 });
    // A field takes the same keys as text.
    await till.getByRole('combobox', { name: 'Customer' }).fill('+44/');
    expect(await till.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe('+44/');
    await candles(1);
  });

  test('at 360, 768, 1024 and 1280 pixels nothing is cut, and what is to pay is in view', async () => {
    for (const width of [360, 768, 1024, 1280]) {
      await till.setViewportSize({ width, height: 740 });
      await till.evaluate('scrollTo(0, 0)');
      await shown(till);
      expect([width, await cutButtons(till)]).toEqual([width, []]);
      expect([width, await till.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
      const pay = till.getByRole('button', { name: width < 992 ? 'Pay' : 'Take payment', exact: width < 992 });
      const box = (await pay.boundingBox())!;
      expect([width, box.y >= 0, box.y + box.height <= 740]).toEqual([width, true, true]);
    }
  });

  test('a customer is made without losing the cart, and redeems a reward', async () => {
    await till.setViewportSize({ width: 1280, height: 860 });
    await till.getByRole('combobox', { name: 'Customer' }).fill('Noor Haddad');
    await till.getByRole('option', { name: 'New customer: Noor Haddad' }).click();
    const form = till.getByRole('dialog', { name: 'New customer' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Noor Haddad');
    await form.getByLabel('Phone').fill('5550101234');
    await form.getByRole('button', { name: 'Save' }).click();
    await till.getByText('0 points').waitFor();
    const [customer] = (await read('/customers?q=Noor')).customers;
    await post(`/customers/${customer.id}/loyalty/adjust`, { points: 25, reason: 'Welcome' });
    await button('Remove the customer').click();
    await choose(till.getByRole('combobox', { name: 'Customer' }), /^Noor/, 'Noor');
    await till.getByText('25 points').waitFor();
    await button('Redeem A pound off').click();
    await till.getByRole('dialog').getByRole('button', { name: 'Redeem' }).click();
    await till.getByText('15 points').waitFor();
    await till.setViewportSize({ width: 1280, height: 860 });
    // 8.00 of tea and 1.50 for a candle, less the reward.
    await till.getByRole('status', { name: 'To pay' }).getByText('8.50').waitFor();
  });

  test('a paid sale prints its receipt once on 80 mm paper, and again when asked', async () => {
    await takePayment(till);
    await till.keyboard.type('10', { delay: 80 });
    await till.keyboard.press('Enter');
    await till.getByText(/^Sale R-/).waitFor();
    await till.locator('html[data-printed="1"]').waitFor({ state: 'attached' });
    // A tablet takes the page as it is behind print(): the receipt stays until the next key or touch.
    await till.evaluate('new Promise(requestAnimationFrame)');
    expect(await till.locator('.receipt').count()).toBe(1);
    await till.keyboard.press('Shift');
    await till.locator('.receipt').waitFor({ state: 'detached' });
    const [receipt] = await printed();
    for (const text of [
      'Lantern & Lace',
      '1 High Street',
      'Welcome',
      '2 × Tea, green',
      'Discount',
      '8.50',
      'Cash£10.00',
      'Change£1.50',
      '1.50',
      'Goods within 30 days',
    ]) {
      expect(receipt).toContain(text);
    }
    await button('Print the receipt').click();
    await till.locator('html[data-printed="2"]').waitFor({ state: 'attached' });
    await till.reload();
    await till.getByText(/^Sale R-/).waitFor();
    expect(await printed()).toEqual([]);
    // On paper there is the receipt and nothing else.
    await till.emulateMedia({ media: 'print' });
    await button('Print the receipt').click();
    await till.locator('html[data-printed="1"]').waitFor({ state: 'attached' });
    const { paper, page } = await till.evaluate<{ paper: string; page: string }>('({ ...document.documentElement.dataset })');
    expect([Number(paper) > 0, Number(paper) <= (paperWidthMm * 96) / 25.4, page]).toEqual([true, true, '0']);
    await till.emulateMedia({ media: 'screen' });
    // A sale that is voided says so on the receipt at once.
    const [{ id }] = (await read('/sales')).sales;
    await till.goto(`${world.baseUrl}/admin/sales/${id}`);
    await button('Print the receipt').click();
    await till.locator('html[data-printed="1"]').waitFor({ state: 'attached' });
    await button('Void the sale').click();
    await till.getByRole('dialog').getByRole('button', { name: 'Void the sale' }).click();
    await till.getByText('The sale is voided').waitFor();
    await button('Print the receipt').click();
    await till.locator('html[data-printed="2"]').waitFor({ state: 'attached' });
    expect((await printed()).map((text) => text.includes('VOIDED'))).toEqual([false, true]);
    await till.goto(`${world.baseUrl}/admin/register`);
    // The next customer's first piece is scanned before the receipt is read.
    await scan(till, 'CANDLE', 'Candle');
    const answered = await holdAnswer(till, 'GET', /\/sales\/\d+/);
    await takePayment(till);
    await till.keyboard.press('F6');
    await till.keyboard.press('Enter');
    await till.getByText(/^Sale R-/).waitFor();
    await scan(till, 'CANDLE', 'Candle');
    answered();
    await till.locator('html[data-printed="1"]').waitFor({ state: 'attached' });
    await button('Clear').click();
  });

  test('Clear ends a resumed sale that had a note; a drawer shows its difference', async () => {
    await till.reload();
    await scan(till, 'CANDLE', 'Candle of a very long name that would push the totals off a narrow screen');
    await till.keyboard.press('F8');
    await till.getByText(/^Parked as R-/).waitFor();
    await button(/^Note on R-/).click();
    const note = till.getByRole('dialog', { name: /^Note on R-/ });
    await note.getByLabel('Note').fill('Red coat');
    expect(await axeFindings(till)).toEqual([]);
    await till.keyboard.press('Enter');
    await till.getByText('Red coat').waitFor();
    expect(await cutButtons(till)).toEqual([]);
    await button(/^Resume/).click();
    await till.getByText('Continuing parked sale').waitFor();
    await button('Clear').click();
    await till.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await till.getByText(/was discarded$/).waitFor();
    expect((await read('/sales?status=pending')).sales.filter(({ status }: { status: string }) => status === 'pending')).toEqual([]);

    await button('Cash in or out').click();
    const cash = till.getByRole('dialog', { name: 'Cash in or out' });
    await cash.getByLabel('Amount').fill('8,50');
    await cash.getByLabel('Reason').fill('Milk');
    await shown(till);
    expect(await axeFindings(till)).toEqual([]);
    await cash.getByRole('button', { name: 'Book' }).click();
    await cash.waitFor({ state: 'detached' });

    await follow(till, '/admin/day');
    await till.getByText('Still open: 1.').waitFor();
    await follow(till, '/admin/register');
    await button('Count and close').click();
    const asked = till.getByRole('dialog', { name: 'Count and close your drawer' });
    await asked.getByLabel('Counted').fill('141.00');
    expect(await asked.getByText('141.50').count()).toBe(0);
    await asked.getByRole('button', { name: 'Close the drawer' }).click();
    const counted = till.getByRole('dialog', { name: 'The drawer is closed' });
    await counted.getByText('is missing').waitFor();
    await counted.getByText('141.50').waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await counted.getByRole('button', { name: 'Done' }).click();
    // However soon.
    await follow(till, '/admin/day');
    await till.getByText('Still open: 0.').waitFor();
    await follow(till, '/admin/register');
  });

  test('a scan is paid with two keys, cash with change three, three tenders six actions', async () => {
    await till.reload();
    let actions = 0;
    const press = async (key: string) => {
      actions++;
      await till.keyboard.press(key);
    };
    const type = async (text: string) => {
      actions++;
      await till.keyboard.type(text, { delay: 80 });
    };
    const paid = async () => {
      await till.getByText(/^Sale R-/).waitFor();
      const [{ id }] = (await read('/sales?per_page=1')).sales;
      const taken = actions;
      actions = 0;
      const { payments } = await read(`/sales/${id}/payments`);
      return [taken, ...payments.map(({ method, amount }: { method: string; amount: string }) => `${method} ${amount}`)];
    };
    const open = async () => {
      await scan(till, 'CANDLE', 'Candle of a very long name that would push the totals off a narrow screen');
      await press('F4');
      await till.getByLabel('Cash received').and(till.locator(':focus')).waitFor();
    };
    await open();
    await press('Enter');
    expect(await paid()).toEqual([2, 'cash 1.50']);
    await open();
    await type('2');
    await press('Enter');
    expect(await paid()).toEqual([3, 'cash 1.50']);
    await open();
    await type('0.50');
    await press('F6');
    await type('0.25');
    await press('F7');
    await press('Enter');
    expect(await paid()).toEqual([6, 'cash 0.50', 'debit 0.25', 'credit 0.75']);
  });

  test('while the store is away a bar says so; scans become lines once it is back', async () => {
    await till.route(/\/api\/v1\//, (route) => route.abort('connectionrefused'));
    await till.getByLabel('Add a product').focus();
    await till.keyboard.type('UNSEEN-1');
    await till.keyboard.press('Enter');
    await till.getByText('The store cannot be reached').first().waitFor();
    await till.getByText(/1 scan waits/).waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await post('/products', { product: { name: 'Unseen', sku: 'UNSEEN-1', price: '2.00' } });
    await till.unroute(/\/api\/v1\//);
    await holdsQuantity(till, 'Unseen', 1);
    await till.getByText('The store cannot be reached').waitFor({ state: 'detached' });
  });
});
