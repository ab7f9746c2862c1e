/** What keeps staff accounts safe, in a real browser: the password asked for again, one's own sessions. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminFolder, buildAdmin } from '../../tools/local/admin-panel.ts';
import { openWorld, type World } from '../journeys/world.ts';
import { axeFindings, missingChromium, openChromium, shown, signIn } from './chromium.ts';

const inBrowser = missingChromium ? describe.skip : describe;
const withinMs = 60_000;
const testWithinMs = 300_000;

let world: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (missingChromium) return;
  const folder = adminFolder();
  [world, browser] = await Promise.all([openWorld({ ADMIN_FILES: folder }), openChromium(), buildAdmin(folder)]);
  page = await newPage();
}, testWithinMs);

afterAll(async () => {
  if (missingChromium) return;
  await browser?.close();
  await world?.close();
});

/** A browser of its own, on the store's clock. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(withinMs);
  await context.clock.setFixedTime(world.clock.now());
  return context.newPage();
}

async function open(path: string, on = page): Promise<void> {
  await on.goto(`${world.baseUrl}/admin${path}`);
  await shown(on);
}

inBrowser('accounts in the admin panel', () => {
  test(
    'ten minutes after the login the password is asked for over the form, and the request is repeated once it is right',
    async () => {
      await open('/keys');
      await signIn(page, world.store);
      world.clock.advance(10 * 60_000);
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('Web shop');
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.getByRole('button', { name: 'Create the key' }).click();
      const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Password confirmation required').waitFor();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await asked.getByLabel('Your password').fill('not the password');
      await asked.getByRole('button', { name: 'Confirm' }).click();
      await asked.getByText('Password is incorrect').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await asked.getByLabel('Your password').fill(world.store.password);
      await asked.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('textbox', { name: 'the new API key' }).waitFor();
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('button', { name: 'Revoke Web shop' }).waitFor();
    },
    testWithinMs,
  );

  test(
    'the own password is changed against the current one; one that is easy to guess is refused',
    async () => {
      const clerk = { name: 'Cleo Clerk', email: 'cleo@account.example', password: 'correct horse battery', role: 'clerk' };
      await world.call('POST', '/staff_sessions/confirm', { token: world.store.token, body: { password: world.store.password } });
      await world.call('POST', '/staff_users', { token: world.store.token, body: { staff_user: clerk } });
      const at = await newPage();
      await open('/account', at);
      await signIn(at, clerk);
      await at.getByLabel('Current password').fill(clerk.password);
      await at.getByLabel('New password').fill('Password12345');
      await at.getByRole('button', { name: 'Change the password' }).click();
      await at.getByText('Password is too easy to guess').waitFor();
      await at.getByLabel('New password').fill('nine lanterns over the harbour');
      await at.getByRole('button', { name: 'Change the password' }).click();
      await at.getByText('The password is changed').waitFor();
      const login = { email: clerk.email, password: 'nine lanterns over the harbour' };
      expect((await world.call('POST', '/staff_sessions', { body: login })).status).toBe(201);
    },
    testWithinMs,
  );

  test(
    'the sessions are listed with their devices; another one is ended, and its page asks to sign in',
    async () => {
      const elsewhere = await newPage();
      await open('/products', elsewhere);
      await signIn(elsewhere, world.store);
      await open('/account');
      await page.getByRole('row', { name: /^Chrome on Linux this one/ }).waitFor();
      // The world's own session is a program's.
      await page.getByRole('button', { name: 'End the session of node' }).waitFor();
      await page.getByRole('button', { name: 'End the session of Chrome on Linux' }).click();
      await page.getByRole('button', { name: 'End the session of Chrome on Linux' }).waitFor({ state: 'detached' });
      await elsewhere.getByRole('link', { name: 'Customers' }).click();
      await elsewhere.getByText('Your session has ended').waitFor();
      await page.getByRole('button', { name: 'End all others' }).click();
      await page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'detached' });
      expect((await world.call('GET', '/settings', { token: world.store.token })).status).toBe(401);
    },
    testWithinMs,
  );
});
