/** Inventory's rpcs: rpc name → verb. */
import type { InventoryDefinition } from '@store/protos/inventory/v1/Inventory.ts';
import type { Verbs } from '@store/rpc';
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

export function inventoryVerbs(app: Inventory): Verbs<InventoryDefinition> {
  return {
    ListStockAdjustments: (request, call) => listStockAdjustments(app, request, call),
    CreateStockAdjustment: (request, call) => createStockAdjustment(app, request, call),
    BulkUpdateProducts: (request, call) => bulkUpdateProducts(app, request, call),
    CreateStockReconciliation: (request, call) => createStockReconciliation(app, request, call),
    CreateStockTransfer: (request, call) => createStockTransfer(app, request, call),
    ListWarehouseLocations: (request, call) => listWarehouseLocations(app, request, call),
    CreateWarehouseLocation: (request, call) => createWarehouseLocation(app, request, call),
    UpdateWarehouseLocation: (request, call) => updateWarehouseLocation(app, request, call),
    DeleteWarehouseLocation: (request, call) => deleteWarehouseLocation(app, request, call),
  };
}
