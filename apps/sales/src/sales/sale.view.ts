/** A sale's rows to its message, which answers, lists and events share; nothing else maps them. */

import type { Sale, SaleCustomer, SaleLineItem } from '@store/protos/sales/v1.ts';
import type { SaleRow } from './sale.ts';
import type { SaleLineItemRow } from './sale-line-item.ts';

/** The columns of a sale that its message shows. */
export type ShownSale = Omit<
  SaleRow,
  | 'store_id'
  | 'clerk_id'
  | 'sale_discount'
  | 'tax_rates'
  | 'tax_names'
  | 'fulfillment_method'
  | 'fulfillment_status'
  | 'cash_drawer_session_id'
  | 'refund_drawer_session_id'
  | 'listed_at'
>;
/** The columns of a line that its message shows. */
export type ShownLine = Omit<SaleLineItemRow, 'store_id' | 'sale_id' | 'position' | 'cost' | 'discount_blocked' | 'bundle'>;

/** `lines` in the order of their positions; `customer` as the copy knows the customer now (D165). */
export function saleView(sale: ShownSale, lines: ShownLine[], customer: SaleCustomer | undefined): Sale {
  const isVoided = sale.status === 'voided';
  return {
    id: sale.id,
    receipt_number: sale.receipt_number,
    status: sale.status,
    source: sale.source,
    sale_type: sale.sale_type,
    payment_method: sale.payment_method ?? undefined,
    subtotal: sale.subtotal,
    tax_amount: sale.tax_amount,
    discount_amount: sale.discount_amount,
    total: sale.total,
    line_items: lines.map(lineView),
    customer,
    clerk: sale.clerk_name ?? undefined,
    completed_at: sale.completed_at?.toISOString(),
    created_at: sale.created_at.toISOString(),
    updated_at: sale.updated_at.toISOString(),
    voided_at: isVoided ? sale.voided_at?.toISOString() : undefined,
    void_reason: isVoided ? (sale.void_reason ?? undefined) : undefined,
    // Present exactly on sales with such a tender (D237); a parked sale has none yet.
    green_echeck_surcharge: sale.green_echeck_total_paid === null ? undefined : (sale.green_echeck_surcharge ?? undefined),
    green_echeck_total_paid: sale.green_echeck_total_paid ?? undefined,
    external_id: sale.external_id ?? undefined,
    note: sale.note ?? undefined,
  };
}

function lineView(line: ShownLine): SaleLineItem {
  return {
    id: line.id,
    product_id: line.product_id,
    product_name: line.product_name,
    sku: line.sku ?? undefined,
    quantity: Number(line.quantity),
    unit_price: line.unit_price,
    discount_amount: line.discount_amount,
    total: line.total,
    kitchen_item: line.kitchen_item,
    modifiers: line.modifiers.map((modifier) => ({ ...modifier, quantity: Number(modifier.quantity) })),
    note: line.note ?? undefined,
  };
}
