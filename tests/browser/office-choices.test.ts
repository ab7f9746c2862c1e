/** What is chosen, searched for or typed in the back office is what is stored, whatever comes late or is pressed twice. */
import { expect } from '@jest/globals';
import { holdAnswer } from './answers.ts';
import { button, dialog, inBrowser, page, test, useShop } from './panel.ts';
import { choose, holdsValue, scanAnywhere, scanWithEnter } from './till.ts';

const { world, ids, receiver, open, read } = useShop('/', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'] });

inBrowser('a choice in the back office', () => {
  test('stays when it is chosen once more', async () => {
    const { id: brand_id } = await world.create('/brands', { brand: { name: 'Retrospot' } });
    const { id } = await world.create('/products', { product: { name: 'Vase', brand_id } });
    await open(`/products/${id}`, page);
    await button('Change').click();
    const brand = dialog().getByRole('combobox', { name: 'Brand' });
    await brand.click();
    await page.getByRole('option', { name: 'Retrospot' }).click();
    await brand.press('Enter');
    await holdsValue(page, brand, 'Retrospot');
    await dialog().getByLabel('Price').fill('2');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/products/${id}`)).product).toMatchObject({ brand: 'Retrospot', price: '2.00' });
  });

  test('of a category lists its products', async () => {
    const { id: parent_id } = await world.create('/categories', { category: { name: 'Hot drinks' } });
    const { id } = await world.create('/categories', { category: { name: 'Green tea', parent_id } });
    await world.create('/products', { product: { name: 'Sencha', category_ids: [id] } });
    await open('/products', page);
    const product = (name: string) => page.getByRole('link', { name, exact: true });
    await product('Globe').waitFor();
    for (const category of [/^Hot drinks$/, /^Hot drinks > Green tea$/]) {
      await choose(page.getByRole('combobox', { name: 'Category' }), category);
      await product('Globe').waitFor({ state: 'detached' });
      await product('Sencha').waitFor();
    }
  });

  test('of inactive products too lists them, and their codes are found to be counted', async () => {
    await world.create('/products', { product: { name: 'Teapot', sku: '85099', active: false } });
    await open('/products', page);
    const product = (name: string) => page.getByRole('link', { name, exact: true });
    await product('Globe').waitFor();
    expect(await product('Teapot').count()).toBe(0);
    await page.getByRole('switch', { name: 'Inactive too' }).click();
    await product('Teapot').waitFor();
    await open('/stock/count', page);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '85099');
    await holdsValue(page, 'Counted of Teapot', '1');
  });

  test('by a name is one that no other product has a part of, and no scan is a name', async () => {
    const { id: parent_id } = await world.create('/products', { product: { name: 'Shirt', sku: 'SHIRT' } });
    for (const size of ['L', 'M', 'XL'])
      await world.create('/products', { product: { name: `Shirt ${size}`, sku: `SHIRT-${size}`, parent_id } });
    await open('/stock', page);
    const search = page.getByLabel('Product', { exact: true });
    await search.fill('shirt');
    await search.press('Enter');
    await page.getByText('No product has the code shirt').waitFor();
    await search.focus();
    await scanWithEnter(page, 'SHIRT-X');
    await page.getByText('No product has the code SHIRT-X').waitFor();
    expect(await dialog().count()).toBe(0);
    await search.fill('Shirt XL');
    // Enter right behind a scan would be of the scanner.
    await search.press('End');
    await search.press('Enter');
    await dialog().getByText('Shirt XL').waitFor();
  });

  test('of a supplier stays in the draft of an order when it is not offered any more', async () => {
    await world.create('/suppliers', { supplier: { name: 'Zeta' } });
    await open('/purchase-orders/new', page);
    const supplier = page.getByRole('combobox', { name: 'Supplier' });
    await choose(supplier, 'Zeta');
    await holdsValue(page, supplier, 'Zeta');
    const pagination = { current_page: 1, per_page: 100, total_count: 0, total_pages: 0 };
    await page.route(/\/suppliers\?/, (route) => route.fulfill({ json: { suppliers: [], pagination } }));
    await page.reload();
    await holdsValue(page, supplier, 'Zeta');
  });

  test('of a quantity is told of a piece that is found meanwhile', async () => {
    const line_items = [{ product_id: ids.Lamp, quantity_ordered: 12, unit_price: '0.20' }];
    const { id } = await world.create('/purchase_orders', { purchase_order: { line_items } });
    await open(`/purchase-orders/${id}`, page);
    const arrived = page.getByLabel('Arrives now: Lamp');
    await arrived.waitFor();
    const found = await holdAnswer(page, 'GET', /\/products\?barcode=/);
    await scanAnywhere(page, '21448');
    await arrived.fill('12');
    found();
    await page.getByText('Lamp was scanned while you are at its quantity').waitFor();
    await holdsValue(page, arrived, '13');
  });

  test('of a count is of when it was scanned or typed: what is sold since is taken off', async () => {
    const stock = async () => (await read(`/products/${ids.Lamp}`)).product.current_stock;
    const pass = async () => {
      world.clock.advance(60_000);
      await page.clock.setFixedTime(world.clock.now());
    };
    const sellTwo = async () => {
      await world.create('/sales', { sale: { line_items: [{ product_id: ids.Lamp, quantity: 2 }] } });
      await world.settled();
    };
    await open('/stock/count', page);
    await page.getByLabel('Add a product').waitFor();
    await scanAnywhere(page, '21448');
    await page.getByLabel('Counted of Lamp').fill('10');
    await pass();
    await sellTwo();
    await button('Record the count').click();
    await page.getByText('Lamp: 10 counted, 8 with what was booked since').waitFor();
    await page.getByLabel('Counted of Lamp').waitFor({ state: 'detached' });
    await world.settled();
    expect(await stock()).toBe(8);
    await scanAnywhere(page, '21448');
    await holdsValue(page, 'Counted of Lamp', '1');
    await pass();
    await sellTwo();
    await pass();
    await page.getByLabel('Counted of Lamp').fill('6');
    await button('Record the count').click();
    await page.getByLabel('Counted of Lamp').waitFor({ state: 'detached' });
    await world.settled();
    expect(await stock()).toBe(6);
  });

  test('of where a replay begins goes on where the last one ended', async () => {
    const webhook_subscription = { url: `${receiver.url}/replayed`, events: ['sale.completed'] };
    const { body } = await world.call('POST', '/webhook_subscriptions', {
      key: await world.newKey(world.store),
      body: { webhook_subscription },
    });
    await open(`/webhooks/${body.data.id}`, page);
    const answers = [
      { replayed: 10_000, to_sequence: 12_345 },
      { replayed: 3, to_sequence: 12_348 },
    ];
    const asked: unknown[] = [];
    await page.route(/\/replay$/, (route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill({ status: 202, json: answers.shift() });
    });
    await page.getByLabel('Replay events after number').fill('0');
    await button('Replay').click();
    await page.getByText('That was up to number 12345').waitFor();
    await button('Replay').click();
    await page.getByText('3 events are on their way again').waitFor();
    expect(asked).toEqual([{ after_seq: 0 }, { after_seq: 12_345 }]);
  });
});
