/** What hands and scanners do in the back office where the form expected something else: nothing is lost, changed or sent by it. */
import { expect } from '@jest/globals';
import { holdAnswer, lateAnswer } from './answers.ts';
import { follow } from './chromium.ts';
import { button, dialog, inBrowser, page, test, useShop } from './panel.ts';
import { choose, holdsValue, scanAnywhere, scanWithEnter } from './till.ts';

const { world, ids, open, read } = useShop('/', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'] });

const stockOf = async (name: string) => (await read(`/products/${ids[name]}`)).product.current_stock;

inBrowser('a habit of the back office', () => {
  test('takes a typed choice by Enter, and sends no form by a text that chooses nothing', async () => {
    await world.create('/brands', { brand: { name: 'Retrospot' } });
    await world.create('/suppliers', { supplier: { name: 'Alpha' } });
    await world.create('/suppliers', { supplier: { name: 'Beta' } });
    await open('/products', page);
    await button('New product').click();
    await dialog().getByLabel('Name').fill('Branded');
    await dialog().getByLabel('Price').fill('3');
    const brand = dialog().getByRole('combobox', { name: 'Brand' });
    await brand.fill('Nobody');
    await brand.press('Enter');
    await brand.fill('retros');
    await page.getByRole('option', { name: 'Retrospot' }).waitFor();
    await brand.press('Enter');
    await holdsValue(page, brand, 'Retrospot');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    const { products } = await read('/products?search=Branded');
    expect(products).toMatchObject([{ brand: 'Retrospot' }]);

    const { suppliers } = await read('/suppliers');
    const idOf = (name: string) => suppliers.find((one: { name: string }) => one.name === name).id;
    const line_items = [{ product_id: ids.Globe, quantity_ordered: 1, unit_price: '1' }];
    const { id } = await world.create('/purchase_orders', { purchase_order: { supplier_id: idOf('Alpha'), line_items } });
    await open(`/purchase-orders/${id}`, page);
    await button('Change').click();
    const supplier = dialog().getByRole('combobox', { name: 'Supplier' });
    await choose(supplier, 'Beta', 'Beta');
    await holdsValue(page, supplier, 'Beta');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/purchase_orders/${id}`)).purchase_order.supplier.name).toBe('Beta');
  });

  test('scans into the settings without changing a number or saving anything', async () => {
    const before = (await read('/settings')).settings;
    await open('/settings', page);
    const float = page.getByLabel('Cash a drawer opens with');
    const held = await float.inputValue();
    await float.focus();
    await scanWithEnter(page, '22418');
    await page.getByText('22418 was scanned').waitFor();
    expect(await float.inputValue()).toBe(held);
    expect((await read('/settings')).settings).toEqual(before);
  });

  test('records a count once the last piece that was scanned is a line of it', async () => {
    await open('/stock/count', page);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '22418');
    await holdsValue(page, 'Counted of Globe', '1');
    const late = await lateAnswer(page, 'GET', /barcode=21448/);
    const asked = page.waitForRequest(/barcode=21448/);
    await scanAnywhere(page, '21448');
    await asked;
    expect(await button('Record the count').isDisabled()).toBe(true);
    late();
    await holdsValue(page, 'Counted of Lamp', '1');
    await button('Record the count').click();
    await page.getByText('The count is recorded').waitFor();
    expect([await stockOf('Globe'), await stockOf('Lamp')]).toEqual([1, 1]);
  });

  test('types into the form of a record that another archives, and keeps what was typed', async () => {
    const { id } = await world.create('/customers', { customer: { name: 'Noor Haddad' } });
    await open(`/customers/${id}`, page);
    await button('Change').click();
    await dialog().getByLabel('Notes').fill('By the back door');
    await world.staff('DELETE', `/customers/${id}`);
    await button('Save').click();
    await dialog().getByText('Customer not found').waitFor();
    await holdsValue(page, 'Notes', 'By the back door');
  });

  test('leaves the form of a key when asked, and a page whose answer is late for good', async () => {
    await open('/keys', page);
    await button('Create a key').click();
    await dialog().getByLabel('Name').fill('Web shop');
    await page.keyboard.press('Escape');
    await button('Stay here').click();
    await holdsValue(page, 'Name', 'Web shop');

    await open('/products', page);
    await button('New product').click();
    await dialog().getByLabel('Name').fill('Slow');
    await dialog().getByLabel('Price').fill('3');
    const late = await holdAnswer(page, 'POST', /\/products$/);
    await button('Save').click();
    await follow(page, '/admin/stock');
    late();
    await page.getByText('The product is saved').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/stock');
  });

  test('scans twice into a search, and finds the second', async () => {
    await open('/products', page);
    const search = page.getByLabel('Search products');
    await search.focus();
    for (const [code, name, other] of [
      ['22418', 'Globe', 'Lamp'],
      ['21448', 'Lamp', 'Globe'],
    ] as const) {
      await scanWithEnter(page, code);
      await page.getByRole('cell', { name }).first().waitFor();
      await page.getByRole('cell', { name: other }).first().waitFor({ state: 'detached' });
      expect(await search.inputValue()).toBe(code);
    }
  });

  test('saves a promotion once the last piece that was scanned is in it', async () => {
    await open('/promotions', page);
    await button('New promotion').click();
    await dialog().getByLabel('Name').fill('All that glows');
    await dialog().getByLabel('Percent').fill('10');
    const search = dialog().getByRole('textbox', { name: 'Products' });
    await search.fill('22418');
    await search.press('Enter');
    await button('Remove Globe').waitFor();
    const late = await lateAnswer(page, 'GET', /barcode=21448/);
    const asked = page.waitForRequest(/barcode=21448/);
    await search.fill('21448');
    await search.press('Enter');
    await asked;
    expect(await button('Save').isDisabled()).toBe(true);
    late();
    await button('Remove Lamp').waitFor();
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read('/promotions')).promotions).toMatchObject([{ product_ids: [ids.Globe, ids.Lamp] }]);
  });

  test('leaves a page before it is refused, and is told', async () => {
    await open('/products', page);
    await button('New product').click();
    await dialog().getByLabel('Name').fill('Twice');
    await dialog().getByLabel('Price').fill('3');
    await dialog().getByLabel('Sku', { exact: true }).fill('22418');
    const refused = await lateAnswer(page, 'POST', /\/products$/);
    await button('Save').click();
    await follow(page, '/admin/settings');
    refused();
    await page.getByText('That did not work').waitFor();
    const float = page.getByLabel('Cash a drawer opens with');
    await float.fill('75');
    await world.staff('PATCH', '/settings', { settings: { store: { phone: '020 7946 0000' } } });
    const conflict = await lateAnswer(page, 'PATCH', /\/settings/);
    await button('Save').click();
    await follow(page, '/admin/stock');
    conflict();
    await page.getByText('changed this meanwhile').waitFor();
  });

  test('comes back to an order while its goods are sent, which are received once', async () => {
    const { id: supplier_id } = await world.create('/suppliers', { supplier: { name: 'Gamma' } });
    const line_items = [{ product_id: ids.Globe, quantity_ordered: 10, unit_price: '1' }];
    const { id, line_items: lines } = await world.create('/purchase_orders', { purchase_order: { supplier_id, line_items } });
    const received = async () => (await read(`/purchase_orders/${id}`)).purchase_order.line_items[0].quantity_received;
    await open(`/purchase-orders/${id}`, page);
    const arrives = page.getByLabel('Arrives now: Globe');
    await arrives.fill('5');
    const late = await lateAnswer(page, 'POST', /\/receive$/);
    await button('Receive').click();
    await follow(page, '/admin/stock');
    await follow(page, `/admin/purchase-orders/${id}`);
    await arrives.waitFor();
    expect([await button('Receive').isDisabled(), await page.getByText('The answer was lost').count()]).toEqual([true, 0]);
    late();
    await page.getByText('The goods are received').waitFor();
    await holdsValue(page, arrives, '');
    expect(await received()).toBe(5);

    // Another closes the order while pieces are counted here.
    await arrives.fill('3');
    await world.staff('POST', `/purchase_orders/${id}/receive`, {
      line_items: [{ id: lines[0].id, quantity_received: 1 }],
      complete: true,
    });
    await open(`/purchase-orders/${id}`, page);
    await page.getByText('This was counted here and is not received').waitFor();
    await page.getByText('3 × Globe').waitFor();
    await button('Seen').click();
    await page.getByText('3 × Globe').waitFor({ state: 'detached' });
  });

  test('makes a customer whose phone another has once that is told', async () => {
    await world.create('/customers', { customer: { name: 'Anna Roe', phone: '020 7946 0111' } });
    await open('/customers', page);
    await button('New customer').click();
    await dialog().getByLabel('Name').fill('Ben Roe');
    await dialog().getByLabel('Phone').fill('020 7946 0111');
    await dialog().getByLabel('E-mail').fill('ben@roe.example');
    await button('Save').click();
    await dialog().getByText('Anna Roe has this phone or e-mail already').waitFor();
    await button('Create another customer').click();
    await page.getByRole('heading', { name: 'Ben Roe' }).waitFor();
    const emails = async () =>
      Object.fromEntries((await read('/customers?q=Roe')).customers.map((one: { name: string; email?: string }) => [one.name, one.email]));
    expect(await emails()).toEqual({ 'Anna Roe': undefined, 'Ben Roe': 'ben@roe.example' });
    await open('/customers', page);
    await button('New customer').click();
    await dialog().getByLabel('Name').fill('Annie');
    await dialog().getByLabel('Phone').fill('0044 20 7946 0111');
    await dialog().getByRole('textbox', { name: 'Address', exact: true }).fill('1 High Street');
    await button('Save').click();
    await button('It is the same person').click();
    await page.getByText('This customer exists already: what else you typed is not saved').waitFor();
    await page.getByRole('heading', { name: 'Anna Roe' }).waitFor();
    expect(Object.keys(await emails()).sort()).toEqual(['Anna Roe', 'Ben Roe']);
  });

  test('gives an address its first line, without which the rest is not shown', async () => {
    await open('/customers', page);
    await button('New customer').click();
    await dialog().getByLabel('Name').fill('Wanda');
    await dialog().getByLabel('City').fill('Leeds');
    await button('Save').click();
    const line = dialog().getByRole('textbox', { name: 'Address', exact: true });
    await line.and(page.locator(':focus:invalid')).waitFor();
    await line.fill('1 High Street');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read('/customers?q=Wanda')).customers).toMatchObject([{ address: { line1: '1 High Street', city: 'Leeds' } }]);
  });

  test('is asked before signing out loses what was typed', async () => {
    await open('/settings', page);
    await page.getByLabel('Cash a drawer opens with').fill('81');
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await button('Stay here').click();
    await holdsValue(page, 'Cash a drawer opens with', '81.00');
    await signOut();
    await button('Leave').click();
    await page.getByLabel('E-mail').waitFor();
  });

  test('keeps what is typed in one tab when another tab signs out', async () => {
    const other = await page.context().newPage();
    await open('/settings', other);
    await other.getByLabel('Cash a drawer opens with').fill('81');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    const again = other.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    await again.getByLabel('E-mail').fill(world.store.email);
    await again.getByLabel('Password', { exact: true }).fill(world.store.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await holdsValue(other, 'Cash a drawer opens with', '81.00');
  });
});
