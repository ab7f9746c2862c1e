/** PATCH, PUT and DELETE /customers/:id: what changes, what is told, what archiving keeps. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Json, problemOf } from '@store/testbed';
import { customers, key, shareCustomers, staff, storeId } from '../../test/shared-customers.ts';

shareCustomers();
beforeEach(() => {
  customers.clock.set('2026-11-20T12:00:00.000Z');
});

const maya = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018', notes: 'Likes tea' };
const create = async (customer: object = maya): Promise<Json> => customers.create(customer, key);

describe('a change', () => {
  test('keeps what was not sent, takes away what is blank, and answers the full record', async () => {
    const before = await create();
    customers.clock.advance(1_000);
    const after = await customers.patch(before.id, { name: ' Maya Brown ', phone: '', date_of_birth: '1990-01-02' }, key);
    const { phone: _, ...kept } = before;
    expect(after).toEqual({
      ...kept,
      name: 'Maya Brown',
      date_of_birth: '1990-01-02',
      age: 36,
      updated_at: '2026-11-20T12:00:01.000Z',
    });
  });

  test('tells subscribers and sales, and audits what differs, before and after', async () => {
    const { id } = await create();
    const change = { email: 'new@example.com', notes: 'Likes tea' };
    const [event, ...more] = await customers.eventsOf(storeId, () => customers.patch(id, change, key));
    expect(more).toEqual([]);
    expect(event).toMatchObject({ name: 'customer.updated', aggregate: `customer:${id}` });
    expect(JSON.stringify(event!.body.data)).toBe(JSON.stringify(await customers.get(id, key)));
    expect(event!.internal.customer).toMatchObject({ id, email: 'new@example.com', archived: false });
    expect(event!.audit).toMatchObject({
      action: 'customer.update',
      before: { email: 'maya@example.com' },
      after: { email: 'new@example.com' },
    });
  });

  test('D224: that changes nothing has no event and moves no time', async () => {
    const before = await create();
    customers.clock.advance(1_000);
    const events = await customers.eventsOf(storeId, async () => {
      expect(await customers.patch(before.id, { ...maya, loyalty_card_number: ' ' }, key)).toEqual(before);
    });
    expect(events).toEqual([]);
  });

  test('D80: has no duplicate check', async () => {
    await create();
    const other = await create({ name: 'Noor' });
    expect(await customers.patch(other.id, { email: maya.email, phone: maya.phone }, key)).toMatchObject({
      id: other.id,
      email: maya.email,
    });
  });

  test('of the address is for staff; from a key it is ignored', async () => {
    const { id } = await create();
    expect(await customers.patch(id, { address_line1: '1 Low Road', city: 'Leeds' }, key)).not.toHaveProperty('city');
    expect(await customers.patch(id, { address_line1: '1 Low Road', city: 'Leeds' }, staff)).toMatchObject({ city: 'Leeds' });
    expect((await customers.get(id, key)).address).toEqual({ line1: '1 Low Road', city: 'Leeds' });
  });

  test.each<[object, string[]]>([
    [{ name: '' }, ["Name can't be blank"]],
    [{ email: 'x' }, ['Email is invalid']],
    [{ email_receipt_opt_in: '' }, ['Email receipt opt in must be true or false']],
    [{ loyalty_card_number: 'TAKEN' }, ['Loyalty card number has already been taken']],
  ])('%j is 422 with errors alone, and nothing is changed', async (change, errors) => {
    await customers.create({ name: 'Holder', loyalty_card_number: 'TAKEN' }, key);
    const before = await create({ ...maya, loyalty_card_number: 'MINE' });
    expect((await problemOf(customers.patch(before.id, { notes: 'changed', ...change }, key))).extra.body).toEqual({ errors });
    const { address: _, ...shown } = await customers.get(before.id, key);
    expect(shown).toEqual(before);
    expect(await customers.patch(before.id, { loyalty_card_number: 'MINE' }, key)).toEqual(before);
  });

  test('D1: a body without the customer is 400 before an unknown id is 404, and that before 422', async () => {
    const refused = (body: object) => customers.refusal(customers.body('UpdateCustomer', body, key, { id: 999_999_999 }));
    for (const body of [{}, { customer: {} }, { customer: { colour: 'red' } }]) expect(await refused(body)).toMatchObject({ status: 400 });
    expect(await refused({ customer: { name: '' } })).toEqual({ status: 404, error: 'Customer not found' });
  });

  test('20 changes at once of different fields all hold, each with its event', async () => {
    const { id } = await create();
    const fields = ['name', 'email', 'phone', 'notes'] as const;
    const value = (field: string, n: number) =>
      ({ name: `N${n}`, email: `e${n}@example.com`, phone: `555000${1000 + n}`, notes: `${n}` })[field]!;
    const changes = Array.from({ length: 20 }, (_, n) => ({ [fields[n % 4]!]: value(fields[n % 4]!, n) }));
    const events = await customers.eventsOf(storeId, () => Promise.all(changes.map((change) => customers.patch(id, change, key))));
    expect(events).toHaveLength(20);
    const last = events.at(-1)!.body.data;
    expect(await customers.get(id, key)).toEqual(last);
    for (const field of fields) expect(changes.some((change) => change[field] === last[field])).toBe(true);
  });
});

describe('archiving', () => {
  test('tells the id alone, and sales that it is archived; it is audited', async () => {
    const { id } = await create();
    customers.clock.advance(1_000);
    const [event, ...more] = await customers.eventsOf(storeId, async () => {
      expect(await customers.archive(id, staff)).toEqual({ success: true, message: 'Customer archived' });
    });
    expect(more).toEqual([]);
    expect(event!.body).toMatchObject({ event: 'customer.updated', resource_type: 'Customer', resource_id: id });
    expect(event!.body.data).toEqual({ id });
    expect(event!.internal.customer).toMatchObject({ id, name: 'Maya Lee', archived: true });
    expect(event!.audit).toMatchObject({
      action: 'customer.archive',
      before: { archived_at: null },
      after: { archived_at: '2026-11-20T12:00:01.000Z' },
    });
  });

  test('D85: the customer is in no list, read, lookup or change any more; archived again it is 404', async () => {
    const { id } = await create({ ...maya, loyalty_card_number: 'LC-1' });
    await customers.archive(id, staff);
    const gone = { status: 404, error: 'Customer not found' };
    for (const work of [
      customers.get(id, key),
      customers.archive(id, staff),
      customers.patch(id, { name: 'x' }, key),
      customers.call('LookupCustomerByCode', { code: 'C10001' }, key),
      customers.call('LookupCustomerByCard', { card_number: 'LC-1' }, key),
    ]) {
      expect(await customers.refusal(work)).toEqual(gone);
    }
    expect((await customers.list('q=maya', key)).customers).toEqual([]);
  });

  test('D225: keeps points and credit, and frees e-mail, phone and card, but not the code', async () => {
    const { id } = await create({ ...maya, loyalty_card_number: 'LC-1' });
    await customers.run('update customers.customers set loyalty_points = 7, store_credit_balance = 3 where store_id = $1 and id = $2', [
      storeId,
      id,
    ]);
    await customers.archive(id, staff);
    const [row] = await customers.run<Json>(
      'select loyalty_points, store_credit_balance from customers.customers where store_id = $1 and id = $2',
      [storeId, id],
    );
    expect(row).toEqual({ loyalty_points: 7, store_credit_balance: '3.00' });
    const next = await create({ ...maya, loyalty_card_number: 'LC-1' });
    expect([next.id === id, next.customer_code]).toEqual([false, 'C10002']);
  });

  test('D272: is undone by a restore, with credit and points, unless somebody has a contact since', async () => {
    const restore = (id: number) => customers.byId('RestoreCustomer', id, staff);
    const { id } = await create({ ...maya, loyalty_card_number: 'LC-1' });
    await customers.archive(id, staff);
    customers.clock.advance(1_000);
    const [event, ...more] = await customers.eventsOf(storeId, async () => {
      expect((await restore(id)).customer).toMatchObject({ id, email: maya.email, loyalty_card_number: 'LC-1' });
    });
    expect(more).toEqual([]);
    expect([event!.name, event!.body.data.name, event!.audit!.action]).toEqual(['customer.updated', maya.name, 'customer.restore']);
    expect(await customers.get(id, key)).toMatchObject({ id });
    expect((await restore(id)).customer.id).toBe(id);
    expect((await customers.list('', key)).pagination.total_count).toBe(1);
    await customers.archive(id, staff);
    await create({ ...maya, loyalty_card_number: 'LC-1' });
    const fields = ['Email', 'Phone', 'Loyalty card number'];
    expect((await problemOf(restore(id))).extra.body).toEqual({ errors: fields.map((name) => `${name} has already been taken`) });
    expect((await customers.refusal(restore(999_999))).status).toBe(404);
  });

  test('20 at once: one archives, the others are 404, and the total falls by one', async () => {
    const { id } = await create();
    await create({ name: 'Bo' });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => customers.archive(id, staff)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await customers.list('', key)).pagination.total_count).toBe(1);
  });
});
