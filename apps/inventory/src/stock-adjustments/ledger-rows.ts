/** Ledger rows, their inventory transactions and their events: one of each per line. Text, as every movement of stock runs it. */
import { messageType, renderView } from '@store/contract';
import { type EntityManager, sql } from '@store/db';
import { emit, type NewEvent } from '@store/events';
import { quantityText } from '@store/input';
import type { Caller } from '@store/rpc';
import { userOf } from '@store/service';
import type { Inventory } from '../inventory.ts';
import type { Named, PlannedLine } from './ledger-line.ts';
import { type AdjustmentRow, adjustmentColumns, type Source } from './stock-adjustment.ts';
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

/** Ids of a ledger row and of its transaction, taken while its product is locked: a product's ids rise along its chain. */
export interface RowIds {
  adjustment_id: number;
  transaction_id: number;
}

/** The expressions that take them. */
export const nextRowIds = `nextval('inventory.stock_adjustments_id_seq') as adjustment_id,
  nextval('inventory.inventory_transactions_id_seq') as transaction_id`;

/** Takes the ids of that many rows, in order. */
export async function takeRowIds(em: EntityManager, rows: number): Promise<RowIds[]> {
  return sql<RowIds>(em, `select ${nextRowIds} from generate_series(1, $1::int)`, [rows]);
}

interface RowsToWrite {
  lines: PlannedLine[];
  /** One per line. */
  ids: RowIds[];
  source: Source;
  createdAt: Date;
}

/** Saves the stock of the locked products, and writes the planned rows with their events: one statement. */
export async function recordRows(em: EntityManager, app: Inventory, caller: Caller, write: RowsToWrite): Promise<WrittenRow[]> {
  const { lines, ids, source, createdAt } = write;
  const user = userOf(caller);
  const rows = lines.map((line, n) => rowOf(line, ids[n]!.adjustment_id, user, createdAt));
  const written = rows.map((adjustment, n) => ({ adjustment, transactionId: ids[n]!.transaction_id, version: lines[n]!.version }));
  const inserted = rows.map((row, n) => ({
    ...row,
    n,
    movement_key: lines[n]!.movementKey ?? null,
    transaction_id: ids[n]!.transaction_id,
    source: lines[n]!.source ?? source,
    old_price: lines[n]!.prices?.old ?? null,
    new_price: lines[n]!.prices?.new ?? null,
  }));
  const events = written.map((row, n) => eventOf(row, lines[n]!, source, caller));
  const { saveWith, levels } = stockOf(lines);
  await emit(em, app.outbox, caller, events, {
    with: saveWith,
    values: [caller.storeId, createdAt, JSON.stringify(inserted), lines.length, ...levels],
  });
  return written;
}

/** $1 is the store, $2 the time, $3 the lines and $4 their number; `saveStock` has products from $5, quantities $6 and versions $7. */
const writes = (saveStock: string) => `
  line as materialized (
    select * from json_to_recordset($3::json) as line (n int, id bigint, transaction_id bigint, source text, old_price numeric,
      new_price numeric, product_id bigint, product_name text, sku text, adjustment_type text, quantity_change numeric,
      quantity_before numeric, quantity_after numeric, reason text, notes text, user_id bigint, user_name text,
      approved_by_id bigint, approved_by_name text, location_id bigint, location_name text, reconciliation_id bigint,
      movement_key text)
  ), saved as (
    ${saveStock}
  ), counted as (
    insert into inventory.stock_adjustment_counts (store_id, added) values ($1, $4)
  ), adjusted as (
    insert into inventory.stock_adjustments (store_id, ${adjustmentColumns}, movement_key) overriding system value
    select $1, id, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before, quantity_after, reason, notes,
      user_id, user_name, approved_by_id, approved_by_name, location_id, location_name, reconciliation_id, $2, movement_key
    from line order by n
  ), transacted as (
    insert into inventory.inventory_transactions (store_id, id, adjustment_id, source, old_price, new_price) overriding system value
    select $1, transaction_id, id, source, old_price, new_price from line order by n
  )`;

/**
 * Found by its key. A plan for any list, which a unit keeps, takes the list to be long and may read the stock of every product to
 * find those in it.
 */
const writesOfOne = writes(`
    update inventory.stock_items set quantity = $6, version = $7, changed_at = $2 where store_id = $1 and product_id = $5`);
const writesOfSeveral = writes(`
    update inventory.stock_items as item set quantity = level.quantity, version = level.version, changed_at = $2
    from unnest($5::bigint[], $6::numeric[], $7::bigint[]) as level (product_id, quantity, version)
    where item.store_id = $1 and item.product_id = level.product_id`);

/** The statement for the stock that the lines leave, and its values. */
function stockOf(lines: PlannedLine[]): { saveWith: string; levels: unknown[] } {
  // The last line of a product holds its stock.
  const last = [...new Map(lines.map((line) => [line.product.id, line])).values()];
  const levels = last.map(({ product, after, version }) => [product.id, quantityText(after), version]);
  if (levels.length === 1) return { saveWith: writesOfOne, levels: levels[0]! };
  return { saveWith: writesOfSeveral, levels: [0, 1, 2].map((column) => levels.map((level) => level[column])) };
}

/** The row as PostgreSQL will return it. */
function rowOf(line: PlannedLine, id: number, callersUser: Named | null, createdAt: Date): AdjustmentRow {
  const user = line.user === undefined ? callersUser : line.user;
  return {
    id,
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
    created_at: createdAt,
  };
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
