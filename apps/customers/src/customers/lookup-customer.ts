/** Finds one customer by the code or the loyalty card, in the full record (D81, D82, D251). */
import { notFound, Problem } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Customers, Verb } from '../customers.ts';
import { type Ask, type CustomerRow, customerByCard, customerByCode } from './customer.query.ts';
import { customerRecordView, readerOf } from './customer.view.ts';

const codePattern = /^C\d{5}$/;

export const lookupCustomerByCode: Verb<'LookupCustomerByCode'> = async (app, request, { caller }) => {
  const { code = '' } = request;
  if (!codePattern.test(code)) throw new Problem('missing_parameter', 'Invalid customer code format');
  return answer(app, caller, await customerByCode(askOf(app), caller.storeId, code));
};

/** The number is compared exactly. */
export const lookupCustomerByCard: Verb<'LookupCustomerByCard'> = async (app, request, { caller }) => {
  const { card_number = '' } = request;
  // PostgreSQL refuses NUL in a text; no card has one.
  const row = card_number.includes('\0') ? undefined : await customerByCard(askOf(app), caller.storeId, card_number);
  return answer(app, caller, row);
};

function askOf(app: Customers): Ask {
  return (text, values) => app.db.read(text, values);
}

function answer(app: Customers, caller: Caller, row: CustomerRow | undefined) {
  if (!row) throw notFound('Customer');
  return { customer: customerRecordView(row, readerOf(caller, app.db.clock.now())) };
}
