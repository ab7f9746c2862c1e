/** Reads orders with their lines in one statement: an order and its lines are of one moment. Text, as the list is a measured read. */
import type { Ask, Row } from '@store/db';
import type { LineRow } from '../order-lines/order-line.ts';
import { type LineFromJson, lineFromJson, lineJson } from '../order-lines/write-lines.ts';
import type { Supplier } from '../suppliers/supplier.ts';
import type { OrderRow } from './purchase-order.ts';

export type ShownOrder = Omit<OrderRow, 'store_id' | 'receipt_count'> & { supplier_name: Row<typeof Supplier>['name'] | null };

export interface FoundOrder {
  order: ShownOrder;
  lines: LineRow[];
}

/** Orders newest first. `page` selects rows of purchasing.purchase_orders; $1 is the store. */
export async function ordersOf(ask: Ask, page: string, values: unknown[]): Promise<FoundOrder[]> {
  const found = await ask<ShownOrder & { lines: LineFromJson[] }>(
    `with o as (${page})
    select o.id, o.order_number, o.status, o.supplier_id, s.name as supplier_name, o.subtotal, o.tax_amount, o.shipping_cost, o.total,
      o.ordered_at, o.received_at, o.has_variance, o.created_at, o.updated_at, o.expected_on, o.notes,
      o.supplier_invoice_number, o.supplier_invoice_date, o.external_id, (
        select coalesce(json_agg(${lineJson} order by position), '[]') from purchasing.purchase_order_lines l
        where l.store_id = $1 and l.order_id = o.id) as lines
    from o left join purchasing.suppliers s on s.store_id = $1 and s.id = o.supplier_id
    order by o.created_at desc, o.id desc`,
    values,
  );
  return found.map(({ lines, ...order }) => ({ order, lines: lines.map(lineFromJson) }));
}

export async function orderById(ask: Ask, storeId: number, id: number): Promise<FoundOrder | undefined> {
  return (await ordersOf(ask, 'select * from purchasing.purchase_orders where store_id = $1 and id = $2', [storeId, id]))[0];
}
