/**
 * Reads sales with all that their public shape shows, lines and customer included, in one statement: an answer shows each sale
 * as it stood at one moment. SQL text, as the list and the single sale are hot reads (docs/decisions/0090).
 */
import type { Row } from '@store/db';
import type { Sale as SaleMessage } from '@store/protos/sales/v1.ts';
import type { Customer } from '../customers/customer.ts';
import { type ShownLine, type ShownSale, saleView } from './sale.view.ts';

/** The copy of the customer; null where the sale has none. */
export type SaleRead = ShownSale & {
  customer_name: Row<typeof Customer>['name'] | null;
  customer_code: Row<typeof Customer>['customer_code'];
  lines: LineRead[];
};

/** The values of a line by their place: names would be most of the bytes. */
type LineRead = [
  id: ShownLine['id'],
  product_id: ShownLine['product_id'],
  product_name: ShownLine['product_name'],
  sku: ShownLine['sku'],
  quantity: ShownLine['quantity'],
  unit_price: ShownLine['unit_price'],
  discount_amount: ShownLine['discount_amount'],
  total: ShownLine['total'],
  kitchen_item: ShownLine['kitchen_item'],
  modifiers: ShownLine['modifiers'],
  note: ShownLine['note'],
];

/** Decimals as text, which is exact. */
const lines = `(
  select coalesce(json_agg(json_build_array(l.id, l.product_id, l.product_name, l.sku, l.quantity::text, l.unit_price::text,
    l.discount_amount::text, l.total::text, l.kitchen_item, l.modifiers, l.note) order by l.position), '[]')
  from sales.sale_line_items l where l.store_id = $1 and l.sale_id = s.id)`;

/** The sales s that `from` gives, with their customers as the copy knows them now (D165); $1 is the store. */
export function salesStatement(from: string): string {
  return `
    select s.id, s.receipt_number, s.status, s.source, s.sale_type, s.payment_method, s.customer_id, s.clerk_name, s.subtotal,
      s.discount_amount, s.tax_amount, s.total, s.green_echeck_surcharge, s.green_echeck_total_paid, s.completed_at, s.voided_at,
      s.void_reason, s.external_id, s.note, s.created_at, s.updated_at, c.name as customer_name, c.customer_code, ${lines} as lines
    from ${from} left join sales.customers c on c.store_id = $1 and c.id = s.customer_id`;
}

export function viewOf(sale: SaleRead): SaleMessage {
  const { customer_id: id, customer_name, customer_code } = sale;
  const customer = id === null ? undefined : { id, name: customer_name ?? undefined, customer_code: customer_code ?? undefined };
  return saleView(sale, sale.lines.map(lineOf), customer);
}

function lineOf(line: LineRead): ShownLine {
  const [id, product_id, product_name, sku, quantity, unit_price, discount_amount, total, kitchen_item, modifiers, note] = line;
  return { id, product_id, product_name, sku, quantity, unit_price, discount_amount, total, kitchen_item, modifiers, note };
}
