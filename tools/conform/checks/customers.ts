/** Customers, read. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { holds, Skip, same } from '../outcome.ts';

const { read } = areaOf('customers');
const scopes = ['customers:read'];
const list = '/customers?per_page=100';

interface Customer {
  id: number;
  name: string;
  email?: string;
  phone?: string;
  customer_code: string;
  updated_at: string;
  lifetime_spend: string;
  store_credit_balance: string;
  address?: { line1: string };
}
const customers = (kit: Kit): Promise<Customer[]> => kit.data(list);

async function firstWith(kit: Kit, field: keyof Customer): Promise<Customer> {
  const found = (await customers(kit)).find((customer) => customer[field] !== undefined);
  if (!found) throw new Skip(`none of the first 100 customers has ${field}`);
  return found;
}

const find = (field: 'name' | 'email' | 'phone' | 'customer_code', change = (text: string) => text, how = '') =>
  read('GET /customers?q=', `q matches the ${field.replace('_', ' ')}${how}.`, scopes, async (kit) => {
    const customer = await firstWith(kit, field);
    const text = encodeURIComponent(change(String(customer[field])));
    const found: Customer[] = await kit.data(`/customers?per_page=100&q=${text}`);
    // More matches than a page has say nothing.
    holds(found.length === 100 || found.some(({ id }) => id === customer.id), `customer ${customer.id} is not found by ${text}`);
  });

export const customerChecks = [
  read('GET /customers', 'Customers are listed most recently updated first.', scopes, async (kit) => {
    const rows = await customers(kit);
    for (const [index, next] of rows.slice(1).entries()) {
      holds(rows[index]!.updated_at >= next.updated_at, `customer ${next.id} (${next.updated_at}) follows ${rows[index]!.updated_at}`);
    }
  }),
  read('GET /customers', 'A customer code is the letter C and five digits.', scopes, async (kit) => {
    for (const { id, customer_code } of await customers(kit))
      holds(/^C\d{5}$/.test(customer_code), `customer ${id} has the code ${customer_code}`);
  }),
  read('GET /customers', 'Money of customers is text with exactly two decimals.', scopes, async (kit) => {
    for (const { id, lifetime_spend, store_credit_balance } of await customers(kit)) {
      const money = [lifetime_spend, store_credit_balance];
      holds(
        money.every((text) => /^-?\d+\.\d{2}$/.test(text)),
        `customer ${id} has ${JSON.stringify(money)}`,
      );
    }
  }),
  read('GET /customers', 'Fields of a customer that have no value are left out, not null.', scopes, async (kit) => {
    for (const customer of await customers(kit))
      same(
        `fields of customer ${customer.id} that are null`,
        Object.entries(customer).filter(([, value]) => value === null),
        [],
      );
  }),
  read('GET /customers', 'address is there only when line 1 exists.', scopes, async (kit) => {
    for (const { id, address } of await customers(kit))
      holds(address === undefined || address.line1 !== '', `customer ${id} has an address without line1`);
  }),
  read('GET /customers/:id', 'GET /customers/:id answers one customer in the shape of the list.', scopes, async (kit) => {
    const customer = await firstWith(kit, 'id');
    const { status, body } = await kit.send('GET', `/customers/${customer.id}`);
    same('status and id', [status, body?.data?.id], [200, customer.id]);
    if (body.data.updated_at === customer.updated_at) same('the customer', body.data, customer);
  }),
  find('name'),
  find('name', (name) => name.toUpperCase(), ', ignoring case'),
  find('email'),
  find('phone'),
  find('phone', (phone) => phone.replace(/\D/g, ''), ' without its formatting, from 7 digits on'),
  find('customer_code'),
  read('GET /customers?q=', 'q that matches nothing is an empty list.', scopes, async (kit) =>
    same('data', await kit.data('/customers?q=conform-no-such-customer'), []),
  ),
  read('GET /customers?updated_since=never', 'An updated_since that cannot be read is ignored.', scopes, async (kit) => {
    const [all, filtered] = [await kit.get('/customers'), await kit.get('/customers?updated_since=never')];
    same('status and total', [filtered.status, filtered.body.pagination.total_count], [200, all.body.pagination.total_count]);
  }),
  read('GET /customers?updated_since=', 'updated_since finds what changed after it.', scopes, async (kit) =>
    same('data', await kit.data('/customers?updated_since=2999-01-01T00:00:00Z'), []),
  ),
  read(
    'GET /customers/lookup_by_code/:code',
    'A lookup answers the full record: flat address columns instead of an address object.',
    scopes,
    async (kit) => {
      const { customer_code } = await firstWith(kit, 'customer_code');
      const record = await kit.data(`/customers/lookup_by_code/${customer_code}`);
      same('code and address', [record.customer_code, 'address' in record], [customer_code, false]);
    },
  ),
  ...['10001', 'C1', 'C123456', 'c10001', 'X10001'].map((code) =>
    read(
      `GET /customers/lookup_by_code/${code}`,
      'A code of another format is 400 "Invalid customer code format".',
      scopes,
      async (kit) => {
        const { status, body } = await kit.get(`/customers/lookup_by_code/${code}`);
        same('the answer', [status, body], [400, { error: 'Invalid customer code format' }]);
      },
    ),
  ),
  read('GET /customers/:id/recent_sales', 'recent_sales are the last 5 completed sales.', scopes, async (kit) => {
    const { id } = await firstWith(kit, 'id');
    const sales: { status: string; customer: { id: number } }[] = await kit.data(`/customers/${id}/recent_sales`);
    holds(sales.length <= 5, `there are ${sales.length}`);
    same(
      'other states or customers',
      sales.filter(({ status, customer }) => status !== 'completed' || customer.id !== id),
      [],
    );
  }),
];
