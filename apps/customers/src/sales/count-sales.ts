/**
 * What sales do to their customers: spend and visits, each sale once, whatever comes twice or in another order (D221, D222).
 * SQL text: it runs for every batch of sales, in a unit of no single store.
 */
import { type EntityManager, sql } from '@store/db';
import type { SaleFact } from '@store/events';
import { scaled, unscaled } from '@store/input';
import type { HeardSale } from './sale-message.ts';

export interface Handled {
  storeId: number;
  now: Date;
}

/** Sales that are handled for the first time; their customers are locked. */
export interface CountedSales {
  /** They have begun to count. */
  completed: SaleFact[];
  /** They count no longer. A completion that comes later counts nothing, so one that was not heard of is here too. */
  voided: SaleFact[];
  /** What that adds to each customer, below 0 for what is taken back. */
  added: Map<number, Added>;
}

interface Added {
  /** In hundredths, exact. */
  spend: bigint;
  visits: number;
}

/** Locks in id order, so that two batches, or a batch and a member of staff, do not wait for each other. */
export async function lockCustomers(em: EntityManager, storeId: number, heard: HeardSale[]): Promise<void> {
  const ids = [...new Set(heard.map(({ sale }) => sale.customer_id).filter((id) => id !== null))];
  if (ids.length === 0) return;
  await sql(em, 'select 1 from customers.customers where store_id = $1 and id = any ($2::bigint[]) order by id for update', [storeId, ids]);
}

/** Keeps that these sales were handled; completions first, so that a void in the same batch finds what it takes back. */
export async function markSales(em: EntityManager, { storeId, now }: Handled, heard: HeardSale[]): Promise<CountedSales> {
  const completed = withCustomer(heard, 'completed');
  const voided = withCustomer(heard, 'voided');
  const counts = await sql<Marked>(em, markCompleted, [storeId, now, JSON.stringify(completed.map(markOf))]);
  const takes = await sql<Marked>(em, markVoided, [storeId, now, JSON.stringify(voided.map(markOf))]);
  return { completed: marked(completed, counts), voided: marked(voided, takes), added: sumOf(counts, takes) };
}

interface Marked {
  sale_id: number;
  customer_id: number;
  spend: string;
  visits: number;
}

const markColumns = 'store_id, sale_id, customer_id, spend, visits, voided, created_at';
const marks = 'json_to_recordset($3::json) as x(sale_id bigint, customer_id bigint, spend numeric)';

const markCompleted = `insert into customers.customer_sales (${markColumns})
  select $1, x.sale_id, x.customer_id, x.spend, 1, false, $2 from ${marks}
  on conflict (store_id, sale_id) do nothing returning sale_id, customer_id, spend, visits`;

/** A new row is the mark of a void that came first; an existing one returns what its completion added. */
const markVoided = `insert into customers.customer_sales as s (${markColumns})
  select $1, x.sale_id, x.customer_id, 0, 0, true, $2 from ${marks}
  on conflict (store_id, sale_id) do update set voided = true where not s.voided returning sale_id, customer_id, spend, visits`;

/** One fact per sale: a statement cannot write the same row twice. */
function withCustomer(heard: HeardSale[], kind: HeardSale['kind']): SaleFact[] {
  const sales = heard.filter((one) => one.kind === kind && one.sale.customer_id !== null).map(({ sale }) => sale);
  return [...new Map(sales.map((sale) => [sale.id, sale])).values()];
}

const markOf = ({ id, customer_id, total }: SaleFact) => ({ sale_id: id, customer_id, spend: total });

function marked(sales: SaleFact[], rows: Marked[]): SaleFact[] {
  const ids = new Set(rows.map(({ sale_id }) => sale_id));
  return sales.filter(({ id }) => ids.has(id));
}

function sumOf(counts: Marked[], takes: Marked[]): Map<number, Added> {
  const sums = new Map<number, Added>();
  const add = (customerId: number, spend: bigint, visits: number) => {
    const sum = sums.get(customerId) ?? { spend: 0n, visits: 0 };
    sums.set(customerId, { spend: sum.spend + spend, visits: sum.visits + visits });
  };
  for (const row of counts) add(row.customer_id, cents(row.spend), row.visits);
  for (const row of takes) add(row.customer_id, -cents(row.spend), -row.visits);
  return sums;
}

const cents = (amount: string): bigint => scaled(amount, 2)!;

/** Adds spend and visits to the rows; the ids of the customers that this changed. */
export async function addSpend(em: EntityManager, { storeId, now }: Handled, { added }: CountedSales): Promise<number[]> {
  const changes = [...added].filter(([, { spend, visits }]) => spend !== 0n || visits !== 0);
  if (changes.length === 0) return [];
  const rows = await sql<{ id: number }>(
    em,
    `update customers.customers c
     set lifetime_spend = c.lifetime_spend + x.spend, visit_count = c.visit_count + x.visits, updated_at = $2
     from json_to_recordset($3::json) as x(id bigint, spend numeric, visits int)
     where c.store_id = $1 and c.id = x.id returning c.id`,
    [storeId, now, JSON.stringify(changes.map(([id, { spend, visits }]) => ({ id, spend: unscaled(spend, 2), visits })))],
  );
  return rows.map(({ id }) => id);
}
