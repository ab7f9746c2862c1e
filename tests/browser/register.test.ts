/** The register on a counter: a network that drops, delays and doubles, scans in any field, cash, reloads and lapsed sessions. */
import { expect } from '@jest/globals';
import { loseAnswer } from './answers.ts';
import { axeFindings, shown } from './chromium.ts';
import { inBrowser, test, page as till, usePanel } from './panel.ts';
import { choose, holdsQuantity, scanAnywhere, scanWithEnter, takePayment } from './till.ts';

const codes = Array.from({ length: 5 }, (_, n) => `500000000000${n}`);

const sales = async () => (await read('/sales?per_page=100')).sales as { status: string; total: string; line_items: unknown[] }[];

const { world, post, read } = usePanel(async () => {
  for (const [n, barcode] of codes.entries()) await post('/products', { product: { name: `Good ${n}`, barcode, price: '0.85' } });
  await world.staff('PATCH', '/settings', { settings: { tax: { mode: 'single', rate: '0' } } });
}, '/register');

const scan = (code: string) => scanAnywhere(till, code);
const toPay = (amount: string) => till.getByRole('status', { name: 'To pay' }).getByText(amount).waitFor();

inBrowser('the register', () => {
  test('a sale whose answer is lost is paid once, a parked one parked once', async () => {
    const before = (await sales()).length;
    const lost = await loseAnswer(till, 'POST', /\/api\/v1\/sales$/);
    await scan(codes[0]!);
    await takePayment(till);
    await till.keyboard.press('Enter');
    await till.getByText(/^Sale R-/).waitFor();
    expect([lost(), (await sales()).length]).toEqual([1, before + 1]);
    await till.unroute(/\/api\/v1\/sales$/);

    const lostAgain = await loseAnswer(till, 'POST', /\/api\/v1\/sales$/);
    await scan(codes[1]!);
    await holdsQuantity(till, 'Good 1', 1);
    await till.keyboard.press('F8');
    await till.getByText(/^Parked as R-/).waitFor();
    const parked = (await sales()).filter(({ status }) => status === 'pending');
    expect([lostAgain(), parked.length]).toEqual([1, 1]);

    // Completing the parked one, its answer lost too, and the page reloaded meanwhile.
    await till.getByRole('button', { name: /^Resume/ }).click();
    await till.getByText('Continuing parked sale').waitFor();
    await till.route(/\/api\/v1\/sales\/\d+$/, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await takePayment(till);
    await till.keyboard.press('Enter');
    await till.getByText('Do not ring this sale again').waitFor();
    await till.unroute(/\/api\/v1\/sales\/\d+$/);
    await till.reload();
    await till.getByText(/^Sale R-/).waitFor();
    const after = await sales();
    expect([after.length, after.filter(({ status }) => status === 'completed').length]).toEqual([before + 2, before + 2]);
  });

  test('scans faster than look-ups, from any field, become lines in order', async () => {
    await till.route(/\/api\/v1\/products\?(barcode|sku)=/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.fallback();
    });
    // On opening, the page takes scans at once.
    for (const code of [codes[0]!, codes[1]!, codes[2]!, codes[0]!]) await scan(code);
    await holdsQuantity(till, 'Good 0', 2);
    await holdsQuantity(till, 'Good 2', 1);
    await till.getByLabel('Quantity of Good 1').focus();
    await scan(codes[3]!);
    await till.getByLabel('Discount on the sale').focus();
    await scan(codes[4]!);
    await holdsQuantity(till, 'Good 4', 1);
    await holdsQuantity(till, 'Good 1', 1);
    expect(await till.getByLabel('Discount on the sale').inputValue()).toBe('');
    expect(
      await till.getByLabel(/^Quantity of/).evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
    ).toEqual(['2', '1', '1', '1', '1']);
    await scan('9999999999994');
    await till.getByText('No product has the code 9999999999994').waitFor();
    await till.getByLabel('Add a product').fill('3*');
    await scan(codes[4]!);
    await holdsQuantity(till, 'Good 4', 4);
    await till.getByText('No product has the code 9999999999994').waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await till.getByRole('button', { name: 'Seen' }).click();
  });

  test('a quantity that cannot be sold goes back; 0 and Clear can be undone', async () => {
    await scan(codes[0]!);
    await holdsQuantity(till, 'Good 0', 1);
    const quantity = till.getByLabel('Quantity of Good 0');
    for (const wrong of ['-2', '', '1.5', '32022436000001']) {
      await quantity.fill(wrong);
      await quantity.blur();
      await holdsQuantity(till, 'Good 0', 1);
    }
    await quantity.fill('0');
    await quantity.blur();
    await till.getByText('No lines yet').waitFor();
    await till.getByRole('button', { name: 'Undo' }).click();
    await holdsQuantity(till, 'Good 0', 1);
    await till.getByRole('button', { name: 'Clear' }).click();
    await till.getByText('No lines yet').waitFor();
    await till.getByRole('button', { name: 'Undo' }).last().click();
    await holdsQuantity(till, 'Good 0', 1);
  });

  test('shows what is to pay and the change, and sends what is due', async () => {
    await scan(codes[0]!);
    await scan(codes[1]!);
    await toPay('1.70');
    await till.getByLabel('Discount on the sale').fill('0,50');
    await till.getByLabel('Add a product').focus();
    await toPay('1.20');
    const dialog = await takePayment(till);
    // Its text is selected: a number replaces it.
    await till.keyboard.type('20', { delay: 80 });
    await dialog.getByText('18.80').waitFor();
    await till.keyboard.press('Enter');
    await till.getByText(/^Sale R-/).waitFor();
    await till.getByText('18.80').waitFor();
    expect((await sales())[0]).toMatchObject({ status: 'completed', total: '1.20' });
    await scan(codes[2]!);
    await holdsQuantity(till, 'Good 2', 1);
    await till.getByText('18.80').waitFor({ state: 'detached' });
  });

  test('a parked sale paid at another till is not paid again or voided, and explained', async () => {
    const product = (await read(`/products?barcode=${codes[0]}`)).products[0].id;
    const line_items = [{ product_id: product, quantity: 1 }];
    const { sale } = await post('/sales', { sale: { status: 'pending', line_items } });
    await till.reload();
    await till.getByRole('button', { name: `Resume ${sale.receipt_number}` }).click();
    await holdsQuantity(till, 'Good 0', 1);
    await till.getByText(`Continuing parked sale ${sale.receipt_number}`).waitFor();
    await world.staff('PATCH', `/sales/${sale.id}`, { sale: { status: 'completed' } });
    await takePayment(till);
    await till.keyboard.press('Enter');
    const notice = till.getByText(new RegExp(`^${sale.receipt_number} was paid .* at another till$`));
    await notice.waitFor();
    await till.getByRole('button', { name: 'Clear' }).click();
    await till.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await notice.waitFor();
    expect((await read(`/sales/${sale.id}`)).sale.status).toBe('completed');
  });

  test('keeps its cart over another page, a reload and a lapsed session', async () => {
    await scan(codes[0]!);
    await holdsQuantity(till, 'Good 0', 1);
    await till.getByRole('link', { name: 'Products' }).click();
    await till.getByRole('heading', { name: 'Products' }).waitFor();
    await till.goBack();
    await holdsQuantity(till, 'Good 0', 1);
    await till.reload();
    await holdsQuantity(till, 'Good 0', 1);
    await till.context().clearCookies();
    await till.getByRole('button', { name: 'Take payment' }).click();
    const over = till.getByRole('dialog', { name: 'Sign in again' });
    // A badge types both as a scanner does.
    await over.getByLabel('E-mail').focus();
    await scanWithEnter(till, world.store.email, 'Tab');
    await over.getByLabel('Password', { exact: true }).and(till.locator(':focus')).waitFor();
    await scanWithEnter(till, world.store.password);
    await over.waitFor({ state: 'detached' });
    await holdsQuantity(till, 'Good 0', 1);
    await takePayment(till);
    await till.keyboard.press('Enter');
    await till.getByText(/^Sale R-/).waitFor();
  });

  test('a page whose file is gone is loaded anew once, and then says so', async () => {
    await till.route(/assets\/stock-/, (route) => route.fulfill({ status: 404, body: '' }));
    await till.getByRole('link', { name: 'Stock ledger' }).click();
    await till.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await till.unroute(/assets\/stock-/);
    await till.getByRole('button', { name: 'Try again' }).click();
    await till.getByRole('heading', { name: 'Stock ledger' }).waitFor();
    // Of the panel itself nothing is there to say it.
    await till.route(/assets\/app-/, (route) => route.abort());
    await till.reload();
    await till.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await till.unroute(/assets\/app-/);
    await till.getByRole('button', { name: 'Try again' }).click();
    await till.getByRole('heading', { name: 'Stock ledger' }).waitFor();
  });

  test("a void says what each tender gives back; the day's report has it, on paper too", async () => {
    const { customer } = await post('/customers', { customer: { name: 'Nora Quill' } });
    await post(`/customers/${customer.id}/store_credit`, { store_credit: { amount: 5, transaction_type: 'issue' } });
    await post('/gift_cards', { gift_card: { amount: 5, card_number: 'PANEL-QX9Z' } });
    const [good] = (await read('/products?per_page=1')).products;
    const { sale } = await post('/sales', {
      sale: {
        customer_id: customer.id,
        line_items: [{ product_id: good.id, quantity: 1, unit_price: '12.00' }],
        payments: [
          { method: 'gift_card', amount: '5.00', card_number: 'PANEL-QX9Z' },
          { method: 'store_credit', amount: '4.00' },
          { method: 'debit', amount: '3.00' },
        ],
      },
    });
    await till.goto(`${world.baseUrl}/admin/customers/${customer.id}`);
    await till.getByRole('link', { name: 'All sales' }).click();
    await till.getByText('Customer Nora Quill').waitFor();
    await till.getByRole('link', { name: sale.receipt_number }).waitFor();
    await shown(till);
    expect(await till.locator('tbody tr').count()).toBe(1);
    expect(await axeFindings(till)).toEqual([]);
    await till.getByRole('button', { name: 'Remove the customer' }).click();
    await choose(till.getByRole('combobox', { name: 'Customer' }), /^Nora Quill/, 'Nora');
    await till.getByText('Customer Nora Quill').waitFor();
    await till.getByRole('link', { name: sale.receipt_number }).click();

    await till.getByRole('row', { name: /^Gift card …QX9Z \S*5\.00 No$/ }).waitFor();
    await till.getByRole('button', { name: 'Void the sale' }).click();
    const asked = till.getByRole('dialog');
    await asked.getByText(/5\.00 goes back to the gift card that ends in QX9Z\.$/).waitFor();
    await asked.getByText(/4\.00 goes back to the customer's store credit\.$/).waitFor();
    await asked.getByText(/^Refund \S*3\.00 by debit yourself\.$/).waitFor();
    expect(await axeFindings(till)).toEqual([]);
    await asked.getByRole('button', { name: 'Void the sale' }).click();
    await till.getByRole('row', { name: /^Gift card …QX9Z \S*5\.00 Yes$/ }).waitFor();

    await till.route(/\/payments$/, (route) => route.abort());
    await till.reload();
    await till.getByRole('button', { name: 'Print the receipt' }).click();
    await till.getByText('The receipt was not printed').waitFor();
    await till.unroute(/\/payments$/);
    await till.evaluate('globalThis.print = () => { globalThis.printed = true; }');
    await till.getByRole('button', { name: 'Print the receipt' }).click();
    await till.waitForFunction(() => (globalThis as { printed?: boolean }).printed);

    await till.getByRole('link', { name: 'Day report' }).click();
    await till.getByRole('row', { name: /^Gift card \S*5\.00 \S*5\.00 \S*0\.00$/ }).waitFor();
    await till.getByRole('row', { name: /^Gift cards: refund 1 \S*5\.00$/ }).waitFor();
    await shown(till);
    expect(await axeFindings(till)).toEqual([]);
    // What was sold while the page stood open is on the paper.
    await till.evaluate("print = () => { document.documentElement.dataset.day = document.querySelector('#main').innerText; }");
    const salesOf = async () => Number(/Count\s+(\d+)/.exec(await till.locator('#main').innerText())![1]);
    const before = await salesOf();
    const product_id = (await read(`/products?barcode=${codes[0]}`)).products[0].id;
    await post('/sales', { sale: { line_items: [{ product_id, quantity: 1 }], payment_method: 'debit' } });
    await till.getByRole('button', { name: 'Print' }).click();
    await till.locator('html[data-day]').waitFor({ state: 'attached' });
    expect(/Count\s+(\d+)/.exec((await till.locator('html').getAttribute('data-day'))!)![1]).toBe(String(before + 1));
    const pages = till.getByRole('navigation', { name: 'Pages' });
    await pages.waitFor();
    await till.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await pages.waitFor({ state: 'hidden' });
    await till.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' });
    expect(await till.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });

  test('a void of an older sale is among what changed', async () => {
    const line_items = [{ product_id: (await read(`/products?barcode=${codes[0]}`)).products[0].id, quantity: 1 }];
    const older = { line_items, payment_method: 'debit', completed_at: '2026-10-01T10:00:00Z' };
    const { sale } = await post('/sales', { sale: older });
    await world.staff('PATCH', `/sales/${sale.id}`, { sale: { status: 'voided' } });
    await till.goto(`${world.baseUrl}/admin/sales`);
    await till.getByText('Changed', { exact: true }).click();
    await till.getByRole('link', { name: sale.receipt_number }).waitFor();
  });
});
