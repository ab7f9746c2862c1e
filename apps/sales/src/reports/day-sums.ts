/** What a day's report adds up, as one statement: its sums are of one moment, and no sale leaves the database. */
import type { DayMovement, DaySums, DayTax, DayTender } from '@store/protos/sales/v1.ts';

/** Of the store $1, from $2 to before $3. `sign` is 1 for a sale that was completed then, -1 for one that was voided then. */
const counted = `
  select 1 as sign, ${columns('sale')} from sales.sales sale
  where sale.store_id = $1 and sale.listed_at >= $2 and sale.listed_at < $3 and sale.completed_at is not null
  union all
  select -1 as sign, ${columns('void')} from sales.sales void
  where void.store_id = $1 and void.voided_at >= $2 and void.voided_at < $3 and void.completed_at is not null`;

function columns(table: string): string {
  const names = ['id', 'subtotal', 'discount_amount', 'tax_amount', 'total', 'green_echeck_surcharge', 'tax_rates', 'tax_names'];
  return names.map((name) => `${table}.${name}`).join(', ');
}

/** Money as text with two decimals. */
const sum = (value: string, condition = 'true') => `coalesce(sum(${value}) filter (where ${condition}), 0)::numeric(24, 2)::text`;
/** A sum over the sales, over the voids, and the difference. */
const [ofSales, ofVoids] = ['sign = 1', 'sign = -1'];
const three = (value: string, [first, second] = ['sales', 'voids']) =>
  `'${first}', ${sum(value, ofSales)}, '${second}', ${sum(value, ofVoids)}, 'net', ${sum(`sign * ${value}`)}`;

const totals = (value: (column: string) => string, count: string) =>
  `json_build_object('count', ${count}, ${[
    ...['subtotal', 'discount_amount', 'tax_amount', 'total'].map((column) => `'${column}', ${value(column)}`),
    `'green_echeck_surcharge', ${value('coalesce(green_echeck_surcharge, 0)')}`,
  ].join(', ')})`;

/** A component is rounded sale by sale, as the sale's own tax was (taxAmounts); numeric rounds the half away from zero, as money does. */
const component = 'round(rate.percent::numeric * (subtotal - discount_amount) * 0.01, 2)';

export const daySumsStatement = `
  with counted as materialized (${counted})
  select
    (select ${totals((column) => sum(column, ofSales), `count(*) filter (where ${ofSales})`)} from counted) as sales,
    (select ${totals((column) => sum(column, ofVoids), `count(*) filter (where ${ofVoids})`)} from counted) as voids,
    (select ${totals((column) => sum(`sign * ${column}`), 'coalesce(sum(sign), 0)')} from counted) as net,
    (select coalesce(json_agg(tax order by tax ->> 'name', (tax ->> 'rate')::numeric), '[]') from (
      select json_build_object('name', coalesce(tax_names ->> (rate.position - 1)::int, 'Tax'), 'rate', percent::numeric(9, 4)::text,
        ${three(component)}) as tax
      from counted cross join lateral jsonb_array_elements_text(tax_rates) with ordinality as rate (percent, position)
      group by coalesce(tax_names ->> (rate.position - 1)::int, 'Tax'), percent::numeric(9, 4)) components) as taxes,
    (select coalesce(json_agg(tender order by tender ->> 'method'), '[]') from (
      select json_build_object('method', payment.method, ${three('payment.amount', ['taken', 'given_back'])}) as tender
      from counted join sales.sale_payments payment on payment.store_id = $1 and payment.sale_id = counted.id
      group by payment.method) methods) as tenders,
    (select coalesce(json_agg(movement order by movement ->> 'transaction_type'), '[]') from (
      select json_build_object('transaction_type', transaction_type, 'count', count(*), 'amount', ${sum('amount')}) as movement
      from sales.gift_card_transactions where store_id = $1 and created_at >= $2 and created_at < $3
      group by transaction_type) types) as gift_cards`;

/** The row of the statement. */
export interface SummedDay {
  sales: DaySums;
  voids: DaySums;
  net: DaySums;
  /** With four decimals of each rate. */
  taxes: (DayTax & { rate: string })[];
  tenders: DayTender[];
  gift_cards: DayMovement[];
}
