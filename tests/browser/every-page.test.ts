/** What holds for every page and dialog of the panel: axe, the focus, narrow and dark screens, and each language. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fillStore } from '../journeys/filled-store.ts';
import { axeFindings, complaintsOf, cutButtons, follow, shown, signIn } from './chromium.ts';
import { inBrowser, test, usePanel } from './panel.ts';
import { panelDialogs, panelPaths } from './panel-paths.ts';

const looks = [
  { width: 1280, height: 860, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
] as const;

let page: Page;
let complaints: string[];
let paths: string[];

const { world, receiver, newContext, post, read } = usePanel(async () => {
  await world.setStore(world.store, { features: ['developer_api', 'customers', 'loyalty', 'stock_locations'] });
  await fillStore(world);
  await post('/warehouse_locations', { warehouse_location: { name: 'Back room', kind: 'back' } });
  await post('/cash_drawer_sessions', { opening_float: '100.00' });
  const { purchase_orders } = await read('/purchase_orders');
  const webhook_subscription = { url: `${receiver.url}/panel`, events: ['sale.completed'] };
  await world.call('POST', '/webhook_subscriptions', { key: await world.newKey(world.store), body: { webhook_subscription } });
  page = await (await newContext({ viewport: looks[0] })).newPage();
  complaints = complaintsOf(page);
  await page.goto(`${world.baseUrl}/admin/keys`);
  await signIn(page, world.store);
  // The newest order was received; one that can be changed has more dialogs.
  paths = (await panelPaths(read)).map((at) =>
    at.startsWith('/purchase-orders/') && at !== '/purchase-orders/new' ? `/purchase-orders/${purchase_orders[1].id}` : at,
  );
});

inBrowser('every page of the panel', () => {
  test('axe finds nothing, wide and light or narrow and dark; none exceeds the screen', async () => {
    const found: string[] = [];
    for (const at of paths) {
      await follow(page, `/admin${at}`);
      for (const look of looks) {
        await page.emulateMedia({ colorScheme: look.scheme });
        await page.setViewportSize(look);
        await shown(page);
        for (const finding of await axeFindings(page)) found.push(`${at}, ${look.scheme}: ${finding}`);
        const wider = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        if (wider > 0) found.push(`${at}: ${wider} px wider than a screen of ${look.width}`);
      }
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('axe finds nothing in narrow, dark dialogs, which keep and return the focus', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(looks[1]);
    const found: string[] = [];
    for (const [at, button] of panelDialogs(paths)) {
      await follow(page, `/admin${at}`);
      await shown(page);
      const opener = page
        .locator('main')
        .getByRole('button', { name: button, exact: typeof button === 'string' })
        .first();
      await opener.click();
      await page.getByRole('dialog').waitFor();
      await shown(page);
      const say = (finding: string) => found.push(`${at}, ${button}: ${finding}`);
      for (const finding of await axeFindings(page)) say(finding);
      for (const cut of await cutButtons(page, '[role=dialog]')) say(`cut: ${cut}`);
      for (const keys of ['Tab', 'Shift+Tab', 'Shift+Tab']) {
        await page.keyboard.press(keys);
        if (!(await page.evaluate<boolean>("Boolean(document.activeElement.closest('[role=dialog]'))"))) say(`${keys} leaves the dialog`);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await opener.and(page.locator(':focus')).waitFor();
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  });

  for (const width of [768, 1280])
    test(`a cart of 40 lines keeps its newest line and the total in view, ${width} px wide`, async () => {
      const height = 860;
      await page.setViewportSize({ width, height });
      const products = Array.from({ length: 40 }, (_, n) => ({ sku: `LONG-${n}`, name: `Long cart ${n}`, price: '1.00' }));
      const key = await world.newKey(world.store);
      await world.call('POST', '/products/bulk_upsert', { key, body: { products } });
      const found = (await read('/products?search=Long%20cart&per_page=100')).products as { id: number; name: string }[];
      const line_items = found.sort((a, b) => a.id - b.id).map(({ id }) => ({ product_id: id, quantity: 1 }));
      const { sale } = await post('/sales', { sale: { status: 'pending', line_items } });
      await page.goto(`${world.baseUrl}/admin/register`);
      await page.getByRole('button', { name: `Resume ${sale.receipt_number}` }).click();
      const newest = page.getByLabel('Quantity of Long cart 39');
      const pay = page.getByRole('button', { name: width < 992 ? 'Pay' : 'Take payment', exact: width < 992 });
      const bottomOf = async (part: typeof pay) => {
        const box = (await part.boundingBox())!;
        return { isIn: box.y >= 0 && box.y + box.height <= height, ...box };
      };
      await newest.waitFor();
      // It is scrolled to once it is drawn.
      await page.waitForFunction(
        `document.querySelector('[aria-label="Quantity of Long cart 39"]').getBoundingClientRect().bottom <= ${height}`,
      );
      const [line, button] = [await bottomOf(newest), await bottomOf(pay)];
      expect([line.isIn, button.isIn]).toEqual([true, true]);
      if (width < 992) expect(line.y + line.height).toBeLessThanOrEqual(button.y);
      await page.evaluate('scrollTo(0, 0)');
      expect((await bottomOf(pay)).isIn).toBe(true);
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      expect((await bottomOf(pay)).isIn).toBe(true);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await newest.waitFor({ state: 'detached' });
    });

  for (const [locale, today] of Object.entries({ fr: 'Aujourd’hui', es: 'Hoy' }))
    test(`says all that it says in the language of the settings, ${locale}, no button cut`, async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await follow(page, '/admin/account');
      await world.call('PATCH', '/settings', { token: world.store.token, body: { settings: { locale } } });
      // What a tab shows does not change under the hands of who works in it.
      await page.reload();
      await page.locator(`html[lang=${locale}][translate=no]`).waitFor();
      await page.goto(`${world.baseUrl}/admin`);
      await page.getByRole('heading', { name: today, level: 1 }).waitFor();
      const words = wordsOf(locale);
      const found: string[] = [];
      for (const at of paths) {
        await follow(page, `/admin${at}`);
        await page.locator('[role=status][aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        for (const text of await textsOn(page)) if (text in words && words[text] !== text) found.push(`${at}: “${text}” is English`);
        for (const width of [360, 768, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          await shown(page);
          for (const cut of await cutButtons(page)) found.push(`${at}, ${width} px: ${cut}`);
        }
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
    });
});

/** Its texts that are no word of the language itself. */
function wordsOf(locale: string): Record<string, string> {
  const file = path.join(import.meta.dirname, `../../apps/admin/src/language/${locale}.json`);
  const words = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const said = new Set(Object.values(words).map((word) => word.toLowerCase()));
  return Object.fromEntries(Object.entries(words).filter(([text]) => !said.has(text.toLowerCase())));
}

/** All that is read on the page or said of its parts. */
function textsOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    // Names and values as the API has them are code.
    while (texts.nextNode()) if (!texts.currentNode.parentElement.closest('.code')) found.push(texts.currentNode.data.trim());
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title']) found.push(one.getAttribute(name) ?? '');
    return found;
  })()`);
}
