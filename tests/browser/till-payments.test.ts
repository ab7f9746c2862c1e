/** What a clerk takes for a sale: gift cards in two tenders, payments that are refused, parts of what is weighed. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { holdAnswer } from './answers.ts';
import { axeFindings, missingChromium } from './chromium.ts';
import { inBrowser, sellGoods, testWithinMs, usePanel } from './panel.ts';
import { holdsQuantity, holdsValue, scan, scanAnywhere, scanInParts, takePayment } from './till.ts';

let page: Page;

const post = (path: string, body: unknown) => world.staff('POST', path, body);

const { world, newContext, signedIn } = usePanel(async () => {
  await sellGoods(world, { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Bowl: ['2144', '3.39'] });
});

beforeEach(async () => {
  if (!missingChromium) page = await signedIn('/register', await newContext());
}, testWithinMs);
afterEach(() => page?.context().close());

inBrowser('a sale at the till', () => {
  test(
    'counts a gift card that is scanned twice once, and stays as typed when refused',
    async () => {
      const { gift_card: card } = await post('/gift_cards', { gift_card: { card_number: 'GC-777-3', amount: '2.00' } });
      await scan(page, '2144', 'Bowl');
      const dialog = await takePayment(page);
      for (const left of ['1.39 is still to pay', 'Every payment needs an amount']) {
        await page.keyboard.press('F9');
        await scanAnywhere(page, 'GC-777-3');
        await dialog.getByText(left).waitFor();
      }
      await dialog.getByText('£0.00 available').waitFor();
      await dialog.getByRole('button', { name: 'Remove this payment' }).last().click();
      await page.keyboard.press('F6');
      await dialog.getByText('Paid in full').waitFor();
      // Its holder spends some of it elsewhere.
      await post(`/gift_cards/${card.id}/adjust`, { amount: -1, reason: 'Spent elsewhere' });
      await dialog.getByRole('button', { name: 'Complete the sale' }).click();
      await page.getByText('has only 1.00 available').waitFor();
      await page.keyboard.press('F4');
      await dialog.getByText('1.00 is still to pay').waitFor();
      const amounts = async () => Promise.all((await dialog.getByLabel('Amount').all()).map((field) => field.inputValue()));
      expect(await amounts()).toEqual(['1.00', '1.39']);
      expect(await dialog.getByLabel('Gift card number').inputValue()).toBe('GC-777-3');
      await dialog.getByLabel('Amount').last().fill('2.39');
      await dialog.getByText('Paid in full').waitFor();
      await dialog.getByRole('button', { name: 'Complete the sale' }).click();
      await page.getByText(/^Sale R-/).waitFor();
      // The next sale has none of it. A card that has little is replaced by one that has enough.
      await scan(page, '21448', 'Lamp');
      await takePayment(page);
      expect(await dialog.getByLabel('Gift card number').count()).toBe(0);
      await post('/gift_cards', { gift_card: { card_number: 'GC-777-5', amount: '0.10' } });
      await post('/gift_cards', { gift_card: { card_number: 'GC-777-6', amount: '5.00' } });
      await page.keyboard.type('5');
      await page.keyboard.press('F9');
      await scanAnywhere(page, 'GC-777-5');
      await holdsValue(page, 'Amount', '0.10');
      await scanAnywhere(page, 'GC-777-6');
      await holdsValue(page, 'Amount', '0.52');
      await page.keyboard.press('Escape');
    },
    testWithinMs,
  );

  test(
    'is of a part of a product where that is weighed, and of nothing else',
    async () => {
      await post('/products', { product: { name: 'Ham', barcode: '5012345678931', price: '12.40', unit_type: 'gram' } });
      await page.getByLabel('Add a product').focus();
      await page.keyboard.type('1,5*', { delay: 80 });
      await scanAnywhere(page, '5012345678931');
      await holdsValue(page, 'Quantity of Ham', '1.5');
      // A slow machine cuts the times off: nothing of them stays for the next code.
      await page.keyboard.type('2');
      await scanAnywhere(page, '*21448', 200);
      await holdsValue(page, 'Quantity of Lamp', '2');
      await holdsValue(page, 'Add a product', '');
      await page.keyboard.type('0.5*', { delay: 80 });
      await scanAnywhere(page, '22418');
      const unsold = '0.5 of Globe cannot be sold: scan it again';
      const shown = page.getByText(unsold).waitFor();
      await shown.catch(async () => expect(await page.getByRole('main').innerText()).toContain(unsold));
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Seen' }).click();
      expect(await page.getByLabel('Quantity of Globe').count()).toBe(0);
    },
    testWithinMs,
  );

  test(
    'has what is scanned while its quantity has the focus, besides what is typed',
    async () => {
      await scan(page, '22418', 'Globe');
      const quantity = page.getByLabel('Quantity of Globe');
      await quantity.focus();
      for (const count of ['2', '3']) {
        await scanAnywhere(page, '22418');
        await holdsValue(page, 'Quantity of Globe', count);
      }
      await quantity.fill('10');
      await scanAnywhere(page, '22418');
      await holdsValue(page, 'Quantity of Globe', '11');
      await page.getByLabel('Add a product').focus();
      await page.getByText('£9.35').first().waitFor();
      expect(await quantity.inputValue()).toBe('11');
      await page.getByRole('button', { name: 'Clear' }).click();
    },
    testWithinMs,
  );

  test(
    'takes a card number while the price comes, and Enter once its field is gone',
    async () => {
      await post('/gift_cards', { gift_card: { card_number: 'GC-777-4', amount: '20.00' } });
      await scan(page, '2144', 'Bowl');
      const priced = await holdAnswer(page, 'POST', /dry_run=true/);
      await page.keyboard.press('+');
      await holdsValue(page, 'Quantity of Bowl', '2');
      await focusDialogsAfter(page, 500);
      await page.keyboard.press('F4');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await page.keyboard.press('F9');
      await dialog.getByLabel('Gift card number').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('GC-7', { delay: 200 });
      priced();
      await dialog.getByText('6.78').waitFor();
      await page.keyboard.type('77-4');
      await page.keyboard.press('Enter');
      await dialog.getByText('20.00 available').waitFor();
      await page.keyboard.press('F6');
      await dialog.getByLabel('Amount').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(/^Sale R-/).waitFor();
    },
    testWithinMs,
  );
});

inBrowser('a scan at the till', () => {
  test(
    'pays and takes off nothing, whatever comes in between its keys',
    async () => {
      await scan(page, '21448', 'Lamp');
      await page.getByLabel('Add a product').focus();
      await scanInParts(page, '224', () => takePayment(page), '18', 5);
      await page.getByText('22418 is kept until the payment ends').waitFor();
      await holdsValue(page, 'Cash received', '0.52');
      await page.keyboard.press('Escape');
      await holdsQuantity(page, 'Globe', 1);
      await holdsValue(page, 'Add a product', '');
      // A scanner that stalls behind its first key.
      await page.getByLabel('Discount on the sale').focus();
      await scanInParts(page, '2', async () => undefined, '2418', 400);
      await holdsQuantity(page, 'Globe', 2);
      await holdsValue(page, 'Discount on the sale', '');
    },
    testWithinMs,
  );

  test(
    'of a loyalty card chooses its customer, and takes nobody off the sale',
    async () => {
      await world.create('/customers', { customer: { name: 'Mara Finch', loyalty_card_number: 'LC-100001' } });
      await world.create('/customers', { customer: { name: 'Ove Berg', loyalty_card_number: 'LC-100002' } });
      await scan(page, '21448', 'Lamp');
      await scanAnywhere(page, 'LC-100001');
      await page.getByRole('button', { name: 'Remove the customer' }).waitFor();
      await scanAnywhere(page, 'LC-100002');
      await page.getByText('This sale is of Mara Finch: take them off before the card of Ove Berg is scanned').waitFor();
      await page.getByRole('button', { name: 'Seen' }).click();
      await scanAnywhere(page, 'LC-100003');
      await page.getByText('LC-100003').waitFor();
      expect(await page.getByText('Mara Finch').count()).toBe(1);
    },
    testWithinMs,
  );
});

/** A dialog puts the focus into its first field by a timer, which is late on a slow machine. */
async function focusDialogsAfter(till: Page, ms: number): Promise<void> {
  await till.evaluate(`{
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (run, delay = ${ms}, ...rest) => setTimeout(run, delay, ...rest);
  }`);
}
