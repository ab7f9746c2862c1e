/** Scans and drafts of the back office: nothing that was scanned is lost, or goes where it was not meant to. */
import { expect } from '@jest/globals';
import { button, dialog, inBrowser, page, test, useShop } from './panel.ts';
import { holdsValue, scanAnywhere, scanBehindHand, scanWithEnter } from './till.ts';

const { world, ids, open, read } = useShop('/', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'], Pin: ['77', '0.10'] });

const goTo = async (name: string) => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
};
const stockOf = async (id: number | undefined) => (await read(`/products/${id}`)).product.current_stock;
const openOrder = async (): Promise<number> => {
  const line_items = [ids.Globe, ids.Lamp].map((product_id) => ({ product_id, quantity_ordered: 10, unit_price: '0.20' }));
  const { id } = await world.create('/purchase_orders', { purchase_order: { line_items } });
  await open(`/purchase-orders/${id}`, page);
  await page.getByLabel('Arrives now: Globe').waitFor();
  return id;
};
const openCount = async () => {
  await open('/stock/count', page);
  await page.getByLabel('Add a product').waitFor();
};

inBrowser('a scan of the back office', () => {
  test('in a dialog is no quantity and sends no form; a field for text keeps it', async () => {
    await open('/stock', page);
    await page.getByLabel('Product', { exact: true }).focus();
    await scanAnywhere(page, '22418');
    const quantity = dialog().getByLabel('Quantity');
    await quantity.and(page.locator(':focus')).waitFor();
    await quantity.fill('2');
    await scanWithEnter(page, '22418');
    await page.getByText('22418 was scanned').waitFor();
    expect([await quantity.inputValue(), await stockOf(ids.Globe)]).toEqual(['2', 0]);
    await open('/products', page);
    await button('New product').click();
    await dialog().getByLabel('Name').fill('Scanned');
    await dialog().getByLabel('Barcode').focus();
    await scanWithEnter(page, '5012345678900');
    expect([await dialog().getByLabel('Barcode').inputValue(), (await read('/products?search=Scanned')).products]).toEqual([
      '5012345678900',
      [],
    ]);
    await dialog().getByLabel('Price').fill('3');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect((await read('/products?search=Scanned')).products).toMatchObject([{ price: '3.00', barcode: '5012345678900' }]);
  });

  test('behind a name that is typed is the code alone', async () => {
    await open('/products', page);
    await button('New product').click();
    await dialog().getByLabel('Name').focus();
    await scanBehindHand(page, 'Mug', '5012345678931', 400, { between: () => dialog().getByLabel('Barcode').focus() });
    await holdsValue(page, 'Barcode', '5012345678931');
    await holdsValue(page, dialog().getByLabel('Name'), 'Mug');
  });

  test('of a card or a barcode sends nothing, and another takes its place', async () => {
    await open('/customers', page);
    await button('New customer').click();
    await dialog().getByLabel('Name').fill('Noor Haddad');
    const card = dialog().getByLabel('Loyalty card');
    await card.focus();
    for (const number of ['4900001', '4900001', '4900002']) {
      await scanWithEnter(page, number);
      await holdsValue(page, 'Loyalty card', number);
    }
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read('/customers?q=4900002')).customers).toHaveLength(1);
    const { id } = await world.create('/products', { product: { name: 'Bell', barcode: '5012345678917' } });
    await open(`/products/${id}`, page);
    await button('Change').click();
    await dialog().getByLabel('Barcode').focus();
    await page.keyboard.press('End');
    await scanWithEnter(page, '5012345678924');
    await holdsValue(page, 'Barcode', '5012345678924');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/products/${id}`)).product.barcode).toBe('5012345678924');
  });

  test('in a dialog of an order is of that dialog, not of the goods behind it', async () => {
    await openOrder();
    await button('Correct Globe').click();
    await dialog().getByLabel('It is another product').focus();
    await scanWithEnter(page, '21448');
    await dialog().getByText('moves to Lamp').waitFor();
    await page.keyboard.press('Escape');
    await button('Leave').click();
    await button("Supplier's invoice").click();
    await dialog().getByLabel('Number').focus();
    await scanWithEnter(page, 'INV20261');
    await holdsValue(page, 'Number', 'INV20261');
    expect(await page.locator('input[aria-label="Arrives now: Lamp"]').inputValue()).toBe('');
  });

  test('finds what the store has now: the stock, and the product whose code it is', async () => {
    const says = (text: string) => dialog().getByText(text).waitFor();
    const scan = async () => {
      await page.getByLabel('Product', { exact: true }).focus();
      await scanAnywhere(page, '77');
    };
    const start = await stockOf(ids.Pin);
    await open('/stock', page);
    await scan();
    await says(`There are ${start} now`);
    await dialog().getByLabel('Quantity').fill('5');
    await button('Record').click();
    await dialog().waitFor({ state: 'detached' });
    await world.settled();
    await page.waitForTimeout(2_000);
    await scan();
    await says(`There are ${start + 5} now`);
    await page.keyboard.press('Escape');

    await openCount();
    await scanAnywhere(page, '77');
    await page.getByLabel('Counted of Pin').waitFor();
    await button('Clear').click();
    await world.staff('PATCH', `/products/${ids.Pin}`, { product: { sku: '78' } });
    await world.create('/products', { product: { name: 'Needle', sku: '77', price: '0.10' } });
    await page.waitForTimeout(2_000);
    await scanAnywhere(page, '77');
    await page.getByLabel('Counted of Needle').waitFor();
    expect(await page.getByLabel('Counted of Pin').count()).toBe(0);
    await button('Clear').click();
  });

  test('after a count was cleared stays when that is undone', async () => {
    await openCount();
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Counted of Globe', '1');
    await button('Clear').click();
    await scanAnywhere(page, '21448');
    await holdsValue(page, 'Counted of Lamp', '1');
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Counted of Globe', '1');
    await button('Undo').click();
    await holdsValue(page, 'Counted of Globe', '2');
    await holdsValue(page, 'Counted of Lamp', '1');
  });

  test('that finds no quantity to add to says so', async () => {
    const isSaid = (name: string) => page.getByText(`${name} is not counted: correct its quantity`).waitFor();
    const typeInto = async (label: string, next: string) => {
      await page.getByLabel(label).fill('1,000');
      await page.getByLabel(next).focus();
      await page.getByText('This is not a quantity').waitFor();
    };
    await openOrder();
    await typeInto('Arrives now: Globe', 'Arrives now: Lamp');
    expect(await button('Receive').isDisabled()).toBe(true);
    await scanAnywhere(page, '22418');
    await isSaid('Globe');
    await openCount();
    await scanAnywhere(page, '21448');
    await holdsValue(page, 'Counted of Lamp', '1');
    await typeInto('Counted of Lamp', 'Notes');
    await scanAnywhere(page, '21448');
    await isSaid('Lamp');
    await button('Clear').click();
    await scanAnywhere(page, '21448');
    await holdsValue(page, 'Counted of Lamp', '1');
    await button('Undo').click();
    await holdsValue(page, 'Counted of Lamp', '1,000');
    await page.getByLabel('Counted of Lamp').fill('4');
    await scanAnywhere(page, '21448');
    await holdsValue(page, 'Counted of Lamp', '5');
  });

  test('of the next gift card presses no button of the last one', async () => {
    for (const card_number of ['NEXT-1', 'NEXT-2']) await world.create('/gift_cards', { gift_card: { amount: 20, card_number } });
    await open('/gift-cards', page);
    await page.getByLabel('Card number').focus();
    await scanWithEnter(page, 'NEXT-1');
    await button('Correct the balance').click();
    await dialog().getByText('NEXT-1').waitFor();
    await page.keyboard.press('Escape');
    await button('Correct the balance').and(page.locator(':focus')).waitFor();
    await scanWithEnter(page, 'NEXT-2');
    await page.locator('.code').getByText('NEXT-2').waitFor();
    expect(await dialog().count()).toBe(0);
  });

  test('of goods that arrive outlives another page, a reload and a lost request', async () => {
    const id = await openOrder();
    const received = async () => (await read(`/purchase_orders/${id}`)).purchase_order.line_items[0].quantity_received;
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Arrives now: Globe', '1');
    await goTo('Products');
    await page.goBack();
    await holdsValue(page, 'Arrives now: Globe', '1');
    await page.reload();
    await holdsValue(page, 'Arrives now: Globe', '1');
    await page.route(/\/receive$/, (route) => route.abort());
    await button('Receive').click();
    await page.getByText('The answer was lost').waitFor();
    await page.reload();
    await page.getByText('The answer was lost').waitFor();
    await button('It is not there').click();
    await page.unrouteAll();
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Arrives now: Globe', '2');
    await button('Receive').click();
    await page.getByText('The goods are received').waitFor();
    await holdsValue(page, 'Arrives now: Globe', '');
    expect(await received()).toBe(2);
    await page.reload();
    await holdsValue(page, 'Arrives now: Globe', '');
  });
});
