/** Slips of a hand or a scanner at the till and in the stock room: none of them moves money or goods. */
import { expect } from '@jest/globals';
import { holdAnswer, lateAnswer, loseAnswer } from './answers.ts';
import { axeFindings } from './chromium.ts';
import { inBrowser, page, test, useShop } from './panel.ts';
import { choose, complete, holdsQuantity, holdsValue, park, scan, scanAnywhere, takePayment } from './till.ts';

const stockOf = async (name: string) => (await read(`/products/${ids[name]}`)).product.current_stock;
const salesOf = async (status: string) =>
  (await read('/sales?per_page=100')).sales.filter((sale: { status: string }) => sale.status === status);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const toPay = (text: string) => page.getByRole('status', { name: 'To pay' }).getByText(text).waitFor();

async function discard(receipt: string): Promise<void> {
  await button(`Discard ${receipt}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await button(`Discard ${receipt}`).waitFor({ state: 'detached' });
}

async function redeem(name: string): Promise<void> {
  await button(`Redeem ${name}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Redeem' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** As a hand does. */
async function type(text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 80 });
  await page.keyboard.press('Enter');
}

const { world, ids, post, read } = useShop('/register', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Bowl: ['2144', '3.39'] });

inBrowser('a slip', () => {
  test('of the scanner into cash is a line, not cash; improbable cash is asked about', async () => {
    const before = (await salesOf('completed')).length;
    await scan(page, '21448', 'Lamp');
    await takePayment(page);
    await scanAnywhere(page, '22418');
    await page.getByText('22418 is kept until the payment ends').waitFor();
    await holdsValue(page, 'Cash received', '0.52');
    await page.keyboard.press('Escape');
    await holdsQuantity(page, 'Globe', 1);
    expect(await salesOf('completed')).toHaveLength(before);
    await toPay('1.37');
    await takePayment(page);
    await type('21448');
    await page.getByText('Is £21,446.63 the change?').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await salesOf('completed')).toHaveLength(before);
    await page.keyboard.press('Enter');
    await page.getByText(/^Sale R-/).waitFor();
  });

  test('is undone beside what was scanned since, and no longer once the sale is paid', async () => {
    await scan(page, '22418', 'Globe');
    await scan(page, '21448', 'Lamp');
    await page.keyboard.press('Delete');
    await scan(page, '2144', 'Bowl');
    await scan(page, '2144', 'Bowl', 2);
    await button('Undo').click();
    await holdsQuantity(page, 'Lamp', 1);
    await holdsQuantity(page, 'Bowl', 2);
    await holdsQuantity(page, 'Globe', 1);
    await page.getByLabel('Add a product').focus();
    await page.keyboard.press('Delete');
    await button('Undo').waitFor();
    await takePayment(page);
    await complete(page);
    await button('Undo').waitFor({ state: 'detached' });
  });

  test('of Resume parks the sale before', async () => {
    await scan(page, '22418', 'Globe');
    const first = await park(page);
    await scan(page, '21448', 'Lamp', 1);
    await button(`Resume ${first}`).click();
    await holdsQuantity(page, 'Globe', 1);
    expect(await page.getByLabel('Quantity of Lamp').count()).toBe(0);
    const parked: { receipt_number: string; total: string }[] = await salesOf('pending');
    expect(parked.map(({ total }) => total).toSorted()).toEqual(['0.52', '0.85']);
    for (const { receipt_number } of parked) await discard(receipt_number);
  });

  test('of Escape asks before it ends a parked sale', async () => {
    await scan(page, '22418', 'Globe');
    const receipt = await park(page);
    await button(`Resume ${receipt}`).click();
    await holdsQuantity(page, 'Globe', 1);
    const asked = page.getByRole('dialog', { name: `Discard ${receipt}?` });
    await page.keyboard.press('Escape');
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await holdsQuantity(page, 'Globe', 1);
    expect(await salesOf('pending')).toContainEqual(expect.objectContaining({ receipt_number: receipt }));
    await discard(receipt);
  });

  test('of Resume takes no sale that has just moved under the hand', async () => {
    await scan(page, '22418', 'Globe');
    const first = await park(page);
    await button(`Resume ${first}`).scrollIntoViewIfNeeded();
    await scan(page, '21448', 'Lamp');
    const late = await lateAnswer(page, 'GET', /status=pending/);
    const second = await park(page);
    const { x, y, width, height } = (await button(`Resume ${first}`).boundingBox())!;
    // A hand that is on its way to the first one as the second comes above it.
    await page.evaluate(`new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[aria-label="Resume ${second}"]')) return;
      observer.disconnect();
      const under = document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.closest('button');
      document.documentElement.dataset.under = under?.ariaLabel;
      under?.click();
    }).observe(document.body, { childList: true, subtree: true })`);
    late();
    await page.locator(`html[data-under="Resume ${second}"]`).waitFor({ state: 'attached' });
    await page.locator(`[aria-label="Resume ${second}"]:enabled`).waitFor();
    expect(await page.getByText('Continuing parked sale').count()).toBe(0);
    for (const receipt of [first, second]) await discard(receipt);
  });

  test('while the sale is being stored is no part of it, and is told after it', async () => {
    const release = await holdAnswer(page, 'POST', /\/api\/v1\/sales$/);
    await scan(page, '21448', 'Lamp');
    await takePayment(page);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await scanAnywhere(page, '22418');
    await page.getByText('22418 is kept until the payment ends').waitFor();
    // The message goes by itself: it is waited for before the key is pressed.
    await Promise.all([page.getByText('Wait until the sale is stored').waitFor(), page.keyboard.press('+')]);
    release();
    await page.getByText(/^Sale R-/).waitFor();
    await page.getByText('22418 was scanned while a payment was open: scan it again').waitFor();
    const [{ total }] = await salesOf('completed');
    expect([total, await page.getByLabel(/^Quantity of/).count()]).toEqual(['0.52', 0]);
  });

  test('of who stops asking for an answer sells nothing twice', async () => {
    const before = (await salesOf('completed')).length;
    await loseAnswer(page, 'POST', /\/api\/v1\/sales$/, Number.POSITIVE_INFINITY);
    await scan(page, '21448', 'Lamp');
    await takePayment(page);
    await page.keyboard.press('Enter');
    await button('Stop asking, and look it up under Sales').click();
    await button('It is not under Sales').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('F4');
    await page.reload();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unroute(/\/api\/v1\/sales$/);
    // A refusal of who asks says nothing of what was sent before.
    let refusals = 1;
    await page.route(/\/api\/v1\/sales$/, (route) =>
      route.request().method() === 'POST' && refusals-- > 0
        ? route.fulfill({ status: 403, json: { error: 'Forbidden' } })
        : route.fallback(),
    );
    await button('Ask again: it counts once').click();
    await page.getByText(/^Sale R-/).waitFor();
    expect(await salesOf('completed')).toHaveLength(before + 1);
  });

  test('of an answer that is lost for a day sends nothing again by itself', async () => {
    const before = (await salesOf('completed')).length;
    await loseAnswer(page, 'POST', /\/api\/v1\/sales$/, Number.POSITIVE_INFINITY);
    await scan(page, '21448', 'Lamp');
    await takePayment(page);
    await page.keyboard.press('Enter');
    await button('Stop asking, and look it up under Sales').waitFor();
    // The store has forgotten the key by then.
    await page.clock.setFixedTime(Number(world.clock.now()) + 25 * 3_600_000);
    await page.getByText('It was sent more than a day ago').waitFor();
    await page.unroute(/\/api\/v1\/sales$/);
    await button('Go on').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await holdsQuantity(page, 'Lamp', 1);
    expect(await salesOf('completed')).toHaveLength(before + 1);
  });

  test('of a key goes into a quantity, and leaves the cursor for the next scan', async () => {
    await scan(page, '21448', 'Lamp');
    await page.getByLabel('Quantity of Lamp').fill('3');
    await takePayment(page);
    await page.getByRole('dialog').getByText('1.56').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Quantity of Lamp').fill('4');
    const receipt = await park(page);
    expect(await salesOf('pending')).toContainEqual(expect.objectContaining({ receipt_number: receipt, total: '2.08' }));
    await discard(receipt);
    await scan(page, '21448', 'Lamp');
    await page.getByLabel('Discount on the sale').fill('0.02');
    await takePayment(page);
    await complete(page);
    await page.getByLabel('Add a product').and(page.locator(':focus')).waitFor();
    await scan(page, '21448', 'Lamp');
    await page.getByLabel('Quantity of Lamp').fill('0');
    await page.keyboard.press('Enter');
    await page.getByLabel('Quantity of Lamp').waitFor({ state: 'detached' });
    expect(await button('Undo').count()).toBe(1);
  });

  test('of another till that changes the parked sale is shown first, with what was added', async () => {
    await scan(page, '21448', 'Lamp');
    const receipt = await park(page);
    await button(`Resume ${receipt}`).click();
    await holdsQuantity(page, 'Lamp', 1);
    await scan(page, '2144', 'Bowl');
    const { id } = (await salesOf('pending')).find((sale: { receipt_number: string }) => sale.receipt_number === receipt);
    const line_items = [
      { product_id: ids.Lamp, quantity: 1 },
      { product_id: ids.Globe, quantity: 1 },
    ];
    await world.call('PATCH', `/sales/${id}`, { token: world.store.token, body: { sale: { line_items } } });
    await takePayment(page);
    await page.keyboard.press('Enter');
    await page.getByText(`${receipt} was changed at another till: this is how it is now`).waitFor();
    await page.getByText('What you changed here since is kept').waitFor();
    await holdsQuantity(page, 'Globe', 1);
    await holdsQuantity(page, 'Bowl', 1);
    await toPay('4.76');
    await takePayment(page);
    await complete(page);
    expect((await read(`/sales/${id}`)).sale).toMatchObject({ status: 'completed', total: '4.76' });
  });

  test('of the pencil, a note on the sale that is continued, changes nothing else of it', async () => {
    await scan(page, '21448', 'Lamp');
    const receipt = await park(page);
    await button(`Resume ${receipt}`).click();
    await holdsQuantity(page, 'Lamp', 1);
    await scan(page, '22418', 'Globe');
    await button(`Note on ${receipt}`).click();
    await page.getByRole('dialog').getByLabel('Note').fill('Mrs Hill');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await takePayment(page);
    expect(await complete(page)).toBe(receipt);
    await button(`Resume ${receipt}`).waitFor({ state: 'detached' });
    const { sales } = await read('/sales?per_page=100&include=note');
    const stored = { receipt_number: receipt, status: 'completed', total: '1.37', note: 'Mrs Hill' };
    expect(sales).toContainEqual(expect.objectContaining(stored));
  });

  test('behind a reward takes off no more than is to pay, and goes with its gift', async () => {
    const { customer } = await post('/customers', { customer: { name: 'Noor Haddad' } });
    await post(`/customers/${customer.id}/loyalty/adjust`, { points: 500, reason: 'Welcome' });
    await post('/loyalty_rewards', {
      loyalty_reward: { name: 'Five off', points_required: 10, reward_type: 'discount', discount_amount: '5.00' },
    });
    await post('/loyalty_rewards', {
      loyalty_reward: { name: 'A globe', points_required: 10, reward_type: 'free_product', product_id: ids.Globe },
    });
    await scan(page, '2144', 'Bowl');
    await choose(page.getByRole('combobox', { name: 'Customer' }), /^Noor/, 'Noor');
    await redeem('A globe');
    await holdsQuantity(page, 'Globe', 1);
    await toPay('3.39');
    await page.getByLabel('Add a product').focus();
    await page.keyboard.press('Delete');
    await page.getByLabel('Quantity of Globe').waitFor({ state: 'detached' });
    await toPay('3.39');
    expect(await page.getByLabel('Discount on the sale').inputValue()).toBe('');
    await redeem('Five off');
    await toPay('0.00');
    expect(await page.getByLabel('Discount on the sale').inputValue()).toBe('3.39');
    const receipt = await park(page);
    await button(`Resume ${receipt}`).click();
    await holdsQuantity(page, 'Bowl', 1);
    await button('Remove the customer').click();
    await toPay('3.39');
    // A slip of the hand takes no points for nothing.
    await page.getByText('Noor Haddad was removed, with what the points gave').waitFor();
    await button('Undo').click();
    await toPay('0.00');
    await page.getByText('Customer Noor Haddad').waitFor();
    await button('Remove the customer').click();
    await toPay('3.39');
    // What the store refuses is no price.
    await page.getByLabel('Discount on the sale').fill('4');
    await toPay('–');
  });

  test('of a minus books no cash into the drawer', async () => {
    await button('Open').click();
    await page.getByRole('dialog').getByLabel('Cash in it now').fill('100');
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
    await button('Cash in or out').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('-5');
    await dialog.getByLabel('Reason').fill('Milk');
    await page.keyboard.press('Enter');
    await dialog.getByText('This is not an amount').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Amount').fill('5');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const [drawer] = (await read('/cash_drawer_sessions')).cash_drawer_sessions;
    expect(drawer).toMatchObject({ opening_float: '100.00', expected: '95.00' });
  });

  test('while stock is counted or ordered records nothing, and loses no scan', async () => {
    await page.goto(`${world.baseUrl}/admin/stock/count`);
    await page.getByLabel('Add a product').focus();
    for (const code of ['22418', 'unknown-1', '21448', '22418']) await scanAnywhere(page, code);
    await page.getByText('No product has the code unknown-1').waitFor();
    await holdsValue(page, 'Counted of Globe', '2');
    await page.getByLabel('Counted of Globe').click();
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Counted of Globe', '3');
    await page.getByLabel('Counted of Lamp').fill('530');
    await page.keyboard.press('Enter');
    expect((await read('/stock_adjustments?adjustment_type=inventory')).stock_adjustments).toEqual([]);
    await button('Record the count').click();
    await page.getByText('The count is recorded').waitFor();
    expect([await stockOf('Globe'), await stockOf('Lamp')]).toEqual([3, 530]);

    await page.goto(`${world.baseUrl}/admin/purchase-orders/new`);
    await page.getByLabel('Add a product').focus();
    await scanAnywhere(page, '2144');
    await page.getByLabel('Quantity of Bowl').fill('6');
    await page.keyboard.press('Enter');
    await page.getByLabel('Unit price of Bowl').fill('2,50');
    await page.keyboard.press('Enter');
    expect((await read('/purchase_orders')).purchase_orders).toEqual([]);
    await button('Create the order').click();
    const before = await stockOf('Bowl');
    await page.getByLabel('Arrives now: Bowl').fill('6');
    await page.keyboard.press('Enter');
    await scanAnywhere(page, '2144');
    await holdsValue(page, 'Arrives now: Bowl', '7');
    await scanAnywhere(page, '22418');
    await page.getByText('Globe is not expected here').waitFor();
    expect(await stockOf('Bowl')).toBe(before);
    const [{ id }] = (await read('/purchase_orders')).purchase_orders;
    expect((await read(`/purchase_orders/${id}`)).purchase_order.line_items).toMatchObject([{ quantity_ordered: 6, unit_price: 2.5 }]);
  });

  test('of Save leaves the last day of a gift card as it is', async () => {
    const { gift_card } = await post('/gift_cards', { gift_card: { card_number: 'GC-777-2', amount: '2.00', expires_at: '2031-12-31' } });
    await page.goto(`${world.baseUrl}/admin/gift-cards`);
    await page.getByLabel('Card number').fill('GC-777-2');
    await page.keyboard.press('Enter');
    await button('Change the expiry').click();
    expect(await page.getByRole('dialog').getByLabel('Last day').inputValue()).toBe('2031-12-31');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The expiry is changed').waitFor();
    expect((await read(`/gift_cards/${gift_card.id}`)).gift_card.expires_at).toBe(gift_card.expires_at);
  });
});
