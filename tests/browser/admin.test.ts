/** The admin panel in a real browser, over the running system. One world and one browser for the whole file. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { adminFolder, buildAdmin } from '../../tools/local/admin-panel.ts';
import { openReceiver, type Receiver } from '../journeys/receiver.ts';
import { openWorld, type World } from '../journeys/world.ts';
import { firstPageBytes } from './bundle.ts';
import { axeFindings, complaintsOf, follow, missingChromium, openChromium, shown, signIn } from './chromium.ts';
import { panelPaths } from './panel-paths.ts';

if (missingChromium) process.stdout.write(`The admin panel is not tested in a browser: ${missingChromium}.\n`);
const inBrowser = missingChromium ? describe.skip : describe;

/** For a machine that does much else; what works takes a second. */
const withinMs = 60_000;
const testWithinMs = 600_000;
const firstPageBytesMax = 350_000;
const looks = [
  { width: 1280, height: 860, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
] as const;

let world: World;
let receiver: Receiver;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let product: { id: number; sku: string };

async function newContext(): Promise<BrowserContext> {
  const opened = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: 'light', reducedMotion: 'reduce' });
  opened.setDefaultTimeout(withinMs);
  // The store's clock is the test's; a session must not seem to have ended.
  await opened.clock.setFixedTime(world.clock.now());
  return opened;
}

async function open(path: string, on = page): Promise<void> {
  await on.goto(`${world.baseUrl}/admin${path}`);
  await shown(on);
}

const post = (path: string, body: unknown) => world.call('POST', path, { token: world.store.token, body });

beforeAll(async () => {
  if (missingChromium) return;
  const folder = adminFolder();
  receiver = await openReceiver();
  [world, browser] = await Promise.all([openWorld({ ...receiver.env, ADMIN_FILES: folder }), openChromium(), buildAdmin(folder)]);
  const made = await post('/products', { product: { name: 'Brass lantern', sku: 'LAN-1', price: '12.50', low_stock_threshold: 3 } });
  product = made.body.product;
  context = await newContext();
  page = await context.newPage();
  complaints = complaintsOf(page);
}, testWithinMs);

afterAll(async () => {
  if (missingChromium) return;
  await browser?.close();
  await world?.close();
  await receiver?.close();
});

inBrowser('the admin panel', () => {
  test('its first page, charts included, is at most 350 kB compressed', () => {
    expect(firstPageBytes(adminFolder())).toBeLessThanOrEqual(firstPageBytesMax);
  });

  test(
    'from sign-in to a key, a sale, its webhook live, and the revocation',
    async () => {
      await open('/keys');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('E-mail').fill(world.store.email);
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Invalid email or password').waitFor();
      await signIn(page, world.store);

      // A key is created, and its text is shown once.
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('Web shop');
      await page.getByRole('button', { name: 'All', exact: true }).click();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create the key' }).click();
      const key = (await page.getByRole('textbox', { name: 'the new API key' }).textContent())!;
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('button', { name: 'Revoke Web shop' }).waitFor();
      expect((await world.call('GET', '/key', { key })).body.data).toMatchObject({ name: 'Web shop', rate_limit: 60, test_mode: false });

      // Its subscription is watched while a sale is made in another tab.
      const webhook_subscription = { url: `${receiver.url}/panel`, events: ['sale.completed'] };
      const subscribed = await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
      await open(`/webhooks/${subscribed.body.data.id}`);
      await page.getByRole('status', { name: 'Deliveries: Live' }).waitFor();
      await page.getByText('Nothing was sent yet').waitFor();
      const till = await context.newPage();
      await sell(till);
      await receiver.arrived('/panel', 1);
      await page.getByText('200 delivered').waitFor();
      await till.close();

      // The signing secret is shown against the password.
      await page.getByRole('button', { name: 'Reveal secret' }).click();
      await page.getByLabel('Your password').fill('not the password');
      await page.getByRole('button', { name: 'Show the secret' }).click();
      await page.locator('[id$="-error"]').waitFor();
      await page.getByLabel('Your password').fill(world.store.password);
      await page.getByRole('button', { name: 'Show the secret' }).click();
      await page
        .getByRole('textbox', { name: 'the signing secret' })
        .getByText(/^whsec_/)
        .waitFor();
      await page.getByRole('button', { name: 'Done' }).click();

      await open('/keys');
      await page.getByRole('button', { name: 'Revoke Web shop' }).click();
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await page.getByText('No key is in force').waitFor();
      expect((await world.call('GET', '/key', { key })).status).toBe(401);
    },
    testWithinMs,
  );

  test(
    'the first page asks for everything at once: no request waits for the answer to another',
    async () => {
      const wanted = [
        'settings',
        'sales/by_hour',
        'requests/summary',
        'webhook_monitor/summary',
        'products/low_stock',
        'webhook_notices',
        'webhook_monitor',
      ];
      const asked = new Set<string>();
      const allAsked = Promise.withResolvers<void>();
      await page.route('**/api/v1/**', async (route) => {
        asked.add(new URL(route.request().url()).pathname.replace('/api/v1/', ''));
        if (wanted.every((path) => asked.has(path))) allAsked.resolve();
        await allAsked.promise;
        await route.continue();
      });
      await open('/');
      await page.getByText('Sold today').waitFor();
      await page.unroute('**/api/v1/**');
      expect([...asked].sort()).toEqual([...wanted].sort());
    },
    testWithinMs,
  );

  test(
    'from a product to everything that changed it, with its price before and after, and to the request that did it',
    async () => {
      await world.call('PATCH', `/products/${product.id}`, { token: world.store.token, body: { product: { price: '13.75' } } });
      await world.settled();
      await open(`/products/${product.id}`);
      await page.getByRole('link', { name: 'History' }).click();
      const change = page.getByRole('row', { name: 'price 12.50 13.75' });
      await change.waitFor();
      await page
        .getByRole('link', { name: /^Request / })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Changes (1)' }).waitFor();
      await change.waitFor();
    },
    testWithinMs,
  );

  test(
    'axe finds nothing on any page, wide and light or narrow and dark, and no page is wider than the screen',
    async () => {
      const call = async (path: string) => (await world.call('GET', path, { token: world.store.token })).body;
      await post('/customers', { customer: { name: 'Maya Lee', email: 'maya@example.com' } });
      const line = { product_id: product.id, quantity_ordered: 5, unit_price: '4.00' };
      await post('/purchase_orders', { purchase_order: { line_items: [line] } });
      const found: string[] = [];
      for (const path of await panelPaths(call)) {
        await follow(page, `/admin${path}`);
        for (const look of looks) {
          await page.emulateMedia({ colorScheme: look.scheme });
          await page.setViewportSize(look);
          await shown(page);
          for (const finding of await axeFindings(page)) found.push(`${path}, ${look.scheme}: ${finding}`);
          const wider = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
          if (wider > 0) found.push(`${path}: ${wider} px wider than a screen of ${look.width}`);
        }
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
    },
    testWithinMs,
  );

  test(
    'a clerk is shown what clerks may do, and a session that ended leads back to the page after signing in',
    async () => {
      const clerk = { name: 'Cleo Clerk', email: 'cleo@panel.example', password: 'correct horse battery', role: 'clerk' };
      const { id } = (await post('/staff_users', { staff_user: clerk })).body.staff_user;
      const own = await newContext();
      const at = await own.newPage();
      await open('/keys', at);
      await signIn(at, clerk);
      await at.getByText('This page is not for your role').waitFor();
      expect(await at.getByRole('link', { name: 'API keys' }).count()).toBe(0);
      // An admin changes the role, which ends the clerk's sessions.
      await world.call('PATCH', `/staff_users/${id}`, { token: world.store.token, body: { staff_user: { role: 'manager' } } });
      await at.getByRole('link', { name: 'Products' }).click();
      await at.getByText('Your session has ended').waitFor();
      await signIn(at, clerk);
      await at.getByRole('heading', { name: 'Products' }).waitFor();
      await at.getByRole('link', { name: 'Audit trail' }).waitFor();
      await own.close();
    },
    testWithinMs,
  );
});

/** Sells the product by keyboard alone: scans it, F4 for the payment, Enter for its whole amount in cash. */
async function sell(till: Page): Promise<void> {
  await open('/register', till);
  await till.getByLabel('Add a product').focus();
  await till.keyboard.type(product.sku);
  await till.keyboard.press('Enter');
  await till.getByLabel('Quantity of Brass lantern').waitFor();
  await till.keyboard.press('F4');
  const amount = till.getByRole('dialog').getByLabel('Amount');
  await amount.and(till.locator(':focus')).waitFor();
  await till.keyboard.press('Enter');
  await till.getByText(/^Sale R-/).waitFor();
}
