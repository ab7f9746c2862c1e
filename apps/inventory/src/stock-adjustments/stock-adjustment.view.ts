import type { InventoryTransaction, NewStockAdjustment, StockAdjustment } from '@store/protos/inventory/v1.ts';
import type { AdjustmentRow } from './stock-adjustment.ts';

export function stockAdjustmentView(row: AdjustmentRow): StockAdjustment {
  return {
    ...movementView(row),
    sku: row.sku ?? undefined,
    notes: row.notes ?? undefined,
    user: named(row.user_id, row.user_name),
    approved_by: named(row.approved_by_id, row.approved_by_name),
    warehouse_location: named(row.location_id, row.location_name),
    reconciliation_id: row.reconciliation_id ?? undefined,
  };
}

/** Fields that the ledger and the answer of a new adjustment share. */
function movementView(row: AdjustmentRow) {
  return {
    id: row.id,
    product_id: row.product_id,
    product_name: row.product_name,
    adjustment_type: row.adjustment_type,
    quantity_change: Number(row.quantity_change),
    quantity_before: Number(row.quantity_before),
    quantity_after: Number(row.quantity_after),
    reason: row.reason ?? undefined,
    created_at: row.created_at.toISOString(),
  };
}

function named(id: number | null, name: string | null): { id: number; name: string } | null {
  return id === null ? null : { id, name: name ?? '' };
}

/** The answer of POST /stock_adjustments; the two stocks only where the store tracks stock by location. */
export function newStockAdjustmentView(row: AdjustmentRow, split?: { floor: string; back: string }): NewStockAdjustment {
  return {
    ...movementView(row),
    warehouse_location_id: row.location_id ?? undefined,
    warehouse_location_name: row.location_name ?? undefined,
    ...(split && { floor_stock: Number(split.floor), back_stock: Number(split.back) }),
  };
}

/** data of inventory.adjusted: the inventory transaction with its ledger row's figures. */
export function transactionView(
  row: AdjustmentRow,
  transaction: { id: number; source: string; prices: { old: string; new: string } | undefined },
): InventoryTransaction {
  return {
    id: transaction.id,
    product_id: row.product_id,
    product_sku: row.sku ?? undefined,
    transaction_type: row.adjustment_type,
    source: transaction.source,
    old_stock: Number(row.quantity_before),
    new_stock: Number(row.quantity_after),
    stock_change: Number(row.quantity_change),
    old_price: transaction.prices?.old,
    new_price: transaction.prices?.new,
    created_at: row.created_at.toISOString(),
  };
}
