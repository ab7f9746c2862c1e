/** The conditions of GET /sales on sales.sales s, of which $1 is the store. */
import { likeLiteral } from '@store/db';
import { parseId } from '@store/input';
import type { ListSalesRequest__Output } from '@store/protos/sales/v1/ListSalesRequest.ts';
import { searchSeparator } from '../customers/save-customers.ts';
import { dateWindow } from './date-window.ts';
import { deliveredMethods, saleStatuses } from './sale.ts';

export interface SaleFilter {
  /** Ids of the sales that are found, where something is searched for; a union of statements. */
  found: string | undefined;
  /** Conditions on every sale, each after "and". */
  where: string;
  values: unknown[];
}

type Bind = (value: unknown) => string;

/** "awaiting local delivery or shipping even if completed" (D94); what is fulfilled, or voided, no longer is. */
const awaited = `(s.status = 'pending' or (s.status <> 'voided' and s.fulfillment_status = 'open'
  and s.fulfillment_method in (${deliveredMethods.map((method) => `'${method}'`).join(', ')})))`;

/** Junk is treated as absent or as matching nothing (D25, D92). */
export function saleFilter(storeId: number, request: ListSalesRequest__Output, timeZone: string, now: Date): SaleFilter {
  const values: unknown[] = [storeId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const search = request.search?.trim() ?? '';
  const conditions: string[] = [];
  const status = saleStatuses.find((known) => known === request.status?.trim());
  const isDated = search === '' && status !== 'pending';
  if (isDated) {
    const { from, to } = dateWindow(request, timeZone, now);
    conditions.push(`s.listed_at >= ${bind(from)}`, `s.listed_at < ${bind(to)}`);
  }
  if (status) conditions.push(status === 'pending' ? awaited : `s.status = '${status}'`);
  const method = request.fulfillment_method?.trim() ?? '';
  if (method !== '') conditions.push(method.includes('\0') ? 'false' : `s.fulfillment_method = ${bind(method)}`);
  const drawer = request.cash_drawer_session_id?.trim() ?? '';
  // A whole number that no id can be, such as 0, is the id of no session; what is no whole number is ignored.
  if (/^[+-]?\d+$/.test(drawer)) conditions.push(`s.cash_drawer_session_id = ${bind(parseId(drawer) ?? 0)}`);
  return {
    found: search === '' ? undefined : foundBy(search, bind),
    where: conditions.map((condition) => `and ${condition}`).join(' '),
    values,
  };
}

/** What a trigram index needs at least: three letters or digits in a row. */
const indexable = /[a-z0-9]{3}/;
/** From this many digits on, a search also looks at phones without their formatting (D86). */
const phoneDigitsMin = 7;

/**
 * Id, receipt number, or the customer's name, e-mail or phone (D93, D235). Each is a statement of its own, as each has an
 * index of its own; a customer's sales are found by the customer's id.
 */
function foundBy(search: string, bind: Bind): string {
  if (search.includes('\0') || search.includes(searchSeparator)) return 'select null::bigint where false';
  const text = search.toLowerCase();
  const [pattern, plain] = indexable.test(text) ? [bind(`%${likeLiteral(text)}%`), undefined] : [undefined, bind(text)];
  const digits = search.replace(/\D/g, '');
  const phone = digits.length >= phoneDigitsMin ? ` or c.phone_digits like ${bind(`%${digits}%`)}` : '';
  const id = /^\d+$/.test(search) ? parseId(search) : undefined;
  const parts = [
    `select s.id from sales.sales s where s.store_id = $1 and ${
      pattern ? `s.receipt_number ilike ${pattern}` : `strpos(lower(s.receipt_number), ${plain}) > 0`
    }`,
    `select s.id from sales.customers c join sales.sales s on s.store_id = c.store_id and s.customer_id = c.id
     where c.store_id = $1 and s.store_id = $1 and (${
       pattern ? `c.search_text like ${pattern}` : `strpos(c.search_text, ${plain}) > 0`
     }${phone})`,
    ...(id === undefined ? [] : [`select s.id from sales.sales s where s.store_id = $1 and s.id = ${bind(id)}`]),
  ];
  return parts.join('\nunion\n');
}
