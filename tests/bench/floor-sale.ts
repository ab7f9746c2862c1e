/** A sale as the floors read and show it. */
import type { Row } from './floor-list.ts';

export const saleColumns = `s.id, s.receipt_number, s.status, s.source, s.sale_type, s.payment_method, s.customer_id, s.clerk_name, s.subtotal,
  s.discount_amount, s.tax_amount, s.total, s.completed_at, s.created_at, s.updated_at, c.name as customer_name, c.customer_code`;

export function saleOf(row: Row, lines: Row[]): object {
  return {
    id: Number(row.id),
    receipt_number: row.receipt_number,
    status: row.status,
    source: row.source,
    sale_type: row.sale_type,
    payment_method: row.payment_method,
    subtotal: row.subtotal,
    tax_amount: row.tax_amount,
    discount_amount: row.discount_amount,
    total: row.total,
    line_items: lines.map((line) => ({
      id: Number(line.id),
      product_id: Number(line.product_id),
      product_name: line.product_name,
      sku: line.sku,
      quantity: Number(line.quantity),
      unit_price: line.unit_price,
      discount_amount: line.discount_amount,
      total: line.total,
      kitchen_item: line.kitchen_item,
      modifiers: line.modifiers,
    })),
    customer:
      row.customer_id === null ? undefined : { id: Number(row.customer_id), name: row.customer_name, customer_code: row.customer_code },
    clerk: row.clerk_name,
    completed_at: row.completed_at?.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
