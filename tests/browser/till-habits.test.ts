/** What hands and scanners do at the till before its answers are there: nothing is sold, counted or given to another by it. */
import { expect } from '@jest/globals';
import { lateAnswer } from './answers.ts';
import { signIn } from './chromium.ts';
import { button, inBrowser, page, test, useShop } from './panel.ts';
import {
  focusDialogsAfter,
  holdsQuantity,
  holdsValue,
  park,
  scan,
  scanAnywhere,
  scanBehindHand,
  scanStalled,
  takePayment,
} from './till.ts';

const { world } = useShop('/register', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Shirt: ['SHIRT-XL', '15.00'] }, async () => {
  await world.create('/products', {
    product: { name: 'Tea', unit_type: 'gram', price: '0.10', weight_presets: [{ weight: 50, barcode: '2900050', price: '4.50' }] },
  });
});

const lines = () => page.getByLabel(/^Quantity of /).count();

inBrowser('a habit at the till', () => {
  test('scans the code of a bag or a part of a sku, which sells nothing; a name is typed', async () => {
    for (const code of ['2900050', 'SHIRT-X']) {
      await scanAnywhere(page, code);
      await page.getByText(`No product has the code ${code}`).waitFor();
    }
    expect(await lines()).toBe(0);
    await page.getByLabel('Add a product').fill('Shir');
    // Enter right behind a scan would be of the scanner.
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await holdsQuantity(page, 'Shirt', 1);
  });

  test('counts the newest line once its scan is one', async () => {
    await scan(page, '22418', 'Globe');
    // Made after the codes were read, so that it is asked for.
    await page.route(/updated_since=/, (route) => route.abort());
    await world.create('/products', { product: { name: 'Pin', sku: '31337', price: '0.10' } });
    const late = await lateAnswer(page, 'GET', /barcode=31337/);
    await scanAnywhere(page, '31337');
    await page.keyboard.press('+');
    await page.getByText('Wait until 31337 is found').waitFor();
    late();
    await holdsQuantity(page, 'Pin', 1);
    await holdsQuantity(page, 'Globe', 1);
  });

  test('scans a code that begins with a key of the till, which counts nothing else', async () => {
    await world.create('/products', { product: { name: 'Splint', barcode: '+A123BJC5D6E71', price: '2.00' } });
    await scan(page, '22418', 'Globe');
    for (const count of [1, 2]) {
      await scanAnywhere(page, '+A123BJC5D6E71');
      await holdsQuantity(page, 'Splint', count);
    }
    await scanStalled(page, '+A123BJC5D6E71', 250);
    await holdsQuantity(page, 'Splint', 3);
    // The times are a hand's.
    await page.getByLabel('Add a product').fill('3*');
    await scanBehindHand(page, '', '21448', 400, { stallMs: 250 });
    await holdsQuantity(page, 'Lamp', 3);
    await holdsValue(page, 'Add a product', '');
    await page.keyboard.press('+');
    await holdsQuantity(page, 'Lamp', 4);
    await holdsQuantity(page, 'Splint', 3);
    await holdsQuantity(page, 'Globe', 1);
    await holdsValue(page, 'Add a product', '');
  });

  test('types anew what the customer gives when Enter was refused', async () => {
    await scan(page, '22418', 'Globe');
    await takePayment(page);
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await page.getByText('0.35 is still to pay').waitFor();
    await page.keyboard.type('10');
    await holdsValue(page, 'Cash received', '10');
  });

  test('types the cash as soon as its key is pressed', async () => {
    await scan(page, '22418', 'Globe');
    await focusDialogsAfter(page, 500);
    await page.keyboard.press('F4');
    await page.keyboard.type('20', { delay: 80 });
    await page.getByRole('dialog').getByText('£19.15').waitFor();
    await holdsValue(page, 'Cash received', '20');
    await holdsValue(page, 'Add a product', '');
  });

  test('presses Escape over a payment whose session has ended, and has it still', async () => {
    await scan(page, '22418', 'Globe');
    await page.keyboard.press('F4');
    await page.keyboard.type('20', { delay: 80 });
    await holdsValue(page, 'Cash received', '20');
    // What the till reads by itself.
    await page.route(/status=pending/, (route) => route.fulfill({ status: 401, json: { error: 'Unauthorized' } }));
    await page.getByText('Your session has ended').waitFor();
    await page.keyboard.press('Escape');
    await page.unroute(/status=pending/);
    await signIn(page, world.store);
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    await holdsValue(page, 'Cash received', '20.00');
  });

  test('types how many before a favourite; left behind, it is not of the next sale', async () => {
    await scan(page, '22418', 'Globe');
    await button('Globe is a favourite').click();
    const search = page.getByLabel('Add a product');
    await search.fill('3*');
    await button('Globe').click();
    await holdsQuantity(page, 'Globe', 4);
    await holdsValue(page, 'Add a product', '');
    await search.fill('1,5*');
    await button('Globe').click();
    await page.getByText('1.5 of Globe cannot be sold: scan it again').waitFor();
    await search.fill('3*');
    await park(page);
    await holdsValue(page, 'Add a product', '');
    await scanAnywhere(page, '21448');
    await holdsQuantity(page, 'Lamp', 1);
  });

  test('types a code behind a quantity and Enter: it is the next product', async () => {
    await scan(page, '22418', 'Globe');
    await page.getByLabel('Quantity of Globe').fill('5');
    await page.keyboard.press('Enter');
    await page.keyboard.type('21448', { delay: 100 });
    await page.keyboard.press('Enter');
    await holdsQuantity(page, 'Lamp', 1);
    await holdsQuantity(page, 'Globe', 5);
  });

  test('clicks a found product twice: the favourite below the list is not meant', async () => {
    await scan(page, '22418', 'Globe');
    await button('Globe is a favourite').click();
    const favourite = page.getByRole('group', { name: 'Favourites' }).getByRole('button', { name: 'Globe' });
    const { x, y, width, height } = (await favourite.boundingBox())!;
    await page.getByLabel('Add a product').fill('Lam');
    await page.getByRole('option', { name: /^Lamp/ }).waitFor();
    await page.mouse.dblclick(x + width / 2, y + height / 2);
    await holdsQuantity(page, 'Lamp', 1);
    await favourite.dblclick();
    await holdsQuantity(page, 'Globe', 3);
  });

  test('stars a product, also in a store that gets another name', async () => {
    await scan(page, '22418', 'Globe');
    await button('Globe is a favourite').click();
    const settings = { store: { name: 'Another name' } };
    await world.call('PATCH', '/settings', { token: world.store.token, body: { settings } });
    await page.reload();
    await page.getByRole('group', { name: 'Favourites' }).getByRole('button', { name: 'Globe' }).click();
    await holdsQuantity(page, 'Globe', 2);
  });

  test('searches another customer, and is not offered the one before', async () => {
    for (const name of ['Anna Smith', 'Boris Lee']) await world.create('/customers', { customer: { name } });
    const customer = page.getByRole('combobox', { name: 'Customer' });
    await customer.fill('Anna');
    await page.getByRole('option', { name: /^Anna Smith/ }).waitFor();
    const late = await lateAnswer(page, 'GET', /q=Boris/);
    const asked = page.waitForRequest(/q=Boris/);
    await customer.fill('Boris');
    await asked;
    expect(await page.getByRole('option', { name: /^Anna Smith/ }).count()).toBe(0);
    late();
    await page.getByRole('option', { name: /^Boris Lee/ }).click();
    await page.getByText('Boris Lee').first().waitFor();
  });

  test('takes all lines off, and clears the customer and the discount too', async () => {
    await world.create('/customers', { customer: { name: 'Clara Diaz' } });
    await scan(page, '22418', 'Globe');
    const customer = page.getByRole('combobox', { name: 'Customer' });
    await customer.fill('Clara');
    await page.getByRole('option', { name: /^Clara Diaz/ }).click();
    await page.getByLabel('Discount on the sale').fill('0.10');
    await button('Remove Globe').click();
    await button('Clear').click();
    await customer.waitFor();
    expect(await page.getByLabel('Discount on the sale').inputValue()).toBe('');
  });

  test('scans what nothing has behind a long cart, and is told in view', async () => {
    await page.setViewportSize({ width: 1280, height: 420 });
    for (const [code, name] of [
      ['22418', 'Globe'],
      ['21448', 'Lamp'],
      ['SHIRT-XL', 'Shirt'],
    ] as const)
      await scan(page, code, name);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await scanAnywhere(page, '99999999');
    const told = page.getByText('No product has the code 99999999');
    await told.waitFor();
    const { y } = (await told.boundingBox())!;
    expect(y).toBeGreaterThan(56);
  });
});
