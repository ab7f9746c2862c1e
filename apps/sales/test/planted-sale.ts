/** Sales as rows, for tests of reads: with dates and states that no register would write today. */
import type { SalesUnderTest } from './start-sales.ts';

export interface PlantedSale {
  receipt_number?: string;
  status?: string;
  customer_id?: number | null;
  fulfillment_method?: string;
  fulfillment_status?: string;
  cash_drawer_session_id?: number | null;
  completed_at?: string | null;
  created_at?: string;
}

let receipts = 0;

/** Writes a sale with one line, completed when it was created unless it says otherwise; returns its id. */
export async function plantSale(sales: SalesUnderTest, storeId: number, sale: PlantedSale = {}): Promise<number> {
  const created = sale.created_at ?? sales.clock.now().toISOString();
  const status = sale.status ?? 'completed';
  const completed = sale.completed_at === undefined ? (status === 'pending' || status === 'ready' ? null : created) : sale.completed_at;
  const [row] = await sales.run<{ id: number }>(
    `with sale as (
       insert into sales.sales (store_id, receipt_number, status, source, sale_type, payment_method, customer_id, clerk_id, clerk_name,
         subtotal, discount_amount, sale_discount, tax_rates, tax_amount, total, fulfillment_method, fulfillment_status,
         cash_drawer_session_id, completed_at, voided_at, void_reason, listed_at, created_at, updated_at)
       values ($1, $2, $3, 'pos', 'retail', 'cash', $4, 7, 'Cleo Clerk', '10.17', '0.00', '0.00', '["20.00"]', '2.03', '12.20', $5, $6,
         $7, $8, $9, $10, $12, $11, $11) returning store_id, id)
     insert into sales.sale_line_items (store_id, sale_id, position, product_id, product_name, sku, quantity, unit_price, discount_amount,
       total, kitchen_item) select store_id, id, 0, 1042, 'White metal lantern', '71053', 3, '3.39', 0, '10.17', false from sale
     returning sale_id as id`,
    [
      storeId,
      sale.receipt_number ?? `P${++receipts}`,
      status,
      sale.customer_id ?? null,
      sale.fulfillment_method ?? 'in_store',
      sale.fulfillment_status ?? 'fulfilled',
      sale.cash_drawer_session_id ?? null,
      completed,
      status === 'voided' ? created : null,
      status === 'voided' ? 'Wrong size' : null,
      created,
      completed ?? created,
    ],
  );
  return row!.id;
}
