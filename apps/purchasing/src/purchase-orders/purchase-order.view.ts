import type { PurchaseOrder, PurchaseOrderLineItem } from '@store/protos/purchasing/v1.ts';
import { shownLineTotal } from '../order-lines/decimals.ts';
import type { LineRow } from '../order-lines/order-line.ts';
import { variancesOf } from '../order-lines/variance.ts';
import type { ShownOrder } from './purchase-order.query.ts';
import type { OrderStatus } from './purchase-order.ts';

export function purchaseOrderView(order: ShownOrder, lines: LineRow[]): PurchaseOrder {
  return {
    id: order.id,
    order_number: order.order_number,
    status: order.status,
    supplier: order.supplier_id === null ? null : { id: order.supplier_id, name: order.supplier_name ?? '' },
    subtotal: Number(order.subtotal),
    tax_amount: Number(order.tax_amount),
    shipping_cost: Number(order.shipping_cost),
    total: Number(order.total),
    ordered_at: order.ordered_at?.toISOString(),
    received_at: order.received_at?.toISOString(),
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    has_variance: order.has_variance,
    expected_on: order.expected_on ?? undefined,
    notes: order.notes ?? undefined,
    supplier_invoice_number: order.supplier_invoice_number ?? undefined,
    supplier_invoice_date: order.supplier_invoice_date ?? undefined,
    external_id: order.external_id ?? undefined,
    line_items: lines.map((line) => lineView(line, order.status)),
  };
}

function lineView(line: LineRow, status: OrderStatus): PurchaseOrderLineItem {
  return {
    id: line.id,
    product_id: line.product_id ?? undefined,
    product_name: line.product_name ?? 'Unknown Product',
    sku: line.sku ?? 'N/A',
    unit_type: line.unit_type,
    quantity_ordered: Number(line.quantity_ordered),
    quantity_invoiced: line.quantity_invoiced === null ? undefined : Number(line.quantity_invoiced),
    quantity_received: Number(line.quantity_received),
    unit_price: Number(line.unit_price ?? 0),
    unit_cost_invoiced: line.unit_cost_invoiced === null ? undefined : Number(line.unit_cost_invoiced),
    line_total: shownLineTotal(line.quantity_ordered, line.unit_price),
    ...variancesOf(line, status),
    match_status: line.match_status,
    supplier_document_id: line.supplier_document_id ?? undefined,
  };
}
