/** What keeps staff accounts safe, in a real browser: the password asked for again, one's own sessions. */
import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { loseAnswer } from './answers.ts';
import { axeFindings, signIn } from './chromium.ts';
import { inBrowser, test, usePanel } from './panel.ts';

let page: Page;

const {
  world,
  newContext,
  open: openOn,
} = usePanel(async () => {
  page = await newPage();
});

/** A browser of its own. */
const newPage = async (): Promise<Page> => (await newContext()).newPage();
const open = (path: string, on = page): Promise<void> => openOn(path, on);

inBrowser('accounts in the admin panel', () => {
  test('ten minutes after login the password is asked for, and the request repeated', async () => {
    await open('/account');
    await signIn(page, world.store);
    await page.getByRole('link', { name: 'API keys' }).click();
    world.clock.advance(10 * 60_000);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Password confirmation required').waitFor();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await asked.waitFor();
    // Back closes what asks, and not the form.
    await page.goBack();
    await asked.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Web shop');
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
  });

  test('the own password is changed given the current one; an easy one is refused', async () => {
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
  });

  test('an admin invites by a link; its holder chooses a password once and signs in', async () => {
    await open('/staff');
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByLabel('Name').fill('Ivy Invited');
    await page.getByLabel('E-mail').fill('ivy@account.example');
    await page.getByRole('button', { name: 'Save' }).click();
    const link = (await page.getByRole('textbox', { name: 'the invite link' }).textContent())!;
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Ivy Invited.*invited/ }).waitFor();
    const at = await newPage();
    const password = 'nine lanterns over the harbour';
    for (const works of [true, false]) {
      await at.goto('about:blank');
      await at.goto(link);
      await at.getByLabel('New password').fill(password);
      expect(await axeFindings(at)).toEqual([]);
      await at.getByRole('button', { name: 'Set the password' }).click();
      await at.getByText(works ? 'Your password is set' : 'This link was used already').waitFor();
    }
    await open('/products', at);
    await signIn(at, { email: 'ivy@account.example', password });
    await at.getByRole('heading', { name: 'Products' }).waitFor();
    // A link is made beside no change that it would leave unsaved.
    await open('/staff');
    await page.getByRole('button', { name: 'Change Ivy Invited' }).click();
    const makeLink = page.getByRole('button', { name: 'Make a link to choose a password' });
    expect(await makeLink.isDisabled()).toBe(false);
    await page.getByRole('switch', { name: 'Sees costs' }).click();
    await page.getByText('A link or a reset comes after').waitFor();
    expect(await makeLink.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
  });

  test('a second factor is set up by QR code, asked for, and replaced once by a code', async () => {
    const manager = { name: 'Mo Manager', email: 'mo@account.example', password: 'correct horse battery', role: 'manager' };
    await world.call('POST', '/staff_users', { token: world.store.token, body: { staff_user: manager } });
    const at = await newPage();
    await open('/products', at);
    await signIn(at, manager);
    await at.getByRole('button', { name: 'New product' }).click();
    await at.getByLabel('Name').fill('Half typed');
    await at.getByLabel('Price').fill('3');
    const settings = { require_second_factor: true };
    await world.call('PATCH', '/settings', { token: world.store.token, body: { settings } });
    await at.getByRole('button', { name: 'Save' }).click();
    const step = at.getByRole('heading', { name: 'One more step' });
    await step.waitFor();
    await at.getByRole('button', { name: 'Set up one-time codes' }).click();
    await at.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    expect(await axeFindings(at)).toEqual([]);
    const secret = (await at.getByRole('textbox', { name: 'the secret for the app' }).textContent())!;
    const code = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: world.clock.now().getTime() });
    await at.getByLabel('Code of the app').fill('000000');
    await at.getByRole('button', { name: 'Turn it on' }).click();
    await at.getByText('Otp is not the current code').waitFor();
    await at.getByLabel('Code of the app').fill(code());
    // Only the answer has the recovery codes.
    await loseAnswer(at, 'POST', /\/second_factor\/confirm$/);
    await at.getByRole('button', { name: 'Turn it on' }).click();
    await at.getByRole('button', { name: 'Ask again' }).click();
    const codes = at.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    // What is read at once from a page that has still to answer is empty: wait for the tenth.
    await codes.nth(9).waitFor();
    const recovery = await codes.allTextContents();
    expect(recovery).toHaveLength(10);
    // A page that is loaded now does not ask for it again, and takes nothing from this one.
    const loaded = await at.context().newPage();
    await open('/customers', loaded);
    await loaded.getByRole('heading', { name: 'Customers' }).waitFor();
    // The session ends, and who signs in again has the codes still.
    await world.database.query('delete from gateway.staff_sessions where user_id = (select id from gateway.staff_users where email = $1)', [
      manager.email,
    ]);
    await loaded.getByRole('link', { name: 'Products' }).click();
    await at.getByText('Your session has ended').waitFor();
    world.clock.advance(30_000);
    const over = at.getByRole('dialog', { name: 'Sign in again' });
    await over.getByLabel('E-mail').fill(manager.email);
    await over.getByLabel('Password', { exact: true }).fill(manager.password);
    await over.getByRole('button', { name: 'Sign in' }).click();
    await over.getByLabel('One-time code').fill(code());
    await over.getByRole('button', { name: 'Sign in' }).click();
    await over.waitFor({ state: 'detached' });
    expect(await codes.allTextContents()).toEqual(recovery);
    await at.getByRole('button', { name: 'I have stored them' }).click();
    await step.waitFor({ state: 'detached' });
    // What was typed before the store asked for a code is there still.
    expect(await at.getByLabel('Name').inputValue()).toBe('Half typed');
    await at.getByRole('button', { name: 'Save' }).click();
    await at.getByText('The product is saved').waitFor();

    for (const otp of [() => code(), () => recovery[0]!]) {
      await at.getByRole('button', { name: 'Account' }).click();
      await at.getByRole('menuitem', { name: 'Sign out' }).click();
      world.clock.advance(30_000);
      await at.getByLabel('E-mail').fill(manager.email);
      await at.getByLabel('Password', { exact: true }).fill(manager.password);
      await at.getByRole('button', { name: 'Sign in' }).click();
      await at.getByLabel('One-time code').fill('000000');
      await at.getByRole('button', { name: 'Sign in' }).click();
      await at.getByText('Invalid one-time code').waitFor();
      await at.getByLabel('One-time code').fill(otp());
      await at.getByRole('button', { name: 'Sign in' }).click();
      await at.getByRole('heading', { name: 'Half typed' }).waitFor();
    }
    // An admin is asked for one as well, until the store asks no more; then he resets it.
    await open('/staff');
    const asked = page.getByRole('heading', { name: 'One more step' });
    await asked.waitFor();
    await world.database.query("update gateway.stores set settings = settings - 'require_second_factor' where id = $1", [world.store.id]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change Mo Manager' }).click();
    await page.getByRole('button', { name: 'Reset one-time codes' }).click();
    await page.getByRole('button', { name: 'Reset the codes of Mo Manager' }).click();
    await page.getByText('Mo Manager signs in without a code').waitFor();
    expect((await world.call('POST', '/staff_sessions', { body: manager })).status).toBe(201);
  });

  test("sessions are listed with their devices; an ended one's page asks to sign in", async () => {
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
  });
});
