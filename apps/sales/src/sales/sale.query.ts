/**
 * Reads sales with all that their public shape shows: one statement for the sales and one for their lines. SQL text, as the
 * list and the single sale are hot reads (docs/decisions/0090).
 */
import type { Row } from '@store/db';
import type { Sale as SaleMessage } from '@store/protos/sales/v1/Sale.ts';
import type { Customer } from '../customers/customer.ts';
import type { Sales } from '../sales.ts';
import { type ShownLine, type ShownSale, saleView } from './sale.view.ts';
import type { SaleLineItemRow } from './sale-line-item.ts';

/** The copy of the customer; null where the sale has none. */
export type SaleRead = ShownSale & {
  customer_name: Row<typeof Customer>['name'] | null;
  customer_code: Row<typeof Customer>['customer_code'];
};

type LineRead = ShownLine & Pick<SaleLineItemRow, 'sale_id'>;

/** The sales s that `from` gives, with their customers as the copy knows them now (D165); $1 is the store. */
export function salesStatement(from: string): string {
  return `
    select s.id, s.receipt_number, s.status, s.source, s.sale_type, s.payment_method, s.customer_id, s.clerk_name, s.subtotal,
      s.discount_amount, s.tax_amount, s.total, s.green_echeck_surcharge, s.green_echeck_total_paid, s.completed_at, s.voided_at,
      s.void_reason, s.created_at, s.updated_at, c.name as customer_name, c.customer_code
    from ${from} left join sales.customers c on c.store_id = $1 and c.id = s.customer_id`;
}

const linesStatement = `
  select id, sale_id, product_id, product_name, sku, quantity, unit_price, discount_amount, total, kitchen_item, modifiers, note
  from sales.sale_line_items where store_id = $1 and sale_id = any ($2::bigint[]) order by sale_id, position`;

/** The lines of those sales, by the id of the sale. */
export async function linesOf(app: Sales, storeId: number, saleIds: number[]): Promise<Map<number, ShownLine[]>> {
  const lines = new Map<number, ShownLine[]>(saleIds.map((id) => [id, []]));
  if (saleIds.length === 0) return lines;
  for (const line of await app.db.read<LineRead>('sale_lines', linesStatement, [storeId, saleIds])) lines.get(line.sale_id)!.push(line);
  return lines;
}

/** The messages of those sales, in their order. */
export async function salesWithLines(app: Sales, storeId: number, sales: SaleRead[]): Promise<SaleMessage[]> {
  const lines = await linesOf(
    app,
    storeId,
    sales.map(({ id }) => id),
  );
  return sales.map((sale) => viewOf(sale, lines.get(sale.id)!));
}

export function viewOf(sale: SaleRead, lines: ShownLine[]): SaleMessage {
  const { customer_id: id, customer_name, customer_code } = sale;
  const customer = id === null ? undefined : { id, name: customer_name ?? undefined, customer_code: customer_code ?? undefined };
  return saleView(sale, lines, customer);
}
