import type { InventoryDefinition } from '@store/protos/inventory/v1.ts';
import type { VerbTable } from '@store/rpc';
import type { Inventory } from './inventory.ts';
import { bulkUpdateProducts } from './products/bulk-update-products.ts';
import { createStockAdjustment } from './stock-adjustments/create-stock-adjustment.ts';
import { listStockAdjustments } from './stock-adjustments/list-stock-adjustments.ts';
import { createStockReconciliation } from './stock-reconciliations/create-stock-reconciliation.ts';
import { createStockTransfer } from './stock-transfers/create-stock-transfer.ts';
import { createWarehouseLocation } from './warehouse-locations/create-warehouse-location.ts';
import { deleteWarehouseLocation } from './warehouse-locations/delete-warehouse-location.ts';
import { listWarehouseLocations } from './warehouse-locations/list-warehouse-locations.ts';
import { updateWarehouseLocation } from './warehouse-locations/update-warehouse-location.ts';

export const verbs: VerbTable<Inventory, InventoryDefinition> = {
  ListStockAdjustments: listStockAdjustments,
  CreateStockAdjustment: createStockAdjustment,
  BulkUpdateProducts: bulkUpdateProducts,
  CreateStockReconciliation: createStockReconciliation,
  CreateStockTransfer: createStockTransfer,
  ListWarehouseLocations: listWarehouseLocations,
  CreateWarehouseLocation: createWarehouseLocation,
  UpdateWarehouseLocation: updateWarehouseLocation,
  DeleteWarehouseLocation: deleteWarehouseLocation,
};
