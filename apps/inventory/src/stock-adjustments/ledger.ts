/**
 * The one way to change stock. Every movement of stock (adjustments, bulk updates, counts, transfers)
 * writes its ledger rows here: stock, row, transaction and event are one. Text, as every movement of stock runs it.
 */
import { type EntityManager, planByValues, type Row, sql } from '@store/db';
import { quantityText, thousandths } from '@store/input';
import type { Caller } from '@store/rpc';
import { pacedEach } from '@store/shares/asker';
import type { Inventory, Unit } from '../inventory.ts';
import { handOverStock } from './hand-over-stock.ts';
import type { LedgerLine, PlannedLine } from './ledger-line.ts';
import { nextRowIds, type RowIds, recordRows, sourceOf, takeRowIds, type WrittenRow } from './ledger-rows.ts';
import { changeOf, fits } from './movement.ts';
import type { LocationStock, StockItem } from './stock-item.ts';

export interface Written {
  rows: WrittenRow[];
  /** Products whose stock would outgrow its column; nothing of them was written. */
  tooLarge: Set<number>;
}

interface Item {
  stock: bigint;
  version: number;
  atLocation: Map<number, bigint>;
  changedAt: Date;
}

/** Writes the lines, and hands the stock to catalog after the commit. */
export async function writeLedger(unit: Unit, lines: LedgerLine[]): Promise<Written> {
  const { em, app, call } = unit;
  const written = await writeRows(em, app, call.caller, lines);
  if (written.rows.length > 0) handOverStock(unit, written.rows);
  return written;
}

/** Locks the products' stock in id order and writes the lines in the order given; catalog learns of it from the events. */
export async function writeRows(em: EntityManager, app: Inventory, caller: Caller, lines: LedgerLine[]): Promise<Written> {
  if (lines.length === 0) return { rows: [], tooLarge: new Set() };
  planByValues(em, lines.length);
  const { items, ids: first } = await lockItems(em, caller.storeId, lines);
  const { planned, tooLarge } = plan(items, lines, await movedSince(em, caller.storeId, lines));
  if (planned.length === 0) return { rows: [], tooLarge };
  const createdAt = afterLast(items, app.db.clock.now());
  const ids = first ? [first] : await takeRowIds(em, planned.length);
  await saveLocationStock(em, caller.storeId, planned);
  const rows: WrittenRow[] = [];
  await pacedEach(planned, async (slice) => {
    const from = rows.length;
    const write = { lines: slice, ids: ids.slice(from, from + slice.length), source: sourceOf(caller), createdAt };
    rows.push(...(await recordRows(em, app, caller, write)));
  });
  return { rows, tooLarge };
}

const lockText = `insert into inventory.stock_items as item (store_id, product_id, quantity, version, changed_at)
  select $1, product_id, 0, 0, to_timestamp(0) from unnest($2::bigint[]) as product_id order by product_id
  on conflict (store_id, product_id) do update set version = item.version
  returning product_id, quantity, version, changed_at`;
/**
 * A single line, as most changes have, takes its ids here; those of several products would not rise along each chain. Not in `returning`:
 * Citus would take them from a sequence of the worker.
 */
const lockAndTakeIds = `with locked as (${lockText}) select product_id, quantity, version, changed_at, ${nextRowIds} from locked`;

type LockedItem = Omit<Row<typeof StockItem>, 'store_id'>;

/**
 * The row locks hold back every other writer of these products until the commit; one order, no deadlock. The ids are those of
 * the row to be written, where it is one.
 */
async function lockItems(em: EntityManager, storeId: number, lines: LedgerLine[]): Promise<{ items: Map<number, Item>; ids?: RowIds }> {
  const productIds = [...new Set(lines.map((line) => line.product.id))];
  const isOne = lines.length === 1;
  const locked = await sql<LockedItem & Partial<RowIds>>(em, isOne ? lockAndTakeIds : lockText, [storeId, productIds]);
  const items = new Map<number, Item>();
  for (const row of locked) {
    const { product_id, quantity, version, changed_at } = row;
    items.set(product_id, { stock: thousandths(quantity), version, atLocation: new Map(), changedAt: changed_at });
  }
  if (lines.some((line) => line.location)) await loadLocationStock(em, storeId, productIds, items);
  return { items, ...(isOne && { ids: locked[0] as LockedItem & RowIds }) };
}

/**
 * Now, and never before a row that these products have: the clocks of two processes may differ by
 * more than two writes are apart, and the list's newest row must be the end of the chain.
 */
function afterLast(items: Map<number, Item>, now: Date): Date {
  return new Date(Math.max(now.getTime(), ...[...items.values()].map((item) => item.changedAt.getTime())));
}

async function loadLocationStock(em: EntityManager, storeId: number, productIds: number[], items: Map<number, Item>): Promise<void> {
  const rows = await sql<Omit<Row<typeof LocationStock>, 'store_id'>>(
    em,
    'select product_id, location_id, quantity from inventory.location_stock where store_id = $1 and product_id = any($2)',
    [storeId, productIds],
  );
  for (const row of rows) items.get(row.product_id)?.atLocation.set(row.location_id, thousandths(row.quantity));
}

/** What moved each product since it was counted, where it was counted; another count in between moved nothing. */
async function movedSince(em: EntityManager, storeId: number, lines: LedgerLine[]): Promise<Map<number, bigint>> {
  const counted = lines.filter(({ since }) => since);
  if (counted.length === 0) return new Map();
  const rows = await sql<{ product_id: number; moved: string }>(
    em,
    `select line.product_id, later.moved
     from unnest($2::bigint[], $3::timestamptz[], $4::bigint[]) as line (product_id, counted_at, location_id)
     cross join lateral (
       select sum(a.quantity_change) as moved from inventory.stock_adjustments a
       where a.store_id = $1 and a.product_id = line.product_id and a.created_at > line.counted_at
         and (line.location_id is null or a.location_id = line.location_id)
         and (a.adjustment_type not in ('inventory', 'count') or a.adjustment_type = 'count' and exists (
           select from inventory.inventory_transactions t where t.store_id = $1 and t.adjustment_id = a.id and t.source = 'api'))) later
     where later.moved is not null`,
    [
      storeId,
      counted.map(({ product }) => product.id),
      counted.map(({ since }) => since!.toISOString()),
      counted.map(({ location, countsLocation }) => (countsLocation ? location!.id : null)),
    ],
  );
  return new Map(rows.map(({ product_id, moved }) => [product_id, thousandths(moved)]));
}

/** Works out every row. A product one of whose lines does not fit is left out whole. */
function plan(
  items: Map<number, Item>,
  lines: LedgerLine[],
  moved: Map<number, bigint>,
): { planned: PlannedLine[]; tooLarge: Set<number> } {
  const planned: PlannedLine[] = [];
  const tooLarge = new Set<number>();
  for (const line of lines) {
    const item = items.get(line.product.id);
    if (!item) throw new Error(`product ${line.product.id} was not locked`);
    const atLocation = line.location ? (item.atLocation.get(line.location.id) ?? 0n) : 0n;
    const change = changeOf(line.movement, line.countsLocation ? atLocation : item.stock) + (moved.get(line.product.id) ?? 0n);
    if (change === 0n && !line.evidence) continue;
    const after = item.stock + change;
    if (!fits(after) || !fits(change) || !fits(atLocation + change)) {
      tooLarge.add(line.product.id);
      continue;
    }
    const adjustmentType = line.type ?? (change > 0n ? 'receive' : 'count');
    item.version += 1;
    planned.push({ ...line, adjustmentType, before: item.stock, change, after, version: item.version });
    item.stock = after;
    if (line.location) item.atLocation.set(line.location.id, atLocation + change);
  }
  return { planned: planned.filter((line) => !tooLarge.has(line.product.id)), tooLarge };
}

async function saveLocationStock(em: EntityManager, storeId: number, planned: PlannedLine[]): Promise<void> {
  const located = planned.filter((line) => line.location);
  if (located.length === 0) return;
  await sql(
    em,
    `insert into inventory.location_stock as held (store_id, product_id, location_id, quantity)
     select $1, product_id, location_id, sum(change)
     from unnest($2::bigint[], $3::bigint[], $4::numeric[]) as moved (product_id, location_id, change)
     group by product_id, location_id
     on conflict (store_id, product_id, location_id) do update set quantity = held.quantity + excluded.quantity`,
    [
      storeId,
      located.map((line) => line.product.id),
      located.map((line) => line.location!.id),
      located.map((line) => quantityText(line.change)),
    ],
  );
}
