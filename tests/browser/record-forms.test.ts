/** Two tabs with the same record: nobody's change is lost without a word (D285), and nothing that was typed. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings, shown } from './chromium.ts';
import { inBrowser, testWithinMs, usePanel } from './panel.ts';

let page: Page;
let productId: number;

const as = () => ({ token: world.store.token });
const patch = (path: string, body: unknown) => world.call('PATCH', path, { ...as(), body });
const product = async () => (await world.call('GET', `/products/${productId}`, as())).body.product;

const { world, newContext, signedIn } = usePanel(async () => {
  const lantern = { name: 'Lantern', price: '3.39', barcode: '50000001', external_id: 'shop-1042' };
  productId = (await world.create('/products', { product: lantern })).id;
  page = await signedIn(`/products/${productId}`, await newContext());
});

const save = (name = 'Save') => page.getByRole('button', { name, exact: true }).click();

inBrowser('a form of the panel', () => {
  test(
    'saves over a sale that moved stock, and asks when somebody changed its fields',
    async () => {
      await page.getByText('shop-1042').waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      const form = page.getByRole('dialog', { name: 'Change Lantern' });
      await form.getByLabel('Name').fill('Brass lantern');
      const stock = { product_id: productId, adjustment_type: 'receive', quantity_change: 4 };
      await world.call('POST', '/stock_adjustments', { ...as(), body: stock });
      await save();
      await form.waitFor({ state: 'detached' });
      expect(await product()).toMatchObject({ name: 'Brass lantern', current_stock: 4 });

      await page.getByRole('button', { name: 'Change' }).click();
      const again = page.getByRole('dialog');
      await again.getByLabel('Name').fill('Tin lantern');
      await patch(`/products/${productId}`, { product: { price: '4.10' } });
      await world.settled();
      await save();
      await again.getByText('changed this meanwhile').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await product()).toMatchObject({ name: 'Brass lantern', price: '4.10' });
      await save('Keep mine');
      expect(await again.getByLabel('Price').inputValue()).toBe('4.10');
      await save();
      await again.waitFor({ state: 'detached' });
      expect(await product()).toMatchObject({ name: 'Tin lantern', price: '4.10' });
    },
    testWithinMs,
  );

  test(
    'asks before what was typed is lost, by Escape and by another page',
    async () => {
      await page.getByRole('button', { name: 'Change' }).click();
      const form = page.getByRole('dialog', { name: /^Change/ });
      await form.getByLabel('Name').fill('Not to be lost');
      await page.keyboard.press('Escape');
      const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
      await asked.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await asked.getByRole('button', { name: 'Cancel' }).click();
      expect(await form.getByLabel('Name').inputValue()).toBe('Not to be lost');
      await form.getByRole('button', { name: 'Cancel' }).click();
      await asked.getByRole('button', { name: 'Leave' }).click();
      await form.waitFor({ state: 'detached' });

      await page.goto(`${world.baseUrl}/admin/settings`);
      await shown(page);
      await page.getByLabel('Name', { exact: true }).fill('Another name');
      await page.getByRole('link', { name: 'Products' }).click();
      await asked.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another name');
    },
    testWithinMs,
  );

  test(
    'of the settings shows what another admin saved, and keeps what was typed',
    async () => {
      await patch('/settings', { settings: { store: { phone: '0123456' } } });
      await save();
      await page.getByText('changed this meanwhile').waitFor();
      await save('Keep mine');
      expect(await page.getByLabel('Phone').inputValue()).toBe('0123456');
      await save();
      await page.getByText('The settings are saved').waitFor();
      // The version of the answer is that of the next change.
      await page.getByLabel('Name', { exact: true }).fill('A third name');
      await save();
      // The button is also disabled while the answer is awaited; the words go with the answer.
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
      expect((await world.call('GET', '/settings', as())).body.settings.store).toMatchObject({ name: 'A third name', phone: '0123456' });
    },
    testWithinMs,
  );
});
