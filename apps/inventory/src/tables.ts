import { type BackgroundOf, tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';
import { StaffUser } from './staff/staff-user.ts';
import { StockAdjustmentCount } from './stock-adjustments/adjustment-counts.ts';
import { InventoryTransaction, StockAdjustment } from './stock-adjustments/stock-adjustment.ts';
import { LocationStock, StockItem } from './stock-adjustments/stock-item.ts';
import { StockReconciliation } from './stock-reconciliations/stock-reconciliation.ts';
import { WarehouseLocation } from './warehouse-locations/warehouse-location.ts';

export const entities = [
  StaffUser,
  StockAdjustment,
  StockAdjustmentCount,
  StockItem,
  StockReconciliation,
  InventoryTransaction,
  LocationStock,
  StoreCopy,
  WarehouseLocation,
];

export const tables = tablesOf<(typeof entities)[number]>('inventory');

export const background: BackgroundOf<(typeof entities)[number]> = {
  stock_adjustment_counts: { writes: 'all' },
};
