/** Ledger rows to messages; nothing else maps them. */

import { isoTime } from '@store/db';
import type { InventoryTransaction } from '@store/protos/inventory/v1/InventoryTransaction.ts';
import type { NewStockAdjustment } from '@store/protos/inventory/v1/NewStockAdjustment.ts';
import type { StockAdjustment } from '@store/protos/inventory/v1/StockAdjustment.ts';

/** A row of stock_adjustments as PostgreSQL gives it. */
export interface AdjustmentRow {
  id: string;
  product_id: string;
  product_name: string;
  sku: string | null;
  adjustment_type: string;
  quantity_change: string;
  quantity_before: string;
  quantity_after: string;
  reason: string | null;
  notes: string | null;
  user_id: string | null;
  user_name: string | null;
  approved_by_id: string | null;
  approved_by_name: string | null;
  location_id: string | null;
  location_name: string | null;
  reconciliation_id: string | null;
  created_at: string | Date;
}

/** The columns of `AdjustmentRow`. */
export const adjustmentColumns = `id, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before, quantity_after,
  reason, notes, user_id, user_name, approved_by_id, approved_by_name, location_id, location_name, reconciliation_id, created_at`;

export function stockAdjustmentView(row: AdjustmentRow): StockAdjustment {
  return {
    id: Number(row.id),
    product_id: Number(row.product_id),
    product_name: row.product_name,
    sku: row.sku ?? undefined,
    adjustment_type: row.adjustment_type,
    quantity_change: Number(row.quantity_change),
    quantity_before: Number(row.quantity_before),
    quantity_after: Number(row.quantity_after),
    reason: row.reason ?? undefined,
    notes: row.notes ?? undefined,
    user: named(row.user_id, row.user_name),
    approved_by: named(row.approved_by_id, row.approved_by_name),
    warehouse_location: named(row.location_id, row.location_name),
    reconciliation_id: row.reconciliation_id === null ? undefined : Number(row.reconciliation_id),
    created_at: isoTime(row.created_at),
  };
}

function named(id: string | null, name: string | null): { id: number; name: string } | null {
  return id === null ? null : { id: Number(id), name: name ?? '' };
}

/** What POST /stock_adjustments answers; the two stocks only where the store tracks stock by location. */
export function newStockAdjustmentView(row: AdjustmentRow, split?: { floor: string; back: string }): NewStockAdjustment {
  return {
    id: Number(row.id),
    product_id: Number(row.product_id),
    product_name: row.product_name,
    adjustment_type: row.adjustment_type,
    quantity_change: Number(row.quantity_change),
    quantity_before: Number(row.quantity_before),
    quantity_after: Number(row.quantity_after),
    reason: row.reason ?? undefined,
    warehouse_location_id: row.location_id === null ? undefined : Number(row.location_id),
    warehouse_location_name: row.location_name ?? undefined,
    created_at: isoTime(row.created_at),
    ...(split && { floor_stock: Number(split.floor), back_stock: Number(split.back) }),
  };
}

/** data of inventory.adjusted: the inventory transaction, told with its ledger row's figures. */
export function transactionView(
  row: AdjustmentRow,
  transaction: { id: number; source: string; prices: { old: string; new: string } | undefined },
): InventoryTransaction {
  return {
    id: transaction.id,
    product_id: Number(row.product_id),
    product_sku: row.sku ?? undefined,
    transaction_type: row.adjustment_type,
    source: transaction.source,
    old_stock: Number(row.quantity_before),
    new_stock: Number(row.quantity_after),
    stock_change: Number(row.quantity_change),
    old_price: transaction.prices?.old,
    new_price: transaction.prices?.new,
    created_at: isoTime(row.created_at),
  };
}
