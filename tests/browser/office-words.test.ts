/** What the back office says and understands: numbers and days as the language has them, and what is stored by now. */
import { expect } from '@jest/globals';
import { button, dialog, inBrowser, page, test, useShop } from './panel.ts';

const { world, ids, open, read } = useShop('/', { Rice: ['RICE', '3.90'], Lamp: ['LAMP', '0.52'] });

const settings = (some: object) => world.staff('PATCH', '/settings', { settings: some });

inBrowser('the back office', () => {
  test('shows quantities and days as the language has them', async () => {
    const line_items = [{ product_id: ids.Rice, quantity_ordered: 1200.5, unit_price: '1.0125' }];
    const { id } = await world.create('/purchase_orders', { purchase_order: { line_items, expected_on: '2030-05-04' } });
    await world.staff('POST', '/stock_adjustments', { product_id: ids.Rice, adjustment_type: 'receive', quantity_change: 1234.5 });
    await world.settled();
    await settings({ locale: 'fr' });
    try {
      await page.reload();
      await page.locator('html[lang=fr]').waitFor();
      await open(`/purchase-orders/${id}`, page);
      await page.getByRole('cell', { name: '1 200,5', exact: true }).waitFor();
      await page.getByText('4 mai 2030').waitFor();
      await page.getByText('1,0125').waitFor();
      await open(`/products/${ids.Rice}`, page);
      await button('Ajuster le stock').click();
      await dialog()
        .getByText(/1\s234,5 maintenant/)
        .waitFor();
    } finally {
      await settings({ locale: 'en' });
    }
  });

  test('understands a decimal comma in rates and amounts, and names what is wrong', async () => {
    await settings({ tax: { mode: 'single', rate: '20' } });
    await open('/settings', page);
    await page.getByLabel('Rate in percent').fill('12,5');
    await page.getByLabel('Cash a drawer opens with').fill('1 100,50');
    await button('Save').click();
    await page.getByText('The settings are saved').waitFor();
    expect((await read('/settings')).settings).toMatchObject({ tax: { rate: '12.50' }, opening_float: '1100.50' });
    await page.getByLabel('Rate in percent').fill('200');
    await button('Save').click();
    await page.getByText('Rate in percent: must be between 0 and 100').waitFor();
    await button('Undo').click();

    for (const [kind, label, typed, value] of [
      ['Percent off', 'Percent', '12,5', '12.50'],
      ['Amount off', 'Amount', '0,25', '0.25'],
    ] as const) {
      await open('/promotions', page);
      await button('New promotion').click();
      await dialog().getByLabel('Name').fill(kind);
      if (label === 'Amount') {
        await dialog().getByRole('combobox', { name: 'Reduction' }).click();
        await page.getByRole('option', { name: kind }).locator('visible=true').click();
      }
      await dialog().getByRole('textbox', { name: label, exact: true }).fill(typed);
      await dialog().getByRole('textbox', { name: 'Products' }).fill('RICE');
      await page.keyboard.press('Enter');
      await button('Remove Rice').waitFor();
      await button('Save').click();
      await dialog().waitFor({ state: 'detached' });
      const found = (await read('/promotions')).promotions.find(({ name }: { name: string }) => name === kind);
      expect(found.value).toBe(value);
    }
  });

  test('takes no number that could be two, and none of another kind', async () => {
    const isRefused = async (label: string, typed: string) => {
      await dialog().getByLabel(label).fill(typed);
      await dialog().getByLabel('Name').focus();
      await dialog().getByText('This is not a quantity').waitFor();
    };
    await open(`/products/${ids.Lamp}`, page);
    await button('Change').click();
    await isRefused('Low stock at', '1,000');
    await dialog().getByLabel('Low stock at').fill('1,5');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/products/${ids.Lamp}`)).product.low_stock_threshold).toBe(1.5);
    await open('/loyalty', page);
    await button('New reward').click();
    await dialog().getByLabel('Name').fill('Five off');
    await isRefused('Points it takes', '12,5');
    await dialog().getByLabel('Points it takes').fill('1 000');
    await dialog().getByLabel('Amount off').fill('5');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read('/loyalty_rewards?all=true')).loyalty_rewards).toMatchObject([{ points_required: 1000 }]);
  });

  test('leads back from beyond the end of a list, and asks before a choice is lost', async () => {
    await open('/products?page=99', page);
    await button('Last page').click();
    await page.getByRole('link', { name: 'Rice' }).waitFor();
    await open('/staff', page);
    await button('Add a person').click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Manager' }).locator('visible=true').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  });
});
