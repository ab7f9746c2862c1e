/** Ledger rows, their inventory transactions and their events: one of each per line. Text, as every movement of stock runs it. */
import { messageType, renderView } from '@store/contract';
import { type EntityManager, type Row, sql } from '@store/db';
import { emit, type NewEvent } from '@store/events';
import type { Caller } from '@store/rpc';
import type { Inventory } from '../inventory.ts';
import { countRows } from './adjustment-counts.ts';
import type { Named, PlannedLine } from './ledger-line.ts';
import { quantityText } from './movement.ts';
import { type AdjustmentRow, adjustmentColumns, type InventoryTransaction, type Source } from './stock-adjustment.ts';
import { stockAdjustmentView, transactionView } from './stock-adjustment.view.ts';

/** The source of what a caller does through an endpoint of inventory's own. */
export function sourceOf(caller: Caller): Source {
  return caller.actor.type === 'key' ? 'api' : caller.actor.type === 'user' ? 'admin' : 'system';
}

export interface WrittenRow {
  adjustment: AdjustmentRow;
  transactionId: number;
  /** Of the product's stock after this row. */
  version: number;
}

/** Inserts the planned rows; their products' stock is locked and saved. */
export async function recordRows(
  em: EntityManager,
  app: Inventory,
  caller: Caller,
  { lines, source, createdAt }: { lines: PlannedLine[]; source: Source; createdAt: Date },
): Promise<WrittenRow[]> {
  const adjustments = await insertAdjustments(em, caller, lines, createdAt);
  const transactionIds = await insertTransactions(em, caller.storeId, adjustments, lines, source);
  await countRows(em, caller.storeId, lines.length);
  const rows = adjustments.map((adjustment, index) => ({
    adjustment,
    transactionId: transactionIds[index]!,
    version: lines[index]!.version,
  }));
  await emit(
    em,
    app.outbox,
    caller,
    rows.map((row, index) => eventOf(row, lines[index]!, source, caller)),
  );
  return rows;
}

async function insertAdjustments(em: EntityManager, caller: Caller, lines: PlannedLine[], createdAt: Date): Promise<AdjustmentRow[]> {
  const { actor, storeId } = caller;
  const user = actor.userId > 0 ? { id: actor.userId, name: actor.userName } : null;
  const rows = await sql<AdjustmentRow>(
    em,
    `insert into inventory.stock_adjustments (store_id, product_id, product_name, sku, adjustment_type, quantity_change,
       quantity_before, quantity_after, reason, notes, user_id, user_name, approved_by_id, approved_by_name, location_id,
       location_name, reconciliation_id, movement_key, created_at)
     select $1, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before, quantity_after, reason, notes,
       user_id, user_name, approved_by_id, approved_by_name, location_id, location_name, reconciliation_id, movement_key, $2
     from json_to_recordset($3::json) as line (n int, product_id bigint, product_name text, sku text, adjustment_type text,
       quantity_change numeric, quantity_before numeric, quantity_after numeric, reason text, notes text, user_id bigint,
       user_name text, approved_by_id bigint, approved_by_name text, location_id bigint, location_name text,
       reconciliation_id bigint, movement_key text)
     order by n
     returning ${adjustmentColumns}`,
    [storeId, createdAt, JSON.stringify(lines.map((line, n) => columnsOf(line, n, user)))],
  );
  // Ids were given out in the order of the lines.
  return rows.sort((a, b) => a.id - b.id);
}

function columnsOf(line: PlannedLine, n: number, callersUser: Named | null): object {
  const user = line.user === undefined ? callersUser : line.user;
  return {
    n,
    product_id: line.product.id,
    product_name: line.product.name,
    sku: line.product.sku,
    adjustment_type: line.adjustmentType,
    quantity_change: quantityText(line.change),
    quantity_before: quantityText(line.before),
    quantity_after: quantityText(line.after),
    reason: line.reason ?? null,
    notes: line.notes ?? null,
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    approved_by_id: line.approvedBy?.id ?? null,
    approved_by_name: line.approvedBy?.name ?? null,
    location_id: line.location?.id ?? null,
    location_name: line.location?.name ?? null,
    reconciliation_id: line.reconciliationId ?? null,
    movement_key: line.movementKey ?? null,
  };
}

async function insertTransactions(
  em: EntityManager,
  storeId: number,
  adjustments: AdjustmentRow[],
  lines: PlannedLine[],
  source: Source,
): Promise<number[]> {
  const rows = await sql<Pick<Row<typeof InventoryTransaction>, 'id' | 'adjustment_id'>>(
    em,
    `insert into inventory.inventory_transactions (store_id, adjustment_id, source, old_price, new_price)
     select $1, adjustment_id, source, old_price, new_price
     from unnest($2::bigint[], $3::text[], $4::numeric[], $5::numeric[]) as line (adjustment_id, source, old_price, new_price)
     order by adjustment_id
     returning id, adjustment_id`,
    [
      storeId,
      adjustments.map((row) => row.id),
      lines.map((line) => line.source ?? source),
      lines.map((line) => line.prices?.old ?? null),
      lines.map((line) => line.prices?.new ?? null),
    ],
  );
  const idOf = new Map(rows.map((row) => [row.adjustment_id, row.id]));
  return adjustments.map((row) => idOf.get(row.id)!);
}

const transactionType = messageType('store.inventory.v1.InventoryTransaction');

/** Spec, Events: inventory.adjusted for every ledger entry, about its inventory transaction. */
function eventOf(row: WrittenRow, line: PlannedLine, source: Source, caller: Caller): NewEvent {
  const { adjustment, transactionId, version } = row;
  const view = transactionView(adjustment, { id: transactionId, source: line.source ?? source, prices: line.prices });
  return {
    name: 'inventory.adjusted',
    aggregate: `product:${line.product.id}`,
    public: { resourceType: 'InventoryTransaction', resourceId: transactionId, data: renderView(transactionType, view, () => false) },
    internal: { stock: { product_id: line.product.id, stock: quantityText(line.after), version } },
    ...(caller.actor.type !== 'system' && {
      audit: {
        action: 'stock_adjustment.create',
        resource_type: 'StockAdjustment',
        resource_id: adjustment.id,
        before: null,
        after: stockAdjustmentView(adjustment),
      },
    }),
  };
}
