/** The id that another system has for a customer (D267, D286). */
import { expect, test } from '@jest/globals';
import { problemOf } from '@store/testbed';
import { customers, keyOf, shareCustomers, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

/** A reader whose request names the field. */
const asking = () => keyOf(storeId, { scopes: new Set(['include:external_id']) });
const external = (id: number) => customers.get(id, asking()).then((customer) => customer.external_id);
const taken = { errors: ['External id has already been taken'] };

test('is taken on writes, shown where the request names it alone, and in no event', async () => {
  const events = await customers.eventsOf(storeId, async () => {
    const { id, ...created } = await customers.create({ name: 'Maya', external_id: ' crm-1 ' });
    expect(created).not.toHaveProperty('external_id');
    expect(await external(id)).toBe('crm-1');
    expect(await customers.patch(id, { external_id: 'crm-2' }, asking())).toMatchObject({ external_id: 'crm-2' });
    await customers.patch(id, { notes: 'kept' });
    expect(await external(id)).toBe('crm-2');
    await customers.patch(id, { external_id: '' });
    expect(await external(id)).toBeUndefined();
  });
  expect(events.map(({ audit }) => audit?.after)).toMatchObject([
    { external_id: 'crm-1' },
    { external_id: 'crm-2' },
    { notes: 'kept' },
    { external_id: null },
  ]);
  expect(JSON.stringify(events.map(({ body }) => body))).not.toContain('external_id');
});

test('finds its customer exactly, in the store alone', async () => {
  await customers.create({ name: 'Maya', external_id: 'crm-1' });
  await customers.create({ name: 'Noor', external_id: 'CRM-1' });
  await customers.create({ name: 'Theirs', external_id: 'crm-1' }, keyOf(storeId + 1_000));
  expect(await customers.names('external_id=crm-1')).toEqual(['Maya']);
  expect(await customers.names('external_id=%20CRM-1')).toEqual(['Noor']);
  for (const nobodys of ['crm', 'crm-1%00', 'x'.repeat(300)]) expect(await customers.names(`external_id=${nobodys}`)).toEqual([]);
  expect(await customers.names('external_id=%20')).toHaveLength(2);
});

test('belongs to one customer: a second one is 422, or 409 when two come at once', async () => {
  const { id } = await customers.create({ name: 'Maya', external_id: 'crm-1' });
  const other = await customers.create({ name: 'Noor' });
  expect((await problemOf(customers.post({ name: 'Ada', external_id: 'crm-1' }))).extra.body).toEqual(taken);
  expect((await problemOf(customers.patch(other.id, { external_id: 'crm-1' }))).extra.body).toEqual(taken);
  expect((await problemOf(customers.patch(id, { external_id: 'x'.repeat(256) }))).extra.body).toEqual({
    errors: ['External id is too long (maximum is 255 characters)'],
  });
  for (const once of [{ external_id: 'one' }, { loyalty_card_number: 'LC-1' }]) {
    const raced = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => customers.post({ name: `${n}`, ...once })));
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of raced) if (one.status === 'rejected') expect(one.reason.kind).toMatch(/^(invalid|conflict)$/);
  }
  expect(await customers.names('external_id=one')).toHaveLength(1);
});

test('is saved onto a duplicate that has none, unless another customer has it', async () => {
  const { id } = await customers.create({ name: 'Maya', phone: '5550001111' });
  await customers.create({ name: 'Noor', external_id: 'noor' });
  const again = (external_id: string) => customers.post({ name: 'M', phone: '555-000-1111', external_id }, asking());
  expect((await again('noor')).json).toMatchObject({ customer: { id }, duplicate: true });
  expect(await external(id)).toBeUndefined();
  expect((await again('maya')).json.customer).toMatchObject({ id, external_id: 'maya' });
  expect((await again('other')).json.customer).toMatchObject({ id, external_id: 'maya' });
});

test('is free once its customer is archived, who comes back only if it is still free', async () => {
  const { id } = await customers.create({ name: 'Maya', external_id: 'crm-1' });
  await customers.archive(id);
  const other = await customers.create({ name: 'Noor', external_id: 'crm-1' });
  expect((await problemOf(customers.restore(id))).extra.body).toEqual(taken);
  await customers.patch(other.id, { external_id: null });
  await customers.restore(id);
  expect(await external(id)).toBe('crm-1');
});
