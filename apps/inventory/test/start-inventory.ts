/** Inventory behind its real door over a real database; only catalog is a fake. */
import type { Db, EntityManager } from '@store/db';
import type { Caller } from '@store/rpc';
import { ServiceUnderTest, testCaller } from '@store/testbed';
import { inventory } from '../src/main.ts';
import { FakeCatalog } from './fake-catalog.ts';

/** A key of the store, which has no features; `asStaff` is a manager of it. */
export function callerOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ storeId, timeZone: 'America/Toronto', features: new Set(), ...changes });
}

export function asStaff(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return callerOf(storeId, {
    actor: { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' },
    ...changes,
  });
}

/** A ledger row as a client reads it; POST answers with part of it. */
export interface AdjustmentJson {
  id: number;
  product_id: number;
  adjustment_type: string;
  quantity_change: number;
  quantity_before: number;
  quantity_after: number;
  notes: string | null;
  user: { id: number; name: string } | null;
  approved_by: { id: number; name: string } | null;
  warehouse_location: { id: number; name: string } | null;
  created_at: string;
}

export interface LocationJson {
  id: number;
  name: string;
  kind: string;
}

export interface ListJson {
  stock_adjustments: AdjustmentJson[];
  pagination: { current_page: number; per_page: number; total_count: number; total_pages: number };
}

export interface ReconciliationJson {
  stock_reconciliation: { id: number; notes: string | null; stock_adjustments: AdjustmentJson[]; created_at: string };
}

/** Connections of the service at most. */
export const poolMax = 20;

/** The service under test with what most tests of inventory ask it for. */
export async function startInventory() {
  const catalog = new FakeCatalog();
  /** Transactions that PostgreSQL ended for a deadlock and that ran again. */
  const reruns = { count: 0 };
  const service = await ServiceUnderTest.start(inventory, {
    poolMax,
    open: ({ db, outbox, log }) => ({ db: countingReruns(db, reruns), outbox, catalog, log }),
  });
  const adjust = (body: object | string, caller: Caller): Promise<{ stock_adjustment: AdjustmentJson }> =>
    service.body('CreateStockAdjustment', body, caller);
  const bulk = (body: object | string, caller: Caller): Promise<object> => service.body('BulkUpdateProducts', body, caller);
  const list = (query: string, caller: Caller): Promise<ListJson> => service.query('ListStockAdjustments', query, caller);
  const addLocation = async (name: string, kind: string, caller: Caller): Promise<LocationJson> =>
    (await service.body('CreateWarehouseLocation', { warehouse_location: { name, kind } }, caller)).warehouse_location;
  const stockOf = async (storeId: number, productId: number): Promise<number> => {
    const of = 'select quantity from inventory.stock_items where store_id = $1 and product_id = $2';
    const [item] = await service.db.read<{ quantity: string }>(of, [storeId, productId]);
    return Number(item?.quantity ?? 0);
  };
  return Object.assign(service, { catalog, reruns, adjust, bulk, list, addLocation, stockOf });
}
export type InventoryUnderTest = Awaited<ReturnType<typeof startInventory>>;

/** libs/db runs a transaction again only after a deadlock or a serialisation failure. */
function countingReruns(db: Db, reruns: { count: number }): Db {
  const unit: Db['unit'] = (storeId, work) => {
    let runs = 0;
    const counted = (em: EntityManager) => {
      runs += 1;
      if (runs > 1) reruns.count += 1;
      return work(em);
    };
    return db.unit(storeId, counted);
  };
  return { ...db, unit };
}
