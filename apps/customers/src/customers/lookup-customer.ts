import { notFound, Problem } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Customers, Verb } from '../customers.ts';
import { customerBy } from './customer.query.ts';
import { customerRecordView, readerOf } from './customer.view.ts';

const codePattern = /^C\d{5}$/;

/** GET /customers/lookup/:code, in the full record (D81, D82, D251). */
export const lookupCustomerByCode: Verb<'LookupCustomerByCode'> = (app, { code = '' }, { caller }) => {
  if (!codePattern.test(code)) throw new Problem('missing_parameter', 'Invalid customer code format');
  return lookUp(app, caller, 'customer_code', code);
};

/** By the loyalty card: its number is compared exactly. */
export const lookupCustomerByCard: Verb<'LookupCustomerByCard'> = (app, { card_number = '' }, { caller }) => {
  // PostgreSQL refuses NUL in a text; no card has one.
  if (card_number.includes('\0')) throw notFound('Customer');
  return lookUp(app, caller, 'loyalty_card_number', card_number);
};

async function lookUp(app: Customers, caller: Caller, unique: 'customer_code' | 'loyalty_card_number', value: string) {
  const row = await customerBy(app.db.read, caller.storeId, unique, value);
  if (!row) throw notFound('Customer');
  return { customer: customerRecordView(row, readerOf(caller, app.db.clock.now())) };
}
