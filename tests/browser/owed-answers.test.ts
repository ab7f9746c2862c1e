/** Forms whose answer is lost after the store has acted: they are locked, ask again for what they sent, and it counts once. */
import { expect } from '@jest/globals';
import { loseAnswer } from './answers.ts';
import { signIn } from './chromium.ts';
import { button, inBrowser, page, test, useShop } from './panel.ts';
import { choose } from './till.ts';

interface Form {
  path: () => string;
  /** The last part of the address that it POSTs to. */
  to: string;
  fill: () => Promise<unknown>;
  press: string;
  /** What the API says of it, and what that is once it is recorded; one record when absent. */
  recorded: () => Promise<number>;
  once?: number;
}

let customerId: number;

const form = () => page.getByRole('dialog').or(page.locator('main')).last();
const press = (name: string) => form().getByRole('button', { name, exact: true }).click();
const field = (label: string) => form().getByLabel(label);
const cardOf = async (number: string) => (await read(`/gift_cards/lookup/${number}`)).gift_card;
const typeInto = async (action: string, fields: Record<string, string>) => {
  await button(action).click();
  for (const [label, text] of Object.entries(fields)) await field(label).fill(text);
};
const openCard = async (number: string) => {
  await page.getByLabel('Card number').fill(number);
  await page.keyboard.press('Enter');
};

const {
  world,
  ids: goods,
  newContext,
  open,
  read,
} = useShop('/', { Globe: ['22418', '0.85'], Lamp: ['21448', '0.52'] }, async () => {
  await world.setStore(world.store, { features: ['developer_api', 'customers', 'loyalty', 'stock_locations'] });
  customerId = (await world.create('/customers', { customer: { name: 'Noor Haddad' } })).id;
  await world.create('/warehouse_locations', { warehouse_location: { name: 'Shop', kind: 'floor' } });
  const { id } = await world.create('/warehouse_locations', { warehouse_location: { name: 'Cellar', kind: 'back' } });
  const stock = { product_id: goods.Globe, adjustment_type: 'receive', quantity_change: 9, warehouse_location_id: id };
  await world.staff('POST', '/stock_adjustments', stock);
  for (const card_number of ['HOLD-1', 'CORRECT-1', 'CANCEL-1', 'RELEASE-1'])
    await world.create('/gift_cards', { gift_card: { amount: 20, card_number } });
});

const forms: Record<string, Form> = {
  'a new customer at the till': {
    path: () => '/register',
    to: '/customers',
    fill: async () => {
      await choose(page.getByRole('combobox', { name: 'Customer' }), 'New customer: Ivy Once', 'Ivy Once');
      // Nobody else may have it, which is asked before anything is sent.
      await field('Loyalty card').fill('4900077');
    },
    press: 'Save',
    recorded: async () => (await read('/customers?q=Ivy')).customers.length,
  },
  'a gift card that is issued': {
    path: () => '/gift-cards',
    to: '/gift_cards',
    fill: () => typeInto('Issue a card', { Amount: '25' }),
    press: 'Issue',
    recorded: async () =>
      (await read('/audit_entries?resource_type=GiftCard&per_page=100')).audit_entries.filter((entry: { after: { balance?: unknown } }) =>
        /^25/.test(String(entry.after?.balance)),
      ).length,
  },
  'stock that is moved': {
    path: () => '/stock',
    to: '/stock_transfers',
    fill: async () => {
      await typeInto('Move stock', { Product: '22418' });
      await page.keyboard.press('Enter');
      await form().getByText('in stock').waitFor();
      await field('Quantity').fill('3');
      await choose(form().getByRole('combobox', { name: 'From' }), 'Cellar');
      await choose(form().getByRole('combobox', { name: 'To' }), 'Shop');
    },
    press: 'Move',
    recorded: async () => (await read('/stock_adjustments?adjustment_type=transfer_in')).stock_adjustments.length,
  },
  'an amount of a gift card that is held': {
    path: () => '/gift-cards',
    to: '/hold',
    fill: () => openCard('HOLD-1').then(() => typeInto('Hold', { Amount: '8' })),
    press: 'Hold',
    recorded: async () => Number((await cardOf('HOLD-1')).available_balance),
    once: 12,
  },
  "a gift card's balance that is corrected": {
    path: () => '/gift-cards',
    to: '/adjust',
    fill: () => openCard('CORRECT-1').then(() => typeInto('Correct the balance', { By: '5', Reason: 'Typed wrongly' })),
    press: 'Save',
    recorded: async () => Number((await cardOf('CORRECT-1')).balance),
    once: 25,
  },
  'points that are corrected': {
    path: () => `/customers/${customerId}`,
    to: '/loyalty/adjust',
    fill: () => typeInto('Correct', { By: '40', Reason: 'Card was forgotten' }),
    press: 'Save',
    recorded: async () => (await read(`/customers/${customerId}/loyalty`)).loyalty.loyalty_points,
    once: 40,
  },
  'customers who are one': {
    path: () => `/customers/${customerId}`,
    to: '/merge',
    fill: async () => {
      const { id } = await world.create('/customers', { customer: { name: 'Nora Twice' } });
      await world.staff('POST', `/customers/${id}/store_credit`, { store_credit: { amount: '5.00', transaction_type: 'issue' } });
      await button('Merge').click();
      await choose(form().getByRole('combobox', { name: 'Customer' }), /^Nora Twice/, 'Nora T');
      await form().getByText('cannot be undone').waitFor();
    },
    press: 'Merge',
    recorded: async () => (await read(`/store_credits/customer/${customerId}`)).store_credit.balance,
    once: 5,
  },
  'a person who is invited': {
    path: () => '/staff',
    to: '/staff_users',
    fill: () => typeInto('Add a person', { Name: 'Ivy Owed', 'E-mail': 'ivy.owed@owed.example' }),
    press: 'Save',
    recorded: async () => (await read('/staff_users')).staff_users.filter(({ name }: { name: string }) => name === 'Ivy Owed').length,
  },
};

inBrowser('a form whose answer is lost', () => {
  const isSaid = () => page.getByText('The answer was lost. It may have been recorded.').waitFor();
  const sentTo = (to: string) => new RegExp(`/api/v1/.*${to}(\\?|$)|/api/v1${to}$`);
  /** Asks again; the form ends with the answer. */
  const askAgain = async () => {
    expect(await page.locator('fieldset:disabled').count()).toBe(1);
    await press('Ask again');
    await page.locator('fieldset:disabled').waitFor({ state: 'detached' });
  };

  for (const [what, { path, to, fill, press: name, recorded, once = 1 }] of Object.entries(forms))
    test(`asks again and records once: ${what}`, async () => {
      await open(path(), page);
      await fill();
      const lost = await loseAnswer(page, 'POST', sentTo(to));
      await press(name);
      await isSaid();
      await askAgain();
      expect(lost()).toBe(1);
      expect(await recorded()).toBe(once);
    });

  const shownOnce = [
    ['a gift card', '/gift-cards', 'Issue a card', { Amount: '31' }, 'Issue', '/gift_cards', () => page.locator('.code').first()],
    [
      'an API key',
      '/keys',
      'Create a key',
      { Name: 'Web shop' },
      'Create the key',
      '/api_keys',
      () => page.getByRole('textbox', { name: 'the new API key' }),
    ],
  ] as const;
  for (const [what, path, opens, fields, name, to, shows] of shownOnce)
    test(`offers nothing to look at, and is owed once closed and loaded anew: ${what}`, async () => {
      await open(path, page);
      await typeInto(opens, fields);
      if (to === '/api_keys') await press('All that read');
      await loseAnswer(page, 'POST', sentTo(to));
      await press(name);
      await isSaid();
      expect(await button('Look at what is stored').count()).toBe(0);
      await page.keyboard.press('Escape');
      if (to === '/gift_cards') await button('Leave').click();
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
      await page.reload();
      await button(opens).click();
      await isSaid();
      const [[label, typed]] = Object.entries(fields) as [[string, string]];
      expect(await field(label).inputValue()).toContain(typed);
      await press('Ask again');
      await shows().waitFor();
      if (to === '/api_keys') expect((await read(to)).api_keys).toHaveLength(1);
    });

  test('of a cancelled gift card, or a released hold, shows what is stored', async () => {
    const { id } = await cardOf('RELEASE-1');
    await world.staff('POST', `/gift_cards/${id}/hold`, { amount: 8 });
    await open('/gift-cards', page);
    await openCard('RELEASE-1');
    const released = await loseAnswer(page, 'DELETE', /\/holds\/\d+$/);
    await button('Release the hold of 8').click();
    await page.getByRole('list', { name: 'Holds' }).waitFor({ state: 'detached' });
    expect([released(), (await cardOf('RELEASE-1')).available_balance]).toEqual([1, 20]);
    await openCard('CANCEL-1');
    await button('Cancel the card').click();
    const cancelled = await loseAnswer(page, 'POST', /\/cancel$/);
    await press('Cancel the card');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('cancelled', { exact: true }).waitFor();
    expect([cancelled(), (await cardOf('CANCEL-1')).status]).toEqual([1, 'cancelled']);
    // The next card is asked about anew.
    await openCard('RELEASE-1');
    await button('Cancel the card').click();
    await press('Cancel the card');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await cardOf('RELEASE-1')).status).toBe('cancelled');
  });

  test('of a void keeps its reason as it was sent', async () => {
    const sale = {
      line_items: [{ product_id: goods.Lamp, quantity: 1 }],
      status: 'completed',
      payments: [{ method: 'cash', amount: '0.52' }],
    };
    const { id } = await world.create('/sales', { sale });
    await open(`/sales/${id}`, page);
    await typeInto('Void the sale', { Reason: 'Wrong size' });
    await loseAnswer(page, 'PATCH', /\/sales\/\d+$/);
    await press('Void the sale');
    await isSaid();
    expect(await field('Reason').isDisabled()).toBe(true);
    await askAgain();
    expect((await read(`/sales/${id}`)).sale).toMatchObject({ status: 'voided', void_reason: 'Wrong size' });
  });

  test('asks again for the bill alone, whatever a colleague changed meanwhile', async () => {
    const line_items = [{ product_id: goods.Lamp, quantity_ordered: 10, unit_price: '0.20' }];
    const { id } = await world.create('/purchase_orders', { purchase_order: { line_items } });
    await open(`/purchase-orders/${id}`, page);
    await typeInto("Supplier's invoice", { Number: 'L-77' });
    await field('Billed: Lamp').first().fill('9');
    await loseAnswer(page, 'POST', sentTo('/invoice'));
    await press('Save');
    await isSaid();
    await world.staff('PATCH', `/purchase_orders/${id}`, { purchase_order: { supplier_invoice_number: 'L-78' } });
    await askAgain();
    expect((await read(`/purchase_orders/${id}?include=supplier_invoice_number`)).purchase_order).toMatchObject({
      supplier_invoice_number: 'L-78',
      line_items: [{ quantity_invoiced: 9 }],
    });
  });

  test('says after an invite that is gone that the password may be set', async () => {
    const login = { email: 'ivy@owed.example', password: 'nine lanterns over the harbour' };
    const staff_user = { name: 'Ivy Invited', email: login.email, role: 'clerk' };
    const { invite } = await world.staff('POST', '/staff_users', { staff_user, invite: true });
    const guest = await (await newContext()).newPage();
    await guest.goto(`${world.baseUrl}/admin/invite#${invite.token}`);
    await guest.getByLabel('New password').fill(login.password);
    await loseAnswer(guest, 'POST', sentTo('/accept_invite'));
    await guest.getByRole('button', { name: 'Set the password' }).click();
    await guest.getByText('The answer was lost. It may have been recorded.').waitFor();
    expect(await guest.getByLabel('New password').isDisabled()).toBe(true);
    await guest.getByRole('button', { name: 'Ask again' }).click();
    await guest.getByText('Your password may have been set').waitFor();
    expect(await guest.getByText('Ask an admin').count()).toBe(0);
    await guest.getByRole('link', { name: 'To the sign-in' }).click();
    await signIn(guest, login);
    await guest.context().close();
  });
});
