/** What staff add to an order while nothing was received, and the id that another system has for it (D267, D286). */
import { expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, staffOf, storeId } from '../../test/purchasing-under-test.ts';

sharePurchasing();

const billed = { supplier_invoice_number: 'LW-2041', supplier_invoice_date: '2026-11-21' };
const details = { expected_on: '2026-12-01', notes: 'By the back door', ...billed, external_id: 'erp-1' };
/** A manager whose request names the fields. */
const asking = staffOf(storeId, { scopes: new Set(Object.keys(details).map((name) => `include:${name}`)) });
const shown = (id: number) => purchasing.get(id, asking);
const lines = [{ product_id: 1, quantity_ordered: 4, unit_price: 1 }];
const order = (fields: object = {}) => purchasing.order(lines, fields);
const patch = async (id: number, purchase_order: object) =>
  (await purchasing.body('UpdatePurchaseOrder', { purchase_order }, asking, { id })).purchase_order;
const refused = async (id: number, fields: object) => (await purchasing.refusal(patch(id, fields))).errors;

test('POST and PATCH take them, answers show them where asked for, events never', async () => {
  const { id, ...created } = await order(details);
  for (const name of Object.keys(details)) expect(created).not.toHaveProperty(name);
  expect(await shown(id)).toMatchObject(details);
  const supplierId = await purchasing.supplier('Lights');
  const after = { supplier_id: supplierId, notes: 'Ring twice', expected_on: null, external_id: 'erp-2' };
  const changes = { supplier_id: supplierId, notes: 'Ring twice', expected_on: '', external_id: ' erp-2 ' };
  const events = await purchasing.eventsOf(storeId, async () => {
    const changed = await patch(id, changes);
    const { supplier_id, ...shownToo } = after;
    expect(changed).toMatchObject({ ...details, supplier: { id: supplier_id, name: 'Lights' }, ...shownToo });
    expect(await patch(id, changes)).toEqual(changed);
  });
  const before = { supplier_id: null, notes: details.notes, expected_on: details.expected_on, external_id: 'erp-1' };
  expect(events.map(({ body, audit }) => [body, audit])).toEqual([
    [null, expect.objectContaining({ action: 'purchase_order.update', before, after })],
  ]);
  const [received] = await purchasing.eventsOf(storeId, () => purchasing.move(id, 'received'));
  for (const name of Object.keys(details)) expect(received!.body.data).not.toHaveProperty(name);
});

test('once something arrived or it is closed, only invoice and external id change', async () => {
  const part = await order(details);
  await purchasing.receive(part.id, { line_items: [{ id: part.line_items[0].id, quantity_received: 1 }] });
  const late = ["Notes can't be changed once something was received", "Supplier id can't be changed once something was received"];
  expect([...(await refused(part.id, { notes: 'x', supplier_id: await purchasing.supplier('Lights') }))].sort()).toEqual(late);
  const invoice = { supplier_invoice_number: 'LW-2050', supplier_invoice_date: '2026-12-02' };
  expect(await patch(part.id, { ...details, ...invoice, external_id: 'erp-9' })).toMatchObject({ ...invoice, external_id: 'erp-9' });
  await purchasing.move(part.id, 'received');
  expect(await patch(part.id, { supplier_invoice_number: 'LW-2051' })).toMatchObject({ supplier_invoice_number: 'LW-2051' });
  const { id } = await order();
  expect(await patch(id, { status: 'cancelled', notes: 'Too dear' })).toMatchObject({ status: 'cancelled', notes: 'Too dear' });
  expect(await refused(id, { notes: 'x' })).toEqual(["Notes can't be changed on an order that is cancelled"]);
  const invoiced = ["Supplier invoice number can't be changed on an order that is cancelled"];
  expect(await refused(id, { supplier_invoice_number: 'LW-1' })).toEqual(invoiced);
});

test('each mistake is named; a refused PATCH changes nothing', async () => {
  await order({ external_id: 'erp-taken' });
  const { id } = await order({ notes: 'kept' });
  const before = await shown(id);
  expect(await refused(id, { notes: 'x', external_id: 'erp-taken' })).toEqual(['External id has already been taken']);
  const wrong = { expected_on: '2026-02-30', supplier_invoice_date: 'soon', supplier_invoice_number: 'x'.repeat(256), supplier_id: 'x' };
  expect(await refused(id, wrong)).toHaveLength(4);
  expect(await shown(id)).toEqual(before);
  const taken = await purchasing.refusal(order({ external_id: 'erp-taken', supplier_id: 999_999 }));
  expect(taken.errors).toEqual(['Supplier not found', 'External id has already been taken']);
});

test('external_id finds its order exactly, in its store; of two at once one is made', async () => {
  const { id } = await order({ external_id: 'Erp-5' });
  purchasing.catalog.products.set(60, { storeId: 6, name: 'Theirs' });
  await purchasing.order([{ ...lines[0], product_id: 60 }], { external_id: 'Erp-5' }, 6);
  const found = async (query: string) => (await purchasing.list(query, asking)).purchase_orders.map((found: { id: number }) => found.id);
  expect(await found('external_id=%20Erp-5')).toEqual([id]);
  for (const nobodys of ['erp-5', 'Erp-5%00', 'x'.repeat(300)]) expect(await found(`external_id=${nobodys}`)).toEqual([]);
  expect((await found('external_id=%20')).length).toBeGreaterThan(1);
  for (const once of [{ external_id: 'twice' }, { order_number: 'TWICE' }]) {
    const twice = await Promise.allSettled([order(once), order(once)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const one of twice) if (one.status === 'rejected') expect([409, 422]).toContain(one.reason.status);
  }
});
