/** What a clerk takes for a sale: gift cards in two tenders, payments that are refused, parts of what is weighed. */
import { expect } from '@jest/globals';
import { holdAnswer } from './answers.ts';
import { axeFindings, follow } from './chromium.ts';
import { inBrowser, page, test, useShop } from './panel.ts';
import {
  focusDialogsAfter,
  holdsQuantity,
  holdsValue,
  park,
  scan,
  scanAnywhere,
  scanAroundKey,
  scanBehindHand,
  scanInParts,
  scanStalled,
  takePayment,
} from './till.ts';

const { world, post } = useShop('/register', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Bowl: ['2144', '3.39'] });

inBrowser('a sale at the till', () => {
  test('counts a gift card that is scanned twice once, and stays as typed when refused', async () => {
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
    const { sales } = await world.staff('GET', '/sales?per_page=1');
    const { payments } = await world.staff('GET', `/sales/${sales[0].id}/payments`);
    const texts = payments.map(({ method, amount }: { method: string; amount: string }) => `${method} ${amount}`);
    expect(texts).toEqual(['gift_card 1.00', 'debit 2.39']);
    // The next sale has none of it. A card that has little is replaced by one that has enough.
    await scan(page, '21448', 'Lamp');
    await takePayment(page);
    expect(await dialog.getByLabel('Gift card number').count()).toBe(0);
    await post('/gift_cards', { gift_card: { card_number: 'GC-777-5', amount: '0.10' } });
    await post('/gift_cards', { gift_card: { card_number: 'GC-777-6', amount: '5.00' } });
    // What is typed behind another method replaces the amount.
    await page.keyboard.type('20');
    await page.keyboard.press('F6');
    await page.keyboard.type('0.52');
    await holdsValue(page, 'Amount', '0.52');
    await page.keyboard.press('F5');
    await page.keyboard.type('5');
    await page.keyboard.press('F9');
    await scanAnywhere(page, 'GC-777-5');
    await holdsValue(page, 'Amount', '0.10');
    await scanAnywhere(page, 'GC-777-6');
    await holdsValue(page, 'Amount', '0.52');
    await page.keyboard.press('Escape');
  });

  test('has no change of cash that nobody typed', async () => {
    await scan(page, '2144', 'Bowl');
    const dialog = await takePayment(page);
    await dialog.getByRole('button', { name: 'Add another payment' }).click();
    await dialog.getByLabel('Cash received').last().fill('1');
    await holdsValue(page, dialog.getByLabel('Cash received').first(), '2.39');
    await dialog.getByText('Paid in full').waitFor();
    expect(await dialog.getByText('Change').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  test('is of a part of a product where that is weighed, and of nothing else', async () => {
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
    await page.keyboard.type('3*2', { delay: 80 });
    await scanAnywhere(page, '1448', 200);
    await holdsValue(page, 'Quantity of Lamp', '5');
    await holdsValue(page, 'Add a product', '');
    await page.keyboard.type('0.5*', { delay: 80 });
    await scanAnywhere(page, '22418');
    const unsold = '0.5 of Globe cannot be sold: scan it again';
    const shown = page.getByText(unsold).waitFor();
    await shown.catch(async () => expect(await page.getByRole('main').innerText()).toContain(unsold));
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Seen' }).click();
    expect(await page.getByLabel('Quantity of Globe').count()).toBe(0);
  });

  test('has what is scanned while its quantity has the focus, besides what is typed', async () => {
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
  });

  test('takes a card number while the price comes, and Enter once its field is gone', async () => {
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
    await page.keyboard.press('F9');
    priced();
    await dialog.getByText('6.78').waitFor();
    await page.keyboard.type('77-4');
    await page.keyboard.press('Enter');
    await dialog.getByText('20.00 available').waitFor();
    await page.keyboard.press('F6');
    await dialog.getByLabel('Amount').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Sale R-/).waitFor();
  });

  test('has a receipt that says whether it is paid', async () => {
    await scan(page, '2144', 'Bowl');
    const receipt = await park(page);
    const { sales } = await world.staff('GET', '/sales?status=pending');
    const { id } = sales.find(({ receipt_number }: { receipt_number: string }) => receipt_number === receipt);
    let onPrint: (text: string) => void;
    await page.exposeFunction('tellPrinted', (text: string) => onPrint(text));
    await page.evaluate("print = () => tellPrinted(document.querySelector('.receipt').textContent)");
    const printed = async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      onPrint = resolve;
      await follow(page, '/admin/sales');
      await follow(page, `/admin/sales/${id}`);
      await page.getByRole('button', { name: 'Print the receipt' }).click();
      return promise;
    };
    expect(await printed()).toContain('NOT PAID');
    await world.staff('PATCH', `/sales/${id}`, { sale: { status: 'ready' } });
    expect(await printed()).toContain('NOT PAID');
    await world.staff('PATCH', `/sales/${id}`, { sale: { status: 'completed', payments: [{ method: 'cash', amount: '3.39' }] } });
    const paid = await printed();
    expect(paid).not.toContain('NOT PAID');
    expect(paid).toContain('Cash');
  });

  test('keeps what was typed into a payment, whatever closes it', async () => {
    await scan(page, '2144', 'Bowl');
    const lookedUp = await holdAnswer(page, 'GET', /barcode=NOTHING-1/);
    await scanAnywhere(page, 'NOTHING-1');
    const dialog = await takePayment(page);
    await page.keyboard.press('F6');
    const paidBy = page.getByRole('combobox', { name: 'Paid by' });
    await holdsValue(page, paidBy, 'Debit card (F6)');
    lookedUp();
    await page.getByText('No product has the code NOTHING-1').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await holdsQuantity(page, 'Bowl', 1);
    await takePayment(page);
    await holdsValue(page, paidBy, 'Debit card (F6)');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // A card may have paid what it showed; what was scanned since is still to pay.
    await scan(page, '2144', 'Bowl', 2);
    await takePayment(page);
    await dialog.getByText(/is still to pay/).waitFor();
    await page.keyboard.press('F6');
    await dialog.getByText('Paid in full').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // It is of no other sale.
    await page.keyboard.press('Delete');
    await scan(page, '22418', 'Globe');
    await takePayment(page);
    await holdsValue(page, paidBy, 'Cash (F5)');
  });

  test('asks before a payment is left that has no answer, and leaves once it has one', async () => {
    await scan(page, '2144', 'Bowl');
    await takePayment(page);
    let isAway = true;
    await page.route(/\/sales$/, (route) => (isAway && route.request().method() === 'POST' ? route.abort() : route.fallback()));
    await page.keyboard.press('Enter');
    await page.getByText('Do not ring this sale again: it may be paid').waitFor();
    await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
    await page.getByText('what was sent is asked for again on this page alone').waitFor();
    await page.getByRole('button', { name: 'Stay here' }).click();
    isAway = false;
    await page.getByText(/^Sale R-/).waitFor();
    // Before anything is said of a late answer.
    await scan(page, '22418', 'Globe');
    const dialog = await takePayment(page);
    const stored = await holdAnswer(page, 'POST', /\/api\/v1\/sales$/);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Cash received').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
    await page.getByText('what was sent is asked for again on this page alone').waitFor();
    stored();
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await follow(page, '/admin/register');
    await page.getByText(/^Sale R-/).waitFor();
  });
});

inBrowser('a scan at the till', () => {
  test('pays and takes off nothing, whatever comes in between its keys', async () => {
    await scan(page, '21448', 'Lamp');
    await page.getByLabel('Add a product').focus();
    await scanInParts(page, '224', () => takePayment(page), '18', 5);
    await page.getByText('22418 is kept until the payment ends').waitFor();
    await holdsValue(page, 'Cash received', '0.52');
    // A scanner that stalls behind its first key.
    await scanStalled(page, '21448', 280);
    await holdsValue(page, 'Cash received', '0.52');
    await page.keyboard.press('Escape');
    await holdsQuantity(page, 'Globe', 1);
    await holdsQuantity(page, 'Lamp', 2);
    await holdsValue(page, 'Add a product', '');
    await page.getByLabel('Discount on the sale').focus();
    await scanStalled(page, '22418', 280);
    await holdsQuantity(page, 'Globe', 2);
    await holdsValue(page, 'Discount on the sale', '');
    // The beginning of a code is no quantity and no discount, and the piece is in the sale.
    const dialog = page.getByRole('dialog');
    for (const [label, total] of [
      ['Quantity of Lamp', '3.59'],
      ['Discount on the sale', '4.44'],
    ] as const) {
      await page.getByLabel(label).focus();
      await scanAroundKey(page, '2', 'F4', '2418');
      await holdsValue(page, 'Cash received', total);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(await page.getByLabel('Quantity of Lamp').inputValue()).toBe('2');
    // A hand has typed before it.
    const quantity = page.getByLabel('Quantity of Lamp');
    await quantity.focus();
    await scanBehindHand(page, '5', '22418', 500, { stallMs: 200 });
    await holdsQuantity(page, 'Globe', 5);
    await holdsQuantity(page, 'Lamp', 5);
    await page.getByText('£6.85').first().waitFor();
    await scanBehindHand(page, '2', '99999', 500, { stallMs: 200 });
    await page.getByText('No product has the code 99999').waitFor();
    await holdsQuantity(page, 'Lamp', 2);
    await page.getByRole('button', { name: 'Seen' }).click();
    // The field was left before a late look-up told that its digit was one of a code.
    await post('/products', { product: { name: 'Vase', sku: '77123', price: '9.00' } });
    const lookedUp = await holdAnswer(page, 'GET', /77123/);
    await page.getByLabel('Quantity of Lamp').focus();
    await scanStalled(page, '77123', 280);
    await page.getByLabel('Add a product').focus();
    lookedUp();
    await holdsQuantity(page, 'Vase', 1);
    await takePayment(page);
    await holdsValue(page, 'Cash received', '14.29');
  });

  test('of a loyalty card chooses its customer, and takes nobody off the sale', async () => {
    await world.create('/customers', { customer: { name: 'Mara Finch', loyalty_card_number: 'LC-100001' } });
    await world.create('/customers', { customer: { name: 'Ove Berg', loyalty_card_number: 'LC-100002' } });
    await scan(page, '21448', 'Lamp');
    await scanAnywhere(page, 'LC-100001');
    await page.getByRole('button', { name: 'Remove the customer' }).waitFor();
    // What waits for its look-up is not sent before the clerk has seen it.
    const lookedUp = await holdAnswer(page, 'GET', /lookup_by_card/);
    await scanAnywhere(page, 'LC-100002');
    await page.keyboard.press('F8');
    lookedUp();
    await page.getByText('This sale is of Mara Finch: take them off before the card of Ove Berg is scanned').waitFor();
    await page.getByRole('button', { name: 'Seen' }).click();
    await scanAnywhere(page, 'LC-100003');
    await page.getByText('LC-100003').waitFor();
    expect(await page.getByText('Mara Finch').count()).toBe(1);
    await page.getByRole('button', { name: 'Seen' }).click();
    // A scanner that stalls behind its first key.
    await page.getByRole('button', { name: 'Remove the customer' }).click();
    await page.getByLabel('Discount on the sale').focus();
    await scanStalled(page, 'LC-100002', 280);
    await page.getByText('Ove Berg').waitFor();
    await holdsValue(page, 'Discount on the sale', '');
  });

  test('that no product has keeps no sale waiting while customers cannot be asked', async () => {
    await page.route(/\/customers\//, (route) => route.fulfill({ status: 500, json: { error: 'Internal server error' } }));
    await scanAnywhere(page, 'LC-100009');
    await scanAnywhere(page, '22418');
    await page.getByText('No product has the code LC-100009').waitFor();
    await holdsQuantity(page, 'Globe', 1);
    await takePayment(page);
    await page.keyboard.press('Enter');
    await page.getByText(/^Sale R-/).waitFor();
  });
});
