/** Answers of the store that come late or never: nothing that was scanned is lost, and nothing counts twice. */
import { expect } from '@jest/globals';
import { holdAnswer, loseAnswer } from './answers.ts';
import { axeFindings } from './chromium.ts';
import { inBrowser, page, test, useShop } from './panel.ts';
import { choose, complete, holdsQuantity, holdsValue, park, scan, scanAnywhere, takePayment } from './till.ts';

const sales = async () => (await read('/sales?per_page=100')).sales as { status: string; total: string }[];
const button = (name: string | RegExp) => page.getByRole('button', { name });
const lineCount = () => page.getByLabel(/^Quantity of/).count();
const toPay = (text: string) => page.getByRole('status', { name: 'To pay' }).getByText(text).waitFor();

const { world, ids, post, read } = useShop('/register', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Pin: ['77', '0.10'] });

inBrowser('a late answer', () => {
  test('to Resume takes scans made meanwhile into that sale; to Discard ends no payment', async () => {
    await scan(page, '22418', 'Globe');
    const receipt = await park(page);
    const read = await holdAnswer(page, 'GET', /\/api\/v1\/sales\/\d+(\?|$)/);
    await button(`Resume ${receipt}`).click();
    await scanAnywhere(page, '21448');
    await page.getByText('21448 is kept until this is done').waitFor();
    read();
    await holdsQuantity(page, 'Globe', 1);
    await holdsQuantity(page, 'Lamp', 1);
    await page.unrouteAll();

    const discarded = await holdAnswer(page, 'GET', /\/api\/v1\/sales\/\d+(\?|$)/);
    await button('Clear').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await scanAnywhere(page, '21448');
    await holdsQuantity(page, 'Lamp', 1);
    await page.keyboard.press('F4');
    await page.getByText('Wait until the sale is discarded').waitFor();
    discarded();
    await button(`Discard ${receipt}`).waitFor({ state: 'detached' });
    await takePayment(page);
    await complete(page);
    expect((await sales()).map(({ status, total }) => [status, total]).toSorted()).toEqual([
      ['completed', '0.52'],
      ['voided', '0.85'],
    ]);
  });

  test("to a payment's price keeps the till from parking the goods, and Enter waits", async () => {
    const before = (await sales()).length;
    const priced = await holdAnswer(page, 'POST', /\/api\/v1\/sales\?dry_run/);
    await scanAnywhere(page, '22418');
    await page.keyboard.press('F4');
    await page.getByRole('dialog').getByLabel('Cash received').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('F8');
    await page.keyboard.type('1', { delay: 80 });
    await page.keyboard.press('Enter');
    priced();
    await page.getByText(/^Sale R-/).waitFor();
    await page.getByText('0.15').waitFor();
    expect((await sales()).slice(before).length).toBe(1);
    expect((await sales()).filter(({ status }) => status === 'pending')).toEqual([]);
  });

  test('of the search takes no scan: it is a line, and what was typed stays', async () => {
    const search = page.getByLabel('Add a product');
    await search.pressSequentially('glo', { delay: 80 });
    await page.getByRole('option', { name: /^Globe/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await scanAnywhere(page, '21448');
    await holdsQuantity(page, 'Lamp', 1);
    await holdsValue(page, 'Add a product', 'glo');
    expect(await lineCount()).toBe(1);
    await search.fill('');
    // Where no field has the focus, short codes and what stands before a code go into the search.
    await page.evaluate('document.activeElement.blur()');
    await scanAnywhere(page, '77');
    await holdsQuantity(page, 'Pin', 1);
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.type('3*', { delay: 80 });
    await scanAnywhere(page, '22418');
    await holdsQuantity(page, 'Globe', 3);
    await page.getByLabel('Quantity of Globe').focus();
    await scanAnywhere(page, '77');
    await holdsQuantity(page, 'Pin', 2);
    await holdsQuantity(page, 'Globe', 3);
    await button('Clear').click();
  });

  test('or a reward keeps the till until it is in its sale; its gift goes with its line', async () => {
    const { customer } = await post('/customers', { customer: { name: 'Ada Bell' } });
    await post(`/customers/${customer.id}/loyalty/adjust`, { points: 500, reason: 'Welcome' });
    const reward = { name: 'A globe', points_required: 10, reward_type: 'free_product', product_id: ids.Globe };
    await post('/loyalty_rewards', { loyalty_reward: reward });
    await scan(page, '21448', 'Lamp');
    await choose(page.getByRole('combobox', { name: 'Customer' }), /^Ada/, 'Ada');
    const given = await holdAnswer(page, 'GET', /\/api\/v1\/products\/\d+$/);
    await button('Redeem A globe').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeem' }).click();
    await page.keyboard.press('F4');
    await page.getByText('Wait until the reward is given').waitFor();
    given();
    await holdsQuantity(page, 'Globe', 1);
    const receipt = await park(page);
    // As another till: this one keeps nothing of it.
    await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    await page.goto(`${world.baseUrl}/admin/register`);
    await button(`Resume ${receipt}`).click();
    await page.getByText('★ A globe').waitFor();
    await button('Remove Globe').click();
    await toPay('0.52');
    await page.getByLabel('Discount on the sale').fill('0.02');
    await park(page);
    await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    await page.goto(`${world.baseUrl}/admin/register`);
    await button(`Resume ${receipt}`).click();
    await page.getByText('If a reward gave it').waitFor();
  });

  test('to a redemption takes no points without the reward, even if the clerk gives up', async () => {
    const { customer } = await post('/customers', { customer: { name: 'Eve Moss' } });
    await post(`/customers/${customer.id}/loyalty/adjust`, { points: 95, reason: 'Welcome' });
    await post('/loyalty_rewards', {
      loyalty_reward: { name: 'Some off', points_required: 90, reward_type: 'discount', discount_amount: '0.10' },
    });
    const pointsNow = async () => (await read(`/customers/${customer.id}/loyalty`)).loyalty.loyalty_points;
    await scan(page, '21448', 'Lamp');
    await choose(page.getByRole('combobox', { name: 'Customer' }), /^Eve/, 'Eve');
    const path = /\/loyalty\/redeem$/;
    await loseAnswer(page, 'POST', path, Number.POSITIVE_INFINITY);
    await button('Redeem Some off').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeem' }).click();
    await button('Stop asking, and look at the points').click();
    await page.getByText('Eve Moss has 5 points now').waitFor();
    await button('Go on without the reward').click();
    await toPay('0.52');
    await page.getByText('The points for Some off may be taken').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.unroute(path);
    await button('Ask again: it counts once').click();
    await toPay('0.42');
    await page.getByText('The points for Some off may be taken').waitFor({ state: 'detached' });
    expect(await pointsNow()).toBe(5);
    await button('Clear').click();
  });

  test('about a gift card is waited for before the sale is completed', async () => {
    await post('/gift_cards', { gift_card: { card_number: 'GC-778-1', amount: '0.20' } });
    await scan(page, '21448', 'Lamp');
    await takePayment(page);
    const lookedUp = await holdAnswer(page, 'GET', /\/gift_cards\/lookup/);
    await page.keyboard.press('F9');
    await scanAnywhere(page, 'GC-778-1');
    await page.getByText('The gift card is looked up').waitFor();
    expect(await button('Complete the sale').isDisabled()).toBe(true);
    lookedUp();
    await page.getByText('0.32 is still to pay').waitFor();
  });

  test('about a price shows none, and to a payment that it is waited for', async () => {
    await scan(page, '21448', 'Lamp');
    await toPay('0.52');
    const priced = await holdAnswer(page, 'POST', /dry_run=true/);
    await scan(page, '22418', 'Globe');
    await toPay('–');
    priced();
    await toPay('1.37');
    const paid = await holdAnswer(page, 'POST', /\/api\/v1\/sales$/);
    await takePayment(page);
    await page.keyboard.press('Enter');
    await page.getByText('The store has not answered yet. It is waited for.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    paid();
    await page.getByText(/^Sale R-/).waitFor();
  });
});
