/** Writes a sale with its lines and payments. Text: one statement, as every sale at the register runs it. */
import { type EntityManager, isUniqueViolation, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { SaleState } from './plan-sale.ts';
import type { DraftLine } from './price-lines.ts';
import type { SaleRow } from './sale.ts';
import type { Payment } from './tenders.ts';

export const numberTaken = 'Receipt number has already been taken';
const externalIdTaken = 'External id has already been taken';

/** Columns that a change may write, and those that only a new sale has. */
const changing = `receipt_number, status, source, sale_type, payment_method, customer_id, subtotal, discount_amount, sale_discount, tax_rates, tax_names,
  tax_amount, total, green_echeck_surcharge, green_echeck_total_paid, fulfillment_method, fulfillment_status,
  cash_drawer_session_id, refund_drawer_session_id, completed_at, voided_at, void_reason, external_id, note, listed_at, updated_at`;
/** One by one: of `(a, b) = (select …)` Citus gives the columns each other's values. */
const assignments = changing.replaceAll(/\w+/g, '$& = x.$&');
const fixed = 'clerk_id, clerk_name, created_at';
const lineColumns = `position, product_id, product_name, sku, quantity, unit_price, discount_amount, total, cost, discount_blocked,
  bundle, kitchen_item, modifiers, note`;
const paymentColumns = 'position, method, amount, card_number';

const insertLines = (sale: string, json: string) => `
  insert into sales.sale_line_items (store_id, sale_id, ${lineColumns})
  select $1, ${sale}, ${lineColumns} from json_populate_recordset(null::sales.sale_line_items, ${json}::json) order by position
  returning id, position`;
const insertPayments = (sale: string, json: string) => `
  insert into sales.sale_payments (store_id, sale_id, ${paymentColumns})
  select $1, ${sale}, ${paymentColumns} from json_populate_recordset(null::sales.sale_payments, ${json}::json) order by position`;

const insert = `
  with sale as (
    insert into sales.sales (id, store_id, ${fixed}, ${changing}) overriding system value
    select coalesce($2, nextval('sales.sales_id_seq')), $1, ${fixed}, ${changing} from json_populate_record(null::sales.sales, $3::json)
    on conflict (store_id, receipt_number) do nothing
    returning id),
  lines as (${insertLines('(select id from sale)', '$4').replace('order by position', 'where exists (select from sale) order by position')}),
  payments as (${insertPayments('(select id from sale)', '$5').replace('order by position', 'where exists (select from sale) order by position')})
  select id, (select json_agg(lines.id order by position) from lines) as line_ids from sale`;

interface WrittenIds {
  id: number;
  /** In the order of the lines. */
  line_ids: number[];
}

/** Inserts a new sale, of the id that is given or the next one; undefined: the receipt number is taken. */
export async function insertSale(
  em: EntityManager,
  storeId: number,
  { sale, lines, payments }: SaleState,
  id: number | null,
): Promise<WrittenIds | undefined> {
  const values = [storeId, id, JSON.stringify(sale), JSON.stringify(lines), JSON.stringify(numbered(payments))];
  try {
    const [written] = await sql<WrittenIds>(em, insert, values);
    return written;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** What a unique index refuses: a 422, also of a race, as for a receipt number. */
function refusalOf(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return invalid([(error as { constraint?: string }).constraint === 'sales_external' ? externalIdTaken : numberTaken]);
}

const update = `
  update sales.sales s set ${assignments} from json_populate_record(null::sales.sales, $3::json) as x where s.store_id = $1 and s.id = $2`;

/** Writes what may change of a sale whose row is locked. */
export async function updateSale(em: EntityManager, sale: SaleRow): Promise<void> {
  try {
    await sql(em, update, [sale.store_id, sale.id, JSON.stringify(sale)]);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Replaces the lines; returns their ids in order. */
export async function replaceLines(em: EntityManager, { store_id, id }: SaleRow, lines: DraftLine[]): Promise<number[]> {
  await sql(em, 'delete from sales.sale_line_items where store_id = $1 and sale_id = $2', [store_id, id]);
  const written = await sql<{ id: number; position: number }>(em, insertLines('$2', '$3'), [store_id, id, JSON.stringify(lines)]);
  return written.sort((a, b) => a.position - b.position).map((line) => line.id);
}

export async function replacePayments(em: EntityManager, { store_id, id }: SaleRow, payments: Payment[]): Promise<void> {
  await sql(em, 'delete from sales.sale_payments where store_id = $1 and sale_id = $2', [store_id, id]);
  if (payments.length > 0) await sql(em, insertPayments('$2', '$3'), [store_id, id, JSON.stringify(numbered(payments))]);
}

const numbered = (payments: Payment[]) => payments.map((payment, position) => ({ position, ...payment }));
