/**
 * Adds sales to their customers' spend and visits: each once, also when events repeat or change their order (D221, D222).
 * SQL text: it runs for every batch of sales, in a unit of no single store.
 */
import { type EntityManager, type Row, sql } from '@store/db';
import type { SaleFact } from '@store/events';
import { cents, moneyText } from '@store/input';
import { lockHolders } from '../store-credits/lock-holders.ts';
import type { CustomerSale } from './customer-sale.ts';
import type { ReceivedSale } from './sale-message.ts';

export interface Handled {
  storeId: number;
  now: Date;
}

/** A change of a customer's spend and visits; negative for a void. */
export interface Added {
  /** In hundredths, exact. */
  spend: bigint;
  visits: number;
}

/**
 * A sale that begins to count, or counts no longer, handled for the first time. A completion that arrives after its void
 * counts nothing, so a void that took nothing back is an effect too.
 */
export interface SaleEffect extends ReceivedSale, Added {
  customerId: number;
}

/**
 * Locks in id order, so that two batches, or a batch and a member of staff, do not wait for each other. Returns the sales with the
 * customers that they count for: a merged one is the customer that it was merged into.
 */
export async function lockCustomers(em: EntityManager, storeId: number, received: ReceivedSale[]): Promise<ReceivedSale[]> {
  const ids = [...new Set(received.map(({ sale }) => sale.customer_id).filter((id) => id !== null))];
  if (ids.length === 0) return received;
  const holders = await lockHolders(em, storeId, ids);
  return received.map((one) => {
    const now = one.sale.customer_id === null ? undefined : holders.get(one.sale.customer_id);
    return now && now.id !== one.sale.customer_id ? { ...one, sale: { ...one.sale, customer_id: now.id } } : one;
  });
}

/**
 * Records that these sales were handled; completions first, so that a void in the same batch finds its completion. Returns
 * the effects in the order in which the sales were received.
 */
export async function markSales(em: EntityManager, { storeId, now }: Handled, received: ReceivedSale[]): Promise<SaleEffect[]> {
  const mark = async (text: string, kind: ReceivedSale['kind']): Promise<Map<number, Marked>> => {
    const rows = await sql<Marked>(em, text, [storeId, now, JSON.stringify(withCustomer(received, kind).map(markOf))]);
    return new Map(rows.map((row) => [row.sale_id, row]));
  };
  const marks = { completed: await mark(markCompleted, 'completed'), voided: await mark(markVoided, 'voided') };
  return received.flatMap(({ kind, sale }) => {
    const row = marks[kind].get(sale.id);
    if (!row || !marks[kind].delete(sale.id)) return [];
    const sign = kind === 'completed' ? 1 : -1;
    // The row of a sale from before a merge names the customer of then.
    return [
      { kind, sale, customerId: sale.customer_id ?? row.customer_id, spend: BigInt(sign) * cents(row.spend), visits: sign * row.visits },
    ];
  });
}

type Marked = Pick<Row<typeof CustomerSale>, 'sale_id' | 'customer_id' | 'spend' | 'visits'>;

const markColumns = 'store_id, sale_id, customer_id, spend, visits, voided, created_at';
const marks = 'json_to_recordset($3::json) as x(sale_id bigint, customer_id bigint, spend numeric)';

const markCompleted = `insert into customers.customer_sales (${markColumns})
  select $1, x.sale_id, x.customer_id, x.spend, 1, false, $2 from ${marks}
  on conflict (store_id, sale_id) do nothing returning sale_id, customer_id, spend, visits`;

/** A new row is the mark of a void that came first; an existing one returns what its completion added. */
const markVoided = `insert into customers.customer_sales as s (${markColumns})
  select $1, x.sale_id, x.customer_id, 0, 0, true, $2 from ${marks}
  on conflict (store_id, sale_id) do update set voided = true where not s.voided returning sale_id, customer_id, spend, visits`;

/** One fact per sale, as a statement cannot write the same row twice; a completion behind its void counts nothing (D222). */
function withCustomer(received: ReceivedSale[], kind: ReceivedSale['kind']): SaleFact[] {
  const facts = new Map<number, SaleFact>();
  const voided = new Set<number>();
  for (const one of received) {
    if (one.sale.customer_id === null) continue;
    if (one.kind === kind && !(kind === 'completed' && voided.has(one.sale.id))) facts.set(one.sale.id, one.sale);
    if (one.kind === 'voided') voided.add(one.sale.id);
  }
  return [...facts.values()];
}

const markOf = ({ id, customer_id, total }: SaleFact) => ({ sale_id: id, customer_id, spend: total });

/** What the effects add to each customer. */
export function addedOf(effects: SaleEffect[]): Map<number, Added> {
  const sums = new Map<number, Added>();
  for (const { customerId, spend, visits } of effects) {
    const sum = sums.get(customerId) ?? { spend: 0n, visits: 0 };
    sums.set(customerId, { spend: sum.spend + spend, visits: sum.visits + visits });
  }
  return sums;
}

/** Adds spend and visits to the rows; the ids of the customers that this changed. */
export async function addSpend(em: EntityManager, { storeId, now }: Handled, effects: SaleEffect[]): Promise<number[]> {
  const changes = [...addedOf(effects)].filter(([, { spend, visits }]) => spend !== 0n || visits !== 0);
  if (changes.length === 0) return [];
  const rows = await sql<{ id: number }>(
    em,
    `update customers.customers c
     set lifetime_spend = c.lifetime_spend + x.spend, visit_count = c.visit_count + x.visits, updated_at = $2
     from json_to_recordset($3::json) as x(id bigint, spend numeric, visits int)
     where c.store_id = $1 and c.id = x.id returning c.id`,
    [storeId, now, JSON.stringify(changes.map(([id, { spend, visits }]) => ({ id, spend: moneyText(spend), visits })))],
  );
  return rows.map(({ id }) => id);
}
