/** Specification: Customers, as a key sees them. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const get = (path: string) => world.call('GET', path, { key });

describe('for a key, in the envelope', () => {
  test('D286: external_id is sent where include names it; strictly another name is a 422', async () => {
    const customer = { name: 'Known elsewhere', external_id: 'crm-9' };
    const created = await world.call('POST', '/customers?include=external_id', { key, body: { customer } });
    expect(created.body.data).toMatchObject(customer);
    const { id } = created.body.data;
    expect((await get('/customers?external_id=crm-9')).body.data).toEqual([(await get(`/customers/${id}`)).body.data]);
    expect((await get(`/customers/${id}`)).body.data).not.toHaveProperty('external_id');
    expect((await get('/customers?external_id=crm-9&include=none,external_id')).body.data).toMatchObject([customer]);
    expect((await world.staff('GET', `/customers/${id}?include=external_id`)).customer).toMatchObject(customer);
    const { headers } = await get(`/customers/${id}?include=external_id`);
    const seen = { key, headers: { 'If-Match': headers.get('etag')! }, body: { customer: { external_id: 'crm-10' } } };
    expect((await world.call('PATCH', `/customers/${id}`, seen)).status).toBe(200);
    expect((await world.call('PATCH', `/customers/${id}`, seen)).status).toBe(412);
    const strict = { key, headers: { Prefer: 'handling=strict' } };
    expect((await world.call('GET', '/customers?include=external_id', strict)).status).toBe(200);
    const { body } = await world.call('GET', '/customers?include=cost', strict);
    expect(body.error).toBe('Validation failed: "include=cost" is not a parameter of this request');
  });

  test('the lookups answer the full record by code and by card', async () => {
    const customer = { name: 'Cy', loyalty_card_number: 'LC/2 é' };
    const record = (await world.call('POST', '/customers', { key, body: { customer } })).body.data;
    expect((await get(`/customers/lookup_by_code/${record.customer_code}`)).body.data).toEqual(record);
    expect((await get(`/customers/lookup_by_card/${encodeURIComponent('LC/2 é')}`)).body.data).toEqual(record);
  });
});
