/** What another till or tab does meanwhile: nothing of it is undone unseen, and nobody is told what is so no more. */
import { expect } from '@jest/globals';
import { doubleRequest, lateAnswer } from './answers.ts';
import { axeFindings, cutButtons, shown, signIn } from './chromium.ts';
import { inBrowser, narrow, page, test, useShop } from './panel.ts';
import { complete, holdsQuantity, park, scan, scanAnywhere, takePayment } from './till.ts';

const button = (name: string | RegExp) => page.getByRole('button', { name });
const patch = (sale: number, changes: object) => world.staff('PATCH', `/sales/${sale}`, { sale: changes });
const linesOf = (...goods: string[]) => goods.map((name) => ({ product_id: ids[name], quantity: 1 }));
const saleOf = async (id: number) => (await read(`/sales/${id}?include=note`)).sale;
/** A sale that this till has parked and taken up again. */
async function continued(): Promise<{ id: number; receipt: string }> {
  await scan(page, '22418', 'Globe');
  const receipt = await park(page);
  await button(`Resume ${receipt}`).click();
  await holdsQuantity(page, 'Globe', 1);
  const { sales } = await read(`/sales?search=${receipt}`);
  return { id: sales[0].id, receipt };
}

const { world, ids, newContext, open, signedIn, read } = useShop('/register', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'] });

inBrowser('what another till does', () => {
  test('to a parked sale is not discarded unseen by Clear or Discard', async () => {
    const first = await continued();
    await patch(first.id, { line_items: linesOf('Globe', 'Lamp') });
    await button('Clear').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText(`${first.receipt} was changed at another till, and is parked still`).waitFor();
    expect(await saleOf(first.id)).toMatchObject({ status: 'pending', total: '1.37' });
    await page.reload();
    const second = await continued();
    await patch(second.id, { line_items: linesOf('Globe', 'Lamp') });
    await button(`Discard ${second.receipt}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText(`${second.receipt} was changed at another till, and is parked still`).waitFor();
    expect((await saleOf(second.id)).status).toBe('pending');
    // Seen, it is discarded.
    await button(`Discard ${second.receipt}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await button(`Discard ${second.receipt}`).waitFor({ state: 'detached' });
    expect((await saleOf(second.id)).status).toBe('voided');
  });

  test('to a parked sale does not lose a note on it, and is told when it is paid', async () => {
    const { id, receipt } = await continued();
    await patch(id, { line_items: linesOf('Globe', 'Lamp') });
    await button(`Note on ${receipt}`).click();
    await page.getByLabel('Note', { exact: true }).fill('For Mrs Bell');
    await button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await saleOf(id)).note).toBe('For Mrs Bell');
    await page.keyboard.press('F8');
    await page.getByText(`${receipt} was changed at another till: this is how it is now`).waitFor();
    await holdsQuantity(page, 'Lamp', 1);
    await button('Clear').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await button(`Discard ${receipt}`).waitFor({ state: 'detached' });
  });

  test('to a parked sale, which it has ready, leaves it to be paid from its own page', async () => {
    const { id } = await world.create('/sales', { sale: { status: 'pending', line_items: linesOf('Globe') } });
    await patch(id, { status: 'ready' });
    const resume = async () => {
      await open(`/sales/${id}`, page);
      await page.getByRole('link', { name: 'Continue at the register' }).click();
      await holdsQuantity(page, 'Globe', 1);
      // Neither a reload nor the way back takes it up again.
      expect(await page.evaluate('history.state.usr')).toBeNull();
    };
    await resume();
    await scan(page, '21448', 'Lamp');
    await park(page);
    expect(await saleOf(id)).toMatchObject({ status: 'ready', total: '1.37' });
    await resume();
    await takePayment(page);
    await complete(page);
    expect(await saleOf(id)).toMatchObject({ status: 'completed', total: '1.37' });
  });

  test('when it voids a sale is said to who voids it too: nothing is handed back twice', async () => {
    const { id, receipt_number: receipt } = await world.create('/sales', { sale: { line_items: linesOf('Globe') } });
    await open(`/sales/${id}`, page);
    await button('Void the sale').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Hand back £0.85 in cash.').waitFor();
    await patch(id, { status: 'voided', void_reason: 'Wrong size' });
    await dialog.getByRole('button', { name: 'Void the sale' }).click();
    await dialog.getByText(`${receipt} was changed meanwhile`).waitFor();
    await dialog.getByText('nothing is to be given back again').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.getByText('The sale is voided').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Wrong size').waitFor();
  });

  test('leaves every parked sale in reach, behind others and behind open deliveries', async () => {
    const parked = { status: 'pending', line_items: linesOf('Lamp') };
    const eldest = await world.create('/sales', { sale: parked });
    for (let n = 0; n < 11; n++)
      await world.create('/sales', {
        sale: n % 2 === 0 ? parked : { ...parked, status: undefined, fulfillment_method: 'local_delivery' },
      });
    for (let n = 0; n < 5; n++) await world.create('/sales', { sale: parked });
    await page.reload();
    await button(/^Show all \d+$/).click();
    await button(`Resume ${eldest.receipt_number}`).click();
    await holdsQuantity(page, 'Lamp', 1);
    await page.getByText(`Continuing parked sale ${eldest.receipt_number}`).waitFor();
  });

  test('to a product that is switched off: its code is found no more', async () => {
    const update = (active: boolean) => world.staff('PATCH', `/products/${ids.Lamp}`, { product: { active } });
    await scan(page, '21448', 'Lamp');
    await button('Lamp is a favourite').click();
    await button('Clear').click();
    world.clock.advance(1_000);
    await update(false);
    await page.getByRole('link', { name: 'Sales', exact: true }).first().click();
    const read = page.waitForResponse(/updated_since=/);
    await page.getByRole('link', { name: 'Register', exact: true }).first().click();
    await read;
    // What was read is kept by the time that this is a line.
    await scan(page, '22418', 'Globe');
    await scanAnywhere(page, '21448');
    await page.getByText('No product has the code 21448').waitFor();
    await page.getByRole('group', { name: 'Favourites' }).getByRole('button', { name: 'Lamp' }).click();
    await page.getByText('Lamp is not for sale any more').waitFor();
    expect(await page.getByRole('group', { name: 'Favourites' }).count()).toBe(0);
    expect(await page.getByLabel('Quantity of Lamp').count()).toBe(0);
    await update(true);
  });

  test('or the network, twice: a hold that is released is shown no more', async () => {
    const { id } = await world.create('/gift_cards', { gift_card: { amount: 20, card_number: 'TWICE-1' } });
    await world.staff('POST', `/gift_cards/${id}/hold`, { amount: 8 });
    await open('/gift-cards', page);
    await page.getByLabel('Card number').fill('TWICE-1');
    await page.keyboard.press('Enter');
    await button('Release the hold of 8').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(narrow);
    await shown(page);
    expect([await axeFindings(page), await cutButtons(page)]).toEqual([[], []]);
    await doubleRequest(page, 'DELETE', /\/holds\/\d+$/);
    await button('Release the hold of 8').click();
    await page.getByRole('list', { name: 'Holds' }).waitFor({ state: 'detached' });
  });

  test('before the sign-in: a late refusal of the session before ends no other', async () => {
    await world.create('/sales', { sale: { status: 'pending', line_items: linesOf('Lamp') } });
    const staff_user = { name: 'Cleo Clerk', email: 'cleo@store.example', password: 'correct horse battery', role: 'clerk' };
    const { id } = await world.create('/staff_users', { staff_user });
    const other = await signedIn('/customers', await newContext(), staff_user);
    await world.database.query('delete from gateway.staff_sessions where user_id = $1', [id]);
    const refused = await lateAnswer(other, 'GET', /\/api\/v1\/sales\?/);
    await other.getByRole('link', { name: 'Register' }).click();
    const again = other.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    const old = other.waitForResponse((response) => response.status() === 401 && response.url().includes('/sales?'));
    await signIn(other, staff_user);
    await again.waitFor({ state: 'detached' });
    refused();
    await old;
    // It is asked for again.
    await other
      .getByRole('button', { name: /^Resume/ })
      .or(again)
      .first()
      .waitFor();
    expect(await again.count()).toBe(0);
    await other.context().close();
  });
});
