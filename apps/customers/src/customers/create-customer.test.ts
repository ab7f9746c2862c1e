/** POST /customers: the record, the duplicate rule, codes, and all of it at once from many tills. */
import { describe, expect, test } from '@jest/globals';
import { type Json, problemOf } from '@store/testbed';
import { customers, key, keyOf, shareCustomers, staff, staffOf, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

const maya = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018' };
const count = async () => (await customers.list()).pagination.total_count;
const errorsOf = async (work: Promise<unknown>): Promise<Json> => (await problemOf(work)).extra.body;

test("D159: a new customer has the flat address that staff send; a key's is ignored", async () => {
  const address = { address_line1: '12 High Street', city: 'London', postal_code: 'N1 9GU', country: 'United Kingdom' };
  expect(await customers.create({ name: 'By staff', ...address }, staff)).toMatchObject(address);
  expect(await customers.create({ name: 'By key', ...address })).not.toHaveProperty('city');
});

describe('the duplicate check', () => {
  const duplicate = (customer: Json) => ({ status: 200, json: { customer, duplicate: true, message: 'Customer already exists' } });

  test('finds equal phone digits in any format and e-mail in any case; creates nothing', async () => {
    const { id } = await customers.create(maya);
    const same = duplicate(await customers.create(maya));
    expect(same.json.customer.id).toBe(id);
    expect(await customers.post({ name: 'M', phone: '+44 (20) 7946-0018' })).toEqual(same);
    expect(await customers.post({ name: 'M', email: ' MAYA@Example.com ' })).toEqual(same);
    expect(await count()).toBe(1);
  });

  test('prefers the phone over the e-mail, and of several the lowest id', async () => {
    const phone = await customers.create({ name: 'Phone', phone: '5551234567' });
    const email = await customers.create({ name: 'Email', email: 'e@example.com' });
    await customers.create({ name: 'Later', phone: '555-123-4567' }, key, { force_create: true });
    const found = async (customer: object) => (await customers.post(customer)).json.customer.id;
    expect(await found({ name: 'x', phone: '555 123 4567', email: 'other@example.com' })).toBe(phone.id);
    expect(await found({ name: 'x', phone: '5550000000', email: 'E@example.com' })).toBe(email.id);
    expect(await found({ name: 'x', phone: '5551234567', email: 'e@example.com' })).toBe(phone.id);
  });

  test.each([
    ['CA', '(416) 555-0100', '+1 416 555 0100'],
    ['CA', '1-416-555-0100', '416.555.0100'],
    ['GB', '020 7946 0018', '+44 (0)20 7946 0018'],
    ['GB', '0044 20 7946 0018', '020 7946 0018'],
    ['CA', '011 44 20 7946 0018', '+44 20 7946 0018'],
    ['CA', '416 555 0100 x12', '+1 416 555 0100 ext. 12'],
    ['', '1 416 555 0100', '+1 416 555 0100'],
  ])('D280: in a store of %s, %s and %s are one, whichever is stored', async (country, ...phones) => {
    for (const [n, [stored, sent]] of [phones, phones.toReversed()].entries()) {
      const till = keyOf(storeId + 6_000 + n, { country });
      const { id } = await customers.create({ name: 'Maya', phone: stored }, till);
      expect((await customers.post({ name: 'M', phone: sent }, till)).json).toMatchObject({ customer: { id }, duplicate: true });
      const manager = staffOf(till.storeId, { country });
      await customers.archive(id, manager);
      await customers.create({ name: 'M', phone: sent }, till);
      expect(await errorsOf(customers.restore(id, manager))).toEqual({ errors: ['Phone has already been taken'] });
    }
  });

  test.each([
    ['CA', '416 555 0100', '+41 65 550 10 00'],
    ['CA', '416 555 0100', '+44 416 555 0100'],
    ['CA', '416 555 0100', '416 555 0100 x12'],
    ['', '416 555 0100', '+1 416 555 0100'],
  ])('D280: in a store of %j, %s and %s are two', async (country, stored, sent) => {
    const till = { ...key, country };
    await customers.create({ name: 'Maya', phone: stored }, till);
    expect((await customers.post({ name: 'M', phone: sent }, till)).status).toBe(201);
  });

  test('D280: a phone sent with and without its country code at once is one customer', async () => {
    const till = { ...key, country: 'CA' };
    const phones = ['416 555 0100', '+1 416 555 0100', '1 (416) 555-0100', '4165550100'];
    const answers = await Promise.all(phones.flatMap((phone) => [phone, phone]).map((phone) => customers.post({ name: 'M', phone }, till)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
  });

  test('ignores blanks, archived customers and those of another store', async () => {
    await customers.create({ name: 'No contacts' });
    expect((await customers.post({ name: 'None either', email: '', phone: ' ' })).status).toBe(201);
    const gone = await customers.create(maya);
    await customers.archive(gone.id);
    expect((await customers.post(maya)).status).toBe(201);
    expect((await customers.post(maya, keyOf(storeId + 5_000))).status).toBe(201);
  });

  test('saves an e-mail onto a customer without one, even if another has it; else keeps', async () => {
    const noEmail = await customers.create({ name: 'Noor', phone: '5551234567' });
    await customers.create({ name: 'Owner', email: 'shared@example.com' });
    customers.clock.advance(1_000);
    const sent = { name: 'N', phone: '5551234567', email: 'shared@example.com' };
    const events = await customers.eventsOf(storeId, async () => {
      const { json } = await customers.post(sent);
      expect(json).toMatchObject({ customer: { id: noEmail.id, name: 'Noor', email: 'shared@example.com' }, duplicate: true });
    });
    expect(events.map(({ name, body, audit }) => [name, body.data.id, audit?.action, audit?.before, audit?.after])).toEqual([
      ['customer.updated', noEmail.id, 'customer.update', { email: null }, { email: 'shared@example.com' }],
    ]);
    expect(await customers.eventsOf(storeId, () => customers.post({ ...sent, email: 'new@example.com' }))).toEqual([]);
    expect((await customers.get(noEmail.id)).email).toBe('shared@example.com');
    expect(await customers.names('q=shared@')).toHaveLength(2);
  });

  test.each([true, 'true'])('D79: force_create %p at the top level creates all the same', async (force_create) => {
    const first = await customers.create(maya);
    const second = await customers.post(maya, key, { force_create });
    expect([second.status, Object.keys(second.json)]).toEqual([201, ['customer']]);
    expect(second.json.customer.id).not.toBe(first.id);
    expect(await count()).toBe(2);
  });
});

describe('at once', () => {
  const twenty = (customer: object) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => customers.post({ ...customer, name: `Till ${n}` })));

  test('20 creates with one e-mail: one 201, the others 200 duplicate of it', async () => {
    const answers = await twenty({ email: 'one@example.com' });
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ json }) => json.customer.id)).size).toBe(1);
    expect(await count()).toBe(1);
    expect((await customers.events(storeId)).map(({ name }) => name)).toEqual(['customer.created']);
  });

  test("20 creates with A's phone and B's e-mail create none; A has the e-mail once", async () => {
    const a = await customers.create({ name: 'A', phone: '5550000001' });
    const b = await customers.create({ name: 'B', email: 'b@example.com' });
    const events = await customers.eventsOf(storeId, async () => {
      const answers = await twenty({ phone: '555-000-0001', email: 'B@example.com' });
      expect(answers.map(({ status, json }) => [status, json.customer.id, json.duplicate])).toEqual(Array(20).fill([200, a.id, true]));
    });
    expect(await count()).toBe(2);
    expect(events.map(({ name, body }) => [name, body.data.id, body.data.email])).toEqual([['customer.updated', a.id, 'B@example.com']]);
    expect((await customers.get(b.id)).email).toBe('b@example.com');
  });

  test('40 creates with phones and e-mails in every pair do not deadlock or double', async () => {
    const pairs = Array.from({ length: 40 }, (_, n) => ({ phone: `555000000${n % 4}`, email: `e${n % 5}@example.com` }));
    const answers = await Promise.all(pairs.map((pair, n) => customers.post({ name: `Till ${n}`, ...pair })));
    for (const { status } of answers) expect([200, 201]).toContain(status);
    expect(await count()).toBe(answers.filter(({ status }) => status === 201).length);
    const phones = (await customers.list('per_page=100')).customers.map(({ phone }: Json) => phone);
    expect(new Set(phones).size).toBe(phones.length);
  });

  test('a create whose match is being archived answers with it or creates, never a 404', async () => {
    for (let round = 0; round < 10; round++) {
      const contact = { name: 'Maya', phone: `55500010${10 + round}` };
      const { id } = await customers.create(contact);
      const creating = [1, 2, 3].map((n) => customers.post({ ...contact, email: `r${round}-${n}@example.com` }));
      const answers = await Promise.all([...creating, customers.archive(id)]);
      for (const { status } of answers.slice(0, 3)) expect([200, 201]).toContain(status);
      expect(await customers.names(`q=${contact.phone}`)).toHaveLength(answers.slice(0, 3).some(({ status }) => status === 201) ? 1 : 0);
    }
  });

  test('customers without contacts get a code each', async () => {
    const answers = await twenty({});
    expect(answers.map(({ json }) => json.customer.customer_code).sort()).toEqual(Array.from({ length: 20 }, (_, n) => `C${10_001 + n}`));
  });
});

describe('D81: the code', () => {
  const allocate = (allocated: number) =>
    customers.run('insert into customers.customer_codes (store_id, allocated) values ($1, $2)', [storeId, allocated]);

  test('the code after C99999 is C00000', async () => {
    await allocate(89_998);
    expect((await customers.create({ name: 'a' })).customer_code).toBe('C99999');
    expect((await customers.create({ name: 'b' })).customer_code).toBe('C00000');
  });

  test('ends with C10000: then nobody can be created', async () => {
    await allocate(99_999);
    expect((await customers.create({ name: 'a' })).customer_code).toBe('C10000');
    expect(await errorsOf(customers.post({ name: 'b' }))).toEqual({ errors: ['No customer code is left'] });
    expect(await count()).toBe(1);
  });

  test('of a refused creation goes to the next customer; an archived one keeps its own', async () => {
    const first = await customers.create({ name: 'a', loyalty_card_number: '1' });
    await problemOf(customers.post({ name: 'b', loyalty_card_number: '1' }));
    await customers.archive(first.id);
    expect((await customers.create({ name: 'c' })).customer_code).toBe('C10002');
  });
});

test('a repeated Idempotency-Key is answered alike, the 200 of a duplicate too', async () => {
  const repeated = (n: number) => ({ ...key, idempotency: { key: `create-${storeId}-${n}`, hash: Buffer.alloc(32, n) } });
  const created = await customers.answer('CreateCustomer', { customer: maya }, repeated(1));
  const again = await customers.answer('CreateCustomer', { customer: maya }, repeated(1));
  expect([again.status, again.text]).toEqual([201, created.text]);
  const found = await customers.answer('CreateCustomer', { customer: maya }, repeated(2));
  await customers.archive(found.json.customer.id);
  const foundAgain = await customers.answer('CreateCustomer', { customer: maya }, repeated(2));
  expect([foundAgain.status, foundAgain.text, foundAgain.headers]).toEqual([200, found.text, { 'idempotency-replayed': 'true' }]);
});

test('customer.created carries what GET answers, what sales copies and the audit entry', async () => {
  const { id } = await customers.create({ ...maya, address_line1: '12 High Street', city: 'London' }, staff);
  const [event] = await customers.events(storeId);
  expect(JSON.stringify(event!.body.data)).toBe(JSON.stringify(await customers.get(id)));
  expect(event!.body.data.address).toEqual({ line1: '12 High Street', city: 'London' });
  const { customer, audit } = event!.internal;
  expect(customer).toEqual({ id, ...maya, customer_code: 'C10001', archived: false });
  expect(audit).toMatchObject({ action: 'customer.create', resource_type: 'Customer', resource_id: id, before: null });
  expect(audit.after).toMatchObject({ ...maya, city: 'London', customer_code: 'C10001' });
});
