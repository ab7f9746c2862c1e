/** The parts of a search of sales: each has its own index, and their union uses every one. */
import { hasTrigram, isInNoText, likeLiteral } from '@store/db';
import { parseId, soughtDigits } from '@store/input';

/** Adds a value to the statement and gives its placeholder. */
export type Bind = (value: unknown) => string;

interface SearchPart {
  /** sales.sales as s, joined with what the condition looks at; $1 is the store. */
  from: string;
  condition: string;
}

const sales = 'sales.sales s';
const customersSales = `sales.customers c join ${sales} on s.store_id = c.store_id and s.customer_id = c.id and c.store_id = $1`;

/**
 * Id, receipt number, or the customer's name, e-mail or phone (D93); a customer's sales are found by the customer's id
 * (D235), and phones as D86 and D280 say. Without a search every sale is looked at.
 */
export function searchConditions(search: string, country: string, bind: Bind): SearchPart[] {
  if (search === '') return [{ from: sales, condition: 'true' }];
  if (isInNoText(search)) return [{ from: sales, condition: 'false' }];
  const text = search.toLowerCase();
  const parts = hasTrigram(text) ? byTrigrams(bind(`%${likeLiteral(text)}%`)) : byScan(bind(text));
  const digits = soughtDigits(search, country);
  if (digits) parts.push({ from: customersSales, condition: `c.phone_digits like ${bind(`%${digits}%`)}` });
  const id = /^\d+$/.test(search) ? parseId(search) : undefined;
  if (id !== undefined) parts.push({ from: sales, condition: `s.id = ${bind(id)}` });
  return parts;
}

function byTrigrams(pattern: string): SearchPart[] {
  return [
    { from: sales, condition: `s.receipt_number ilike ${pattern}` },
    { from: customersSales, condition: `c.search_text like ${pattern}` },
  ];
}

function byScan(text: string): SearchPart[] {
  return [
    { from: sales, condition: `strpos(lower(s.receipt_number), ${text}) > 0` },
    { from: customersSales, condition: `strpos(c.search_text, ${text}) > 0` },
  ];
}
