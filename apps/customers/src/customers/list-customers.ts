import { type Ask, runningTotal, textCondition } from '@store/db';
import { type Page, paginationView, parsePage, parseTimestamp, soughtDigits, soughtExternalId } from '@store/input';
import type { ListCustomersRequest__Output } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import type { Verb } from '../customers.ts';
import { type CustomerRow, customersStatement } from './customer.query.ts';
import { customersTotal } from './customer.ts';
import { customerView, readerOf } from './customer.view.ts';

const perPageDefault = 25;

/** GET /customers: most recently updated first, in at most two statements; by cursors as they were made. */
export const listCustomers: Verb<'ListCustomers'> = async (app, request, { caller }) => {
  const page = parsePage(request, perPageDefault);
  const filter = filterOf(request, caller);
  const [rows, totalCount] = await (filter.where === '' ? listedPage : matchingPage)(app.db.read, caller.storeId, filter, page);
  const reader = readerOf(caller, app.db.clock.now());
  return { customers: rows.map((row) => customerView(row, reader)), pagination: paginationView(page, totalCount) };
};

type PageOf = (ask: Ask, storeId: number, filter: Filter, page: Page) => Promise<[rows: CustomerRow[], total: number]>;

/** Without a filter: the kept total. */
const listedPage: PageOf = (ask, storeId, filter, page) =>
  Promise.all([pageRows(ask, storeId, filter, page), count(ask, keptTotal, [storeId])]);

/** The number of matches; where the page has the last of them, it follows from the page. */
const matchingPage: PageOf = async (ask, storeId, filter, page) => {
  const rows = await pageRows(ask, storeId, filter, page);
  const isLast = !page.walk && rows.length < page.perPage && (rows.length > 0 || page.offset === 0);
  if (isLast) return [rows, page.offset + rows.length];
  return [rows, await count(ask, `select count(*) as total ${listed(filter.where)}`, [storeId, ...filter.values])];
};

interface Filter {
  /** Conditions on customers.customers; $1 is the store, and the values start at $2. */
  where: string;
  values: unknown[];
}

const firstValue = 2;

/** The conditions of the request; junk is treated as absent (D25). */
function filterOf(request: ListCustomersRequest__Output, caller: Caller): Filter {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${firstValue + values.push(value) - 1}`;
  const q = request.q?.trim();
  const since = parseTimestamp(request.updated_since, caller.timeZone);
  if (q) conditions.push(searchCondition(q, caller, bind));
  const externalId = soughtExternalId(request.external_id);
  if (externalId !== undefined) conditions.push(`external_id = ${bind(externalId)}`);
  if (since) conditions.push(`updated_at > ${bind(since)}`);
  return { where: conditions.map((condition) => `and ${condition}`).join(' '), values };
}

/** A trimmed, case-insensitive substring of name, e-mail, phone, code or card number, or of the phone's digits (D86, D280). */
function searchCondition(q: string, { country }: Caller, bind: (value: unknown) => string): string {
  const digits = soughtDigits(q, country);
  const byDigits = digits ? [`phone_digits like ${bind(`%${digits}%`)}`] : [];
  return `(${[textCondition('search_text', q, bind), ...byDigits].join(' or ')})`;
}

const listed = (where: string) => `from customers.customers where store_id = $1 and archived_at is null ${where}`;
/** By cursors as they were made, which an update does not change. */
const orderOf = ({ walk }: Page, alias = '') => (walk ? `${alias}created_at, ${alias}id` : `${alias}updated_at desc, ${alias}id desc`);

/** Before any customer was made. */
const longAgo = new Date(0);

/**
 * The first page without a filter has its limit in the text (there are a hundred such texts at most): PostgreSQL then knows
 * its cost and keeps the plan.
 */
function pageRows(ask: Ask, storeId: number, { where, values }: Filter, page: Page): Promise<CustomerRow[]> {
  const { limit, offset, walk } = page;
  const next = firstValue + values.length;
  const [after, limited, further] = walk
    ? [`and (created_at, id) > ($${next}, $${next + 1})`, `limit ${limit}`, [walk.mark?.createdAt ?? longAgo, walk.mark?.id ?? 0]]
    : where === '' && offset === 0
      ? ['', `limit ${limit}`, []]
      : ['', `limit $${next} offset $${next + 1}`, [limit, offset]];
  const rows = `select * ${listed(where)} ${after} order by ${orderOf(page)} ${limited}`;
  return ask<CustomerRow>(`${customersStatement(rows)} order by ${orderOf(page, 'c.')}`, [storeId, ...values, ...further]);
}

const keptTotal = runningTotal('customers', customersTotal);

async function count(ask: Ask, text: string, values: unknown[]): Promise<number> {
  return (await ask<{ total: number }>(text, values))[0]!.total;
}
