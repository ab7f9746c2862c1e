/** Specification: Customers, as a key sees them. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const staff = () => ({ token: world.store.token });
const get = (path: string, as = key) => world.call('GET', path, { key: as });
const post = (customer: object, more: object = {}) => world.call('POST', '/customers', { key, body: { customer, ...more } });
const create = async (customer: object) => (await post(customer, { force_create: true })).body.data;
const refused = ({ status, body }: Answer) => [status, body];

describe('for a key, in the envelope', () => {
  test('POST answers 201 with the customer, repeated 200 with duplicate and message', async () => {
    const sent = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018' };
    const created = await post(sent);
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['data', 'meta']]);
    expect(created.body.data).toMatchObject({ ...sent, customer_code: expect.stringMatching(/^C\d{5}$/) });
    const again = await post({ name: 'M. Lee', phone: '0044 20 7946 0018', email: 'MAYA@example.com' });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ customer: created.body.data, duplicate: true, message: 'Customer already exists' });
    expect(Object.keys(again.body.data)).toEqual(['customer', 'duplicate', 'message']);
  });

  test('D286: external_id is sent where include names it; strictly another name is a 422', async () => {
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

  test('the lookups answer the full record by code and by card', async () => {
    const record = await create({ name: 'Cy', loyalty_card_number: 'LC/2 é' });
    expect((await get(`/customers/lookup_by_code/${record.customer_code}`)).body.data).toEqual(record);
    expect((await get(`/customers/lookup_by_card/${encodeURIComponent('LC/2 é')}`)).body.data).toEqual(record);
  });
});
