/** POST /customers: the record, the duplicate rule, codes, and all of it at once from many tills. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { type Json, problemOf } from '@store/testbed';
import { type CustomersUnderTest, keyOf, staffOf, startCustomers } from './customers-under-test.ts';

let customers: CustomersUnderTest;
let storeId = 100;
let key: Caller;

beforeAll(async () => {
  customers = await startCustomers();
});
afterAll(() => customers.stop());
beforeEach(() => {
  storeId += 1;
  key = keyOf(storeId);
});

const maya = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018' };
const count = async () => (await customers.list('', key)).pagination.total_count;
const errorsOf = async (work: Promise<unknown>): Promise<Json> => (await problemOf(work)).extra.body;

describe('a new customer', () => {
  test('is answered in the full record: flat address columns, no address object, no key without a value', async () => {
    const { status, json } = await customers.post({ ...maya, date_of_birth: '1990-11-20', notes: 'Likes tea' }, key);
    expect(status).toBe(201);
    expect(Object.entries(json.customer)).toEqual(
      Object.entries({
        id: expect.any(Number),
        name: 'Maya Lee',
        email: 'maya@example.com',
        phone: '+44 20 7946 0018',
        customer_code: 'C10001',
        email_receipt_opt_in: false,
        date_of_birth: '1990-11-20',
        age: 36,
        birthday_today: true,
        loyalty_points: 0,
        lifetime_spend: '0.00',
        store_credit_balance: '0.00',
        visit_count: 0,
        notes: 'Likes tea',
        created_at: '2026-11-20T12:00:00.000Z',
        updated_at: '2026-11-20T12:00:00.000Z',
      }),
    );
    expect(Object.keys(json)).toEqual(['customer']);
  });

  test('has the address that staff send, flat; from a key it is ignored (D159)', async () => {
    const address = { address_line1: '12 High Street', city: 'London', postal_code: 'N1 9GU', country: 'United Kingdom' };
    expect(await customers.create({ name: 'By staff', ...address }, staffOf(storeId))).toMatchObject(address);
    const byKey = await customers.create({ name: 'By key', ...address }, key);
    expect(Object.keys(byKey)).not.toEqual(expect.arrayContaining(['city']));
  });
});
