import { parseId, parseTimestamp, soughtExternalId } from '@store/input';
import type { ListSalesRequest__Output } from '@store/protos/sales/v1.ts';
import type { Caller } from '@store/rpc';
import { dateWindow } from './date-window.ts';
import { deliveredMethods, saleStatuses } from './sale.ts';
import { type Bind, searchConditions } from './sale-search.ts';

interface MatchingSales {
  /** A statement that gives id and created_at of each, once; $1 is the store. */
  text: string;
  values: unknown[];
}

/** "awaiting local delivery or shipping even if completed" (D94); fulfilled and voided sales are not. */
const awaited = `(s.status = 'pending' or (s.status <> 'voided' and s.fulfillment_status = 'open'
  and s.fulfillment_method in (${deliveredMethods.map((method) => `'${method}'`).join(', ')})))`;

/** With updated_since, customer_id or external_id there is no window unless it is asked for (D267). */
const asksDates = ({ period, start_date, end_date }: ListSalesRequest__Output): boolean =>
  [period, start_date, end_date].some((text) => text?.trim());

/** Junk is treated as absent or as matching nothing (D25, D92). */
export function matchingSales({ storeId, timeZone, country }: Caller, request: ListSalesRequest__Output, now: Date): MatchingSales {
  const values: unknown[] = [storeId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const search = request.search?.trim() ?? '';
  const conditions: string[] = [];
  const status = saleStatuses.find((known) => known === request.status?.trim());
  const since = parseTimestamp(request.updated_since, timeZone);
  const customer = request.customer_id?.trim() ?? '';
  const externalId = soughtExternalId(request.external_id);
  const isOpen = search !== '' || ((since || customer !== '' || externalId !== undefined) && !asksDates(request));
  const isDated = !isOpen && status !== 'pending';
  if (isDated) {
    const { from, to } = dateWindow(request, timeZone, now);
    conditions.push(`s.listed_at >= ${bind(from)}`, `s.listed_at < ${bind(to)}`);
  }
  if (status) conditions.push(status === 'pending' ? awaited : `s.status = '${status}'`);
  const method = request.fulfillment_method?.trim() ?? '';
  if (method !== '') conditions.push(method.includes('\0') ? 'false' : `s.fulfillment_method = ${bind(method)}`);
  if (since) conditions.push(`s.updated_at > ${bind(since)}`);
  // What is no id is the id of no customer (D25).
  if (customer !== '') conditions.push(`s.customer_id = ${bind(parseId(customer) ?? 0)}`);
  if (externalId !== undefined) conditions.push(`s.external_id = ${bind(externalId)}`);
  const drawer = request.cash_drawer_session_id?.trim() ?? '';
  // A whole number that no id can be, such as 0, is the id of no session; what is no whole number is ignored.
  if (/^[+-]?\d+$/.test(drawer)) conditions.push(`s.cash_drawer_session_id = ${bind(parseId(drawer) ?? 0)}`);
  // Each part has every condition: it then gives few rows, and none is looked up again.
  const where = ['s.store_id = $1', ...conditions].join(' and ');
  const text = searchConditions(search, country, bind)
    .map(({ from, condition }) => `select s.id, s.created_at from ${from} where ${where} and ${condition}`)
    .join('\nunion\n');
  return { text, values };
}
