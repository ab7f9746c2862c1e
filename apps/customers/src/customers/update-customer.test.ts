/** PATCH, PUT and DELETE /customers/:id: what changes, what is told, what archiving keeps. */
import { describe, expect, test } from '@jest/globals';
import { type Json, problemOf } from '@store/testbed';
import { customers, key, shareCustomers, staff, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

const maya = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018', notes: 'Likes tea' };
const create = async (customer: object = maya): Promise<Json> => customers.create(customer);

describe('a change', () => {
  test('keeps what was not sent, takes away what is blank, and answers the full record', async () => {
    const before = await create();
    customers.clock.advance(1_000);
    const after = await customers.patch(before.id, { name: ' Maya Brown ', phone: '', date_of_birth: '1990-01-02' });
    const { phone: _, ...kept } = before;
    expect(after).toEqual({ ...kept, name: 'Maya Brown', date_of_birth: '1990-01-02', age: 36, updated_at: '2026-11-20T12:00:01.000Z' });
  });

  test('tells subscribers and sales, and audits what differs, before and after', async () => {
    const { id } = await create();
    const change = { email: 'new@example.com', notes: 'Likes tea' };
    const [event, ...more] = await customers.eventsOf(storeId, () => customers.patch(id, change));
    expect(more).toEqual([]);
    expect(event).toMatchObject({ name: 'customer.updated', aggregate: `customer:${id}` });
    expect(JSON.stringify(event!.body.data)).toBe(JSON.stringify(await customers.get(id)));
    expect(event!.internal.customer).toMatchObject({ id, email: 'new@example.com', archived: false });
    const [before, after] = [{ email: 'maya@example.com' }, { email: 'new@example.com' }];
    expect(event!.audit).toMatchObject({ action: 'customer.update', before, after });
  });

  test('D224: that changes nothing has no event and moves no time', async () => {
    const before = await create();
    customers.clock.advance(1_000);
    const events = await customers.eventsOf(storeId, async () => {
      expect(await customers.patch(before.id, { ...maya, loyalty_card_number: ' ' })).toEqual(before);
    });
    expect(events).toEqual([]);
  });

  test('D80: has no duplicate check', async () => {
    await create();
    const other = await create({ name: 'Noor' });
    expect(await customers.patch(other.id, { email: maya.email, phone: maya.phone })).toMatchObject({ id: other.id, email: maya.email });
  });

  test('of the address is for staff; from a key it is ignored', async () => {
    const { id } = await create();
    expect(await customers.patch(id, { address_line1: '1 Low Road', city: 'Leeds' })).not.toHaveProperty('city');
    expect(await customers.patch(id, { address_line1: '1 Low Road', city: 'Leeds' }, staff)).toMatchObject({ city: 'Leeds' });
    expect((await customers.get(id)).address).toEqual({ line1: '1 Low Road', city: 'Leeds' });
  });

  test("to another customer's card is a 422 and changes nothing; its own card is free", async () => {
    await customers.create({ name: 'Holder', loyalty_card_number: 'TAKEN' });
    const before = await create({ ...maya, loyalty_card_number: 'MINE' });
    const refused = await problemOf(customers.patch(before.id, { notes: 'changed', loyalty_card_number: 'TAKEN' }));
    expect(refused.extra.body).toEqual({ errors: ['Loyalty card number has already been taken'] });
    expect(await customers.patch(before.id, { loyalty_card_number: 'MINE' })).toEqual(before);
  });

  test('D1: of an unknown customer that is invalid is a 404', async () => {
    expect(await customers.refusal(customers.patch(999_999_999, { name: '' }))).toEqual({ status: 404, error: 'Customer not found' });
  });

  test('20 changes at once of different fields all hold, each with its event', async () => {
    const { id } = await create();
    const fields = ['name', 'email', 'phone', 'notes'] as const;
    const value = (field: string, n: number) =>
      ({ name: `N${n}`, email: `e${n}@example.com`, phone: `555000${1000 + n}`, notes: `${n}` })[field]!;
    const changes = Array.from({ length: 20 }, (_, n) => ({ [fields[n % 4]!]: value(fields[n % 4]!, n) }));
    const events = await customers.eventsOf(storeId, () => Promise.all(changes.map((change) => customers.patch(id, change))));
    expect(events).toHaveLength(20);
    const last = events.at(-1)!.body.data;
    expect(await customers.get(id)).toEqual(last);
    for (const field of fields) expect(changes.some((change) => change[field] === last[field])).toBe(true);
  });
});

describe('archiving', () => {
  test('tells the id alone, and sales that it is archived; it is audited', async () => {
    const { id } = await create();
    customers.clock.advance(1_000);
    const [event, ...more] = await customers.eventsOf(storeId, async () => {
      expect(await customers.archive(id)).toEqual({ success: true, message: 'Customer archived' });
    });
    expect(await customers.refusal(customers.get(id))).toMatchObject({ status: 404 });
    expect(more).toEqual([]);
    expect(event!.body).toMatchObject({ event: 'customer.updated', resource_type: 'Customer', resource_id: id });
    expect(event!.body.data).toEqual({ id });
    expect(event!.internal.customer).toMatchObject({ id, name: 'Maya Lee', archived: true });
    const [before, after] = [{ archived_at: null }, { archived_at: '2026-11-20T12:00:01.000Z' }];
    expect(event!.audit).toMatchObject({ action: 'customer.archive', before, after });
  });

  test('D225: keeps points, credit and code, and frees e-mail, phone and card', async () => {
    const { id } = await create({ ...maya, loyalty_card_number: 'LC-1' });
    await customers.run('update customers.customers set loyalty_points = 7, store_credit_balance = 3 where store_id = $1 and id = $2', [
      storeId,
      id,
    ]);
    await customers.archive(id);
    const [row] = await customers.run<Json>(
      'select loyalty_points, store_credit_balance from customers.customers where store_id = $1 and id = $2',
      [storeId, id],
    );
    expect(row).toEqual({ loyalty_points: 7, store_credit_balance: '3.00' });
    const next = await create({ ...maya, loyalty_card_number: 'LC-1' });
    expect([next.id === id, next.customer_code]).toEqual([false, 'C10002']);
  });

  test('D272, D85: hides it from lookups; a restore undoes it unless a contact is taken', async () => {
    const { id } = await create({ ...maya, loyalty_card_number: 'LC-1' });
    await customers.archive(id);
    customers.clock.advance(1_000);
    const [event, ...more] = await customers.eventsOf(storeId, async () => {
      expect(await customers.restore(id)).toMatchObject({ id, email: maya.email, loyalty_card_number: 'LC-1' });
    });
    expect(more).toEqual([]);
    expect([event!.name, event!.body.data.name, event!.audit!.action]).toEqual(['customer.updated', maya.name, 'customer.restore']);
    expect(await customers.get(id)).toMatchObject({ id });
    expect((await customers.restore(id)).id).toBe(id);
    expect((await customers.list()).pagination.total_count).toBe(1);
    await customers.archive(id);
    for (const [by, number] of Object.entries({ Code: { code: 'C10001' }, Card: { card_number: 'LC-1' } }))
      expect(await customers.refusal(customers.call(`LookupCustomerBy${by}`, number, key))).toMatchObject({ status: 404 });
    await create({ ...maya, loyalty_card_number: 'LC-1' });
    const fields = ['Email', 'Phone', 'Loyalty card number'];
    expect((await problemOf(customers.restore(id))).extra.body).toEqual({ errors: fields.map((name) => `${name} has already been taken`) });
    expect((await customers.refusal(customers.restore(999_999))).status).toBe(404);
  });

  test('20 at once: one archives, the others are 404, and the total falls by one', async () => {
    const { id } = await create();
    await create({ name: 'Bo' });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => customers.archive(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await customers.list()).pagination.total_count).toBe(1);
  });
});
