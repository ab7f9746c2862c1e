/** Specification: Customers, for keys and for staff, with their events and what the plan has to include. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordOutbox, takeRecorded } from './outbox-history.ts';
import { type Answer, openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
  await recordOutbox(world);
});
afterAll(() => world.close());

const staff = () => ({ token: world.store.token });
const get = (path: string, as = key) => world.call('GET', path, { key: as });
const post = (customer: object, more: object = {}) => world.call('POST', '/customers', { key, body: { customer, ...more } });
const patch = (id: number, customer: object) => world.call('PATCH', `/customers/${id}`, { key, body: { customer } });
const create = async (customer: object) => (await post(customer, { force_create: true })).body.data;
const refused = ({ status, body }: Answer) => [status, body];

describe('for a key, in the envelope', () => {
  test('POST answers 201 with data as the new customer; the same again 200 with customer, duplicate and message', async () => {
    const sent = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018' };
    const created = await post(sent);
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['data', 'meta']]);
    expect(created.body.data).toMatchObject({ ...sent, customer_code: expect.stringMatching(/^C\d{5}$/) });
    const again = await post({ name: 'M. Lee', phone: '0044 20 7946 0018', email: 'MAYA@example.com' });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ customer: created.body.data, duplicate: true, message: 'Customer already exists' });
    expect(Object.keys(again.body.data)).toEqual(['customer', 'duplicate', 'message']);
  });

  test('D286: external_id is sent where include names it, in writes, lists and single reads; strictly an unknown name is a 422', async () => {
    const customer = { name: 'Known elsewhere', external_id: 'crm-9' };
    const created = await world.call('POST', '/customers?include=external_id', { key, body: { customer } });
    expect(created.body.data).toMatchObject(customer);
    const { id } = created.body.data;
    expect((await get('/customers?external_id=crm-9')).body.data).toEqual([(await get(`/customers/${id}`)).body.data]);
    expect((await get(`/customers/${id}`)).body.data).not.toHaveProperty('external_id');
    expect((await get('/customers?external_id=crm-9&include=none,external_id')).body.data).toMatchObject([customer]);
    expect((await world.call('GET', `/customers/${id}?include=external_id`, staff())).body.customer).toMatchObject(customer);
    const { headers } = await world.call('GET', `/customers/${id}?include=external_id`, { key });
    const seen = { key, headers: { 'If-Match': headers.get('etag')! }, body: { customer: { external_id: 'crm-10' } } };
    expect((await world.call('PATCH', `/customers/${id}`, seen)).status).toBe(200);
    expect((await world.call('PATCH', `/customers/${id}`, seen)).status).toBe(412);
    const strict = { key, headers: { Prefer: 'handling=strict' } };
    expect((await world.call('GET', '/customers?include=external_id', strict)).status).toBe(200);
    expect(refused(await world.call('GET', '/customers?include=cost', strict))[1]).toMatchObject({
      error: 'Validation failed: "include=cost" is not a parameter of this request',
    });
  });

  test('20 concurrent creates with one e-mail: one 201, the others 200 duplicate', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post({ name: `Till ${n}`, email: 'twenty@example.com' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect((await get('/customers?q=twenty@')).body.pagination.total_count).toBe(1);
  });

  test('a failed validation is 422 with errors alone, and no customer object is 400', async () => {
    expect(refused(await post({ email: 'x' }))).toEqual([422, { errors: ["Name can't be blank", 'Email is invalid'] }]);
    const missing = [400, { error: 'param is missing or the value is empty: customer' }];
    expect(refused(await world.call('POST', '/customers', { key, body: { name: 'Maya' } }))).toEqual(missing);
  });

  test('GET lists most recently updated first with pagination, and finds one; HEAD is like GET', async () => {
    const { id } = await create({ name: 'Newest', notes: 'x' });
    world.clock.advance(1_000);
    await patch(id, { notes: 'y' });
    const list = await get('/customers?per_page=2');
    expect(Object.keys(list.body)).toEqual(['data', 'pagination', 'meta']);
    expect(list.body.data[0]).toMatchObject({ id, name: 'Newest' });
    expect(list.body.pagination).toMatchObject({ current_page: 1, per_page: 2, total_count: expect.any(Number) });
    expect((await get(`/customers/${id}`)).body.data).toEqual(list.body.data[0]);
    const head = await world.call('HEAD', `/customers/${id}`, { key });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('PATCH and PUT answer the full record and keep what was not sent', async () => {
    const { id } = await create({ name: 'Bo', notes: 'kept' });
    const patched = await patch(id, { loyalty_card_number: 'LC-1' });
    expect([patched.status, patched.body.data]).toEqual([200, expect.objectContaining({ notes: 'kept', loyalty_card_number: 'LC-1' })]);
    const put = await world.call('PUT', `/customers/${id}`, { key, body: { customer: { name: 'Bob' } } });
    expect([put.status, put.body.data]).toEqual([200, { ...patched.body.data, name: 'Bob' }]);
  });

  test('the lookups answer the full record by code and by card', async () => {
    const record = await create({ name: 'Cy', loyalty_card_number: 'LC/2 é' });
    expect((await get(`/customers/lookup_by_code/${record.customer_code}`)).body.data).toEqual(record);
    expect((await get(`/customers/lookup_by_card/${encodeURIComponent('LC/2 é')}`)).body.data).toEqual(record);
    expect(refused(await get('/customers/lookup_by_code/c10001'))).toEqual([400, { error: 'Invalid customer code format' }]);
    for (const path of ['lookup_by_code/C00000', 'lookup_by_card/none', '999999']) {
      expect(refused(await get(`/customers/${path}`))).toEqual([404, { error: 'Customer not found' }]);
    }
  });

  test('a read needs customers:read, also with customers:write alone, and a write customers:write', async () => {
    const writer = await world.newKey(world.store, { scopes: ['customers:write'] });
    const reader = await world.newKey(world.store, { scopes: ['customers:read'] });
    const scope = (name: string) => [403, { error: `Insufficient scope. Required: customers:${name}` }];
    expect(refused(await get('/customers', writer))).toEqual(scope('read'));
    const body = { customer: { name: 'Dee' } };
    expect(refused(await world.call('POST', '/customers', { key: reader, body }))).toEqual(scope('write'));
    expect((await world.call('POST', '/customers', { key: writer, body })).status).toBe(201);
  });

  test('archiving is for staff, and points are moved by no key, whatever the path', async () => {
    const { id } = await create({ name: 'Eve' });
    const internal = [403, { error: 'This endpoint is not available via API key authentication' }];
    expect(refused(await world.call('DELETE', `/customers/${id}`, { key }))).toEqual(internal);
    const points = [403, { error: 'Loyalty point manipulation is not available via API keys' }];
    for (const what of ['earn', 'redeem', 'adjust', 'anything']) {
      expect(refused(await world.call('POST', `/customers/${id}/loyalty/${what}`, { key, body: {} }))).toEqual(points);
    }
  });
});

describe('for staff, unwrapped', () => {
  test('a customer with an address, changed and archived; each is audited', async () => {
    const address = { address_line1: '12 High Street', city: 'London' };
    const created = await world.call('POST', '/customers', { ...staff(), body: { customer: { name: 'Fay', ...address } } });
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['customer']]);
    const { id } = created.body.customer;
    const change = { customer: { postal_code: 'N1 9GU' } };
    const changed = await world.call('PATCH', `/customers/${id}`, { ...staff(), body: change });
    expect(changed.body.customer).toMatchObject({ ...address, postal_code: 'N1 9GU' });
    const { customers, pagination } = (await world.call('GET', '/customers?q=fay', staff())).body;
    expect(customers[0].address).toEqual({ line1: '12 High Street', city: 'London', postal_code: 'N1 9GU' });
    expect(pagination.total_count).toBe(1);
    const archived = await world.call('DELETE', `/customers/${id}`, staff());
    expect([archived.status, archived.body]).toEqual([200, { success: true, message: 'Customer archived' }]);
    expect((await world.call('GET', `/customers/${id}`, staff())).status).toBe(404);
    await world.settled();
    const { audit_entries } = (await world.call('GET', '/audit_entries?per_page=100', staff())).body;
    const mine = audit_entries.filter((entry: { resource_id: number }) => entry.resource_id === id);
    expect(mine.map(({ action }: { action: string }) => action)).toEqual(['customer.archive', 'customer.update', 'customer.create']);
  });
});

describe('"If the store\'s plan lacks customer profiles, every customer endpoint returns 403 with code feature_not_enabled"', () => {
  const without = [403, { error: 'Customers is not included in your plan', code: 'feature_not_enabled' }];
  const calls = [
    ['GET', '/customers'],
    ['GET', '/customers/1'],
    ['GET', '/customers/lookup_by_code/x'],
    ['GET', '/customers/lookup_by_card/1'],
    ['POST', '/customers'],
    ['PATCH', '/customers/1'],
    ['PUT', '/customers/1'],
  ] as const;

  test('D1, D249: for keys and staff; after the scope, before parameters and ids', async () => {
    const store = await world.newStore(['developer_api', 'loyalty']);
    const all = await world.newKey(store);
    const none = await world.newKey(store, { scopes: ['products:read'] });
    for (const [method, path] of calls) {
      const body = method === 'GET' ? undefined : {};
      expect([method, path, ...refused(await world.call(method, path, { key: all, body }))]).toEqual([method, path, ...without]);
      expect([method, path, ...refused(await world.call(method, path, { token: store.token, body }))]).toEqual([method, path, ...without]);
      expect((await world.call(method, path, { key: none, body })).body.error).toMatch(/^Insufficient scope/);
    }
    expect(refused(await world.call('DELETE', '/customers/1', { token: store.token }))).toEqual(without);
  });
});

describe('events', () => {
  const publicBodies = async () => {
    await world.settled();
    return (await takeRecorded(world)).flatMap(({ body, text }) => (body ? [{ body, text: text! }] : []));
  };

  test('customer.created and customer.updated hold what GET answers, byte for byte; archiving the id alone, confirmed by a 404', async () => {
    await publicBodies();
    const { id } = await create({ name: 'Gus', phone: '5550001111' });
    const shown = async () => JSON.stringify((await get(`/customers/${id}`)).body.data);
    const [created] = await publicBodies();
    expect(created!.body).toMatchObject({ event: 'customer.created', resource_type: 'Customer', resource_id: id });
    expect(created!.text).toContain(`"data":${await shown()}}`);
    await patch(id, { email: 'gus@example.com' });
    const [updated] = await publicBodies();
    expect(updated!.body.event).toBe('customer.updated');
    expect(updated!.text).toContain(`"data":${await shown()}}`);
    await world.call('DELETE', `/customers/${id}`, staff());
    const [archived, ...more] = await publicBodies();
    expect(archived!.body).toMatchObject({ event: 'customer.updated', resource_id: id, data: { id } });
    expect([Object.keys(archived!.body.data), more]).toEqual([['id'], []]);
    expect((await get(`/customers/${id}`)).status).toBe(404);
  });

  test('a duplicate that is found emits no event, unless it is given the e-mail that it lacked', async () => {
    const { id } = await create({ name: 'Hal', phone: '5550002222' });
    await publicBodies();
    await post({ name: 'H', phone: '555-000-2222' });
    expect(await publicBodies()).toEqual([]);
    await post({ name: 'H', phone: '555-000-2222', email: 'hal@example.com' });
    const told = await publicBodies();
    expect(told.map(({ body }) => [body.event, body.data.id, body.data.email])).toEqual([['customer.updated', id, 'hal@example.com']]);
  });
});

test('a key of another store finds none of these customers, by id, list, code or card', async () => {
  const { id, customer_code } = await create({ name: 'Ida', loyalty_card_number: 'IDA' });
  const foreign = await world.newKey(await world.newStore());
  const gone = [404, { error: 'Customer not found' }];
  for (const path of [`/customers/${id}`, `/customers/lookup_by_code/${customer_code}`, '/customers/lookup_by_card/IDA']) {
    expect(refused(await get(path, foreign))).toEqual(gone);
  }
  const body = { customer: { name: 'Mine' } };
  expect(refused(await world.call('PATCH', `/customers/${id}`, { key: foreign, body }))).toEqual(gone);
  expect((await get('/customers?q=ida', foreign)).body.data).toEqual([]);
  expect((await get(`/customers/${id}`)).body.data.name).toBe('Ida');
});
