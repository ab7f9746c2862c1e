/** GET /customers, one customer, and the lookups: the shapes, the filters, the order, the total. */
import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { customers, key, keyOf, shareCustomers, staff, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

/** Each a second after the one before. */
async function create(...all: object[]): Promise<number[]> {
  const ids: number[] = [];
  for (const customer of all) {
    customers.clock.advance(1_000);
    ids.push((await customers.create(customer, staff, { force_create: true })).id);
  }
  return ids;
}

const full = {
  name: 'Maya Lee',
  email: 'maya@example.com',
  phone: '+44 20 7946 0018',
  loyalty_card_number: 'LC-90017',
  email_receipt_opt_in: true,
  date_of_birth: '1990-11-20',
  notes: 'Likes tea',
  address_line1: '12 High Street',
  address_line2: 'Flat 2',
  city: 'London',
  province: 'Greater London',
  postal_code: 'N1 9GU',
  country: 'United Kingdom',
};

describe('the shapes', () => {
  const { name, email, phone, notes, address_line1, address_line2, city, province, postal_code, country, ...more } = full;
  const shape = (id: number, address: object) => ({
    id,
    ...{ name, email, phone, customer_code: 'C10001', ...more },
    ...{ age: 36, birthday_today: true, loyalty_points: 0, lifetime_spend: '0.00', store_credit_balance: '0.00', visit_count: 0, notes },
    ...address,
    ...{ created_at: '2026-11-20T12:00:01.000Z', updated_at: '2026-11-20T12:00:01.000Z' },
  });

  test('golden: a customer in lists and alone has these keys, in this order and types', async () => {
    const [id] = await create(full);
    const address = { line1: address_line1, line2: address_line2, city, province, postal_code, country };
    const golden = JSON.stringify(shape(id!, { address }));
    expect(JSON.stringify(await customers.get(id!))).toBe(golden);
    expect(JSON.stringify((await customers.list()).customers[0])).toBe(golden);
  });

  test('golden: the lookups answer the full record, with the address flat', async () => {
    const [id] = await create(full);
    const golden = JSON.stringify({ customer: shape(id!, { address_line1, address_line2, city, province, postal_code, country }) });
    const { text: byCode } = await customers.call('LookupCustomerByCode', { code: 'C10001' }, key);
    const { text: byCard } = await customers.call('LookupCustomerByCard', { card_number: 'LC-90017' }, key);
    expect([byCode, byCard]).toEqual([golden, golden]);
  });

  test('what has no value is left out; the address too, unless line 1 exists', async () => {
    const [bare, noLine1] = await create({ name: 'Bo' }, { name: 'No line', city: 'Leeds', address_line2: 'Flat 1' });
    expect(Object.keys(await customers.get(bare!)).join(' ')).toBe(
      'id name customer_code email_receipt_opt_in birthday_today loyalty_points lifetime_spend store_credit_balance visit_count ' +
        'created_at updated_at',
    );
    expect(await customers.get(noLine1!)).not.toHaveProperty('address');
    const [line1] = await create({ name: 'Line', address_line1: '1 Low Road' });
    expect((await customers.get(line1!)).address).toEqual({ line1: '1 Low Road' });
  });

  test('D147: without loyalty in the plan there are no points and no tier', async () => {
    const [id] = await create({ name: 'Bo' });
    expect(await customers.get(id!, keyOf(storeId, { features: new Set(['customers']) }))).not.toHaveProperty('loyalty_points');
  });

  test("D87: age and birthday go by the store's calendar", async () => {
    customers.clock.set('2026-11-20T11:00:00.000Z');
    const [id] = await create({ name: 'Bo', date_of_birth: '1990-11-21' });
    const at = async (timeZone: string) => {
      const { age, birthday_today } = await customers.get(id!, keyOf(storeId, { timeZone }));
      return [age, birthday_today];
    };
    expect(await at('Pacific/Apia')).toEqual([36, true]);
    expect(await at('Europe/London')).toEqual([35, false]);
  });
});

describe('q', () => {
  const found = (q: string) => customers.names(`q=${encodeURIComponent(q)}`, key);

  test('matches name, e-mail, phone, code and card in any case, anywhere; blank: all', async () => {
    await create(full, { name: 'Émile Örn' }, { name: 'Bo', notes: 'maya' });
    for (const q of ['maya', 'A LEE', ' Maya Lee ', 'MAYA@EXAMPLE', '+44 20', '7946 0018', 'c10001', 'lc-900']) {
      expect([q, await found(q)]).toEqual([q, ['Maya Lee']]);
    }
    expect(await found('émile ö')).toEqual(['Émile Örn']);
    for (const q of ['tea', 'Lee maya@', 'a\0b']) expect([q, await found(q)]).toEqual([q, []]);
    for (const blank of ['', '  ']) expect(await found(blank)).toHaveLength(3);
  });

  test('with 7 or more digits also matches phones whatever their formatting', async () => {
    await create({ name: 'Dots', phone: '555.123.4567' }, { name: 'Plain', phone: '15551234567' }, { name: 'Other', phone: '5559999999' });
    expect(await found('(555) 123-4567')).toEqual(['Plain', 'Dots']);
    expect(await found('1234567')).toEqual(['Plain', 'Dots']);
    expect(await found('tel 123-45-67')).toEqual(['Plain', 'Dots']);
    expect(await found('123-456')).toEqual([]);
    expect(await found('123456')).toEqual(['Plain']);
  });

  test("D280: finds a phone with and without the code of the store's country", async () => {
    await create(
      { name: 'Plain', phone: '(416) 555-0100' },
      { name: 'Code', phone: '+1 416-555-0100' },
      { name: 'Other', phone: '+44 416 555 0199' },
    );
    const sought = async (q: string) => (await customers.names(`q=${encodeURIComponent(q)}`, { ...key, country: 'CA' })).sort();
    for (const q of ['+1 416 555 0100', '14165550100', '4165550100', '011 1 416 555 0100'])
      expect([q, await sought(q)]).toEqual([q, ['Code', 'Plain']]);
    expect(await sought('011 44 416 555 0199')).toEqual(['Other']);
    expect(await found('14165550100')).toEqual(['Code']);
  });

  test('finds a customer by what it was changed to, and no longer by what it was', async () => {
    const [id] = await create(full);
    await customers.patch(id!, { name: 'Noor', phone: null, email: 'noor@example.com' }, key);
    for (const q of ['maya', '2079460018', '7946 0018']) expect([q, await found(q)]).toEqual([q, []]);
    expect(await found('noor@')).toEqual(['Noor']);
  });
});

describe('the list', () => {
  test('has the most recently updated first; a tie by the higher id', async () => {
    const [a, b] = await create({ name: 'A' }, { name: 'B' });
    customers.clock.advance(1_000);
    await customers.patch(a!, { notes: 'x' }, key);
    const now = customers.clock.now();
    await customers.create({ name: 'C' }, key);
    expect(await customers.names()).toEqual(['C', 'A', 'B']);
    customers.clock.set(now);
    await customers.patch(b!, { notes: 'x' }, key);
    expect(await customers.names()).toEqual(['C', 'B', 'A']);
  });

  test('updated_since is exclusive, and in the store time zone', async () => {
    await create({ name: 'A' }, { name: 'B' });
    expect(await customers.names('updated_since=2026-11-20T12:00:01Z')).toEqual(['B']);
    expect(await customers.names('updated_since=2026-11-20T12:00:00.999Z')).toEqual(['B', 'A']);
    const inApia = keyOf(storeId, { timeZone: 'Pacific/Apia' });
    expect(await customers.names('updated_since=2026-11-21T01:00:01', inApia)).toEqual(['B']);
    expect(await customers.names('updated_since=2026-11-20T12:00:01Z&q=a')).toEqual([]);
  });

  test('has 25 a page by default and 100 at most; total_count is exact on every page', async () => {
    await create(...Array.from({ length: 27 }, (_, n) => ({ name: `Customer ${n}` })));
    const first = await customers.list();
    expect(first.customers).toHaveLength(25);
    expect(first.pagination).toEqual({ current_page: 1, per_page: 25, total_count: 27, total_pages: 2 });
    expect((await customers.list('page=2')).customers.map(({ name }: Json) => name)).toEqual(['Customer 1', 'Customer 0']);
    const whole = { current_page: 1, per_page: 100, total_count: 11, total_pages: 1 };
    expect((await customers.list('per_page=500&q=customer 1')).pagination).toEqual(whole);
    for (const page of [1, 2, 3, 4, 9]) {
      const { pagination } = await customers.list(`q=customer 1&per_page=5&page=${page}`);
      expect(pagination).toEqual({ current_page: page, per_page: 5, total_count: 11, total_pages: 3 });
    }
    expect((await customers.list('q=nobody')).pagination.total_count).toBe(0);
  });

  test('runs two statements; one where the page holds the last that match', async () => {
    await create(full, { name: 'Bo' }, { name: 'Cy' });
    for (const [query, statements] of [
      ['', 2],
      ['page=2', 2],
      ['q=5551234567', 1],
      ['q=maya&updated_since=2026-01-01', 1],
      ['updated_since=2026-01-01&per_page=2', 2],
      ['updated_since=2026-01-01&per_page=2&page=2', 1],
      ['updated_since=2026-01-01&per_page=2&page=9', 2],
    ] as const) {
      expect([query, await customers.statementsOf(() => customers.list(query))]).toEqual([query, statements]);
    }
  });

  test('leaves archived customers out, of the total too', async () => {
    const [a] = await create({ name: 'A' }, { name: 'B' });
    await customers.archive(a!);
    const { customers: rows, pagination } = await customers.list();
    expect([rows.map(({ name }: Json) => name), pagination.total_count]).toEqual([['B'], 1]);
    expect((await customers.list('q=c100')).pagination.total_count).toBe(1);
  });
});

test('GetCustomers tells other services of those that exist, archived ones as such', async () => {
  const [a, b] = await create(full, { name: 'Bo' });
  await customers.archive(b!);
  const { json } = await customers.call('GetCustomers', { ids: [a, b, 999_999_999] }, key);
  expect(json.customers).toEqual([
    { id: a, name: 'Maya Lee', customer_code: 'C10001', email: 'maya@example.com', phone: '+44 20 7946 0018', archived: false },
    { id: b, name: 'Bo', customer_code: 'C10002', archived: true },
  ]);
  expect((await customers.call('GetCustomers', { ids: [a] }, keyOf(storeId + 5_000))).json.customers).toEqual([]);
});
