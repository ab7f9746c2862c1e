/** Reads orders with their lines: one statement for one order, two for a page of them. Text, as the list is a measured read. */
import type { Row } from '@store/db';
import type { LineRow } from '../order-lines/order-line.ts';
import { type LineFromJson, lineColumns, lineFromJson, lineJson } from '../order-lines/write-lines.ts';
import type { Supplier } from '../suppliers/supplier.ts';
import type { OrderRow } from './purchase-order.ts';

/** Runs a statement: db.read outside a transaction, sql(em) inside one. */
export type Ask = <Answer>(text: string, values: unknown[]) => Promise<Answer[]>;

export type ShownOrder = Omit<OrderRow, 'store_id' | 'receipt_count'> & { supplier_name: Row<typeof Supplier>['name'] | null };

/** `page` selects rows of purchasing.purchase_orders; $1 is the store. */
export function ordersStatement(page: string): string {
  return `with o as (${page})
    select o.id, o.order_number, o.status, o.supplier_id, s.name as supplier_name, o.subtotal, o.tax_amount, o.shipping_cost, o.total,
      o.ordered_at, o.received_at, o.has_variance, o.created_at, o.updated_at
    from o left join purchasing.suppliers s on s.store_id = $1 and s.id = o.supplier_id
    order by o.created_at desc, o.id desc`;
}

/** A line as far as it is shown: a page has a thousand of them. */
export type ShownLine = Omit<LineRow, 'position' | 'bundle' | 'received_at'>;

const notShown: readonly string[] = ['bundle', 'received_at'];
const shownColumns = lineColumns.filter((name) => !notShown.includes(name));

const linesStatement = `select id, order_id, ${shownColumns.join(', ')} from purchasing.purchase_order_lines
  where store_id = $1 and order_id = any ($2::bigint[]) order by order_id, position`;

/** The lines of those orders as they are shown, by the order's id. */
export async function linesByOrder(ask: Ask, storeId: number, orderIds: number[]): Promise<Map<number, ShownLine[]>> {
  if (orderIds.length === 0) return new Map();
  return Map.groupBy(await ask<ShownLine>(linesStatement, [storeId, orderIds]), (line) => line.order_id);
}

/** One statement, so that the order and its lines are of one moment. */
const byId = `
  select shown.*, (
    select coalesce(json_agg(${lineJson} order by position), '[]') from purchasing.purchase_order_lines
    where store_id = $1 and order_id = $2) as lines
  from (${ordersStatement('select * from purchasing.purchase_orders where store_id = $1 and id = $2')}) shown`;

export async function orderById(ask: Ask, storeId: number, id: number): Promise<{ order: ShownOrder; lines: LineRow[] } | undefined> {
  const [found] = await ask<ShownOrder & { lines: LineFromJson[] }>(byId, [storeId, id]);
  if (!found) return undefined;
  const { lines, ...order } = found;
  return { order, lines: lines.map(lineFromJson) };
}
