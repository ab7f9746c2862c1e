/** Set-based writes of lines: one statement for one line or a thousand. Text, as the typed builder would make one per row count. */
import { type EntityManager, sql } from '@store/db';
import { tables } from '../tables.ts';
import type { LineRow, NewLine } from './order-line.ts';

const columns = {
  product_id: 'bigint',
  product_name: 'text',
  sku: 'text',
  unit_type: 'text',
  bundle: 'boolean',
  quantity_ordered: 'numeric',
  quantity_received: 'numeric',
  quantity_invoiced: 'numeric',
  unit_price: 'numeric',
  unit_cost_invoiced: 'numeric',
  match_status: 'text',
  supplier_document_id: 'bigint',
  received_at: 'timestamptz',
} as const satisfies Record<keyof NewLine, string>;

export const lineColumns = Object.keys(columns) as (keyof NewLine)[];
const names = lineColumns.join(', ');
const typed = Object.entries(columns)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** A line, `l`, as JSON, for orders that are read with their lines in one statement; decimals as text, which is exact. */
export const lineJson = `json_build_object('id', l.id, 'order_id', l.order_id, 'position', l.position, ${Object.entries(columns)
  .map(([name, type]) => `'${name}', l.${type === 'numeric' ? `${name}::text` : name}`)
  .join(', ')})`;

/** A line that was read as JSON, where a time is ISO text. */
export type LineFromJson = Omit<LineRow, 'received_at'> & { received_at: string | null };

export const lineFromJson = (line: LineFromJson): LineRow => ({
  ...line,
  received_at: line.received_at === null ? null : new Date(line.received_at),
});

/** The lines of an order in their order; its row is locked, so they stay as they are. */
export function linesOf(em: EntityManager, storeId: number, orderId: number): Promise<LineRow[]> {
  const lines = tables.selectFrom('purchase_order_lines').where('store_id', '=', storeId).where('order_id', '=', orderId);
  return sql(em, lines.select(['id', 'order_id', 'position', ...lineColumns]).orderBy('position'));
}

/** Adds lines behind the first `position` of the order, and returns them with their ids. */
export async function insertLines(
  em: EntityManager,
  storeId: number,
  { orderId, position }: { orderId: number; position: number },
  lines: NewLine[],
): Promise<LineRow[]> {
  if (lines.length === 0) return [];
  const positioned = lines.map((line, index) => ({ ...line, position: position + index }));
  const inserted = await sql<Pick<LineRow, 'id' | 'position'>>(
    em,
    `insert into purchasing.purchase_order_lines (store_id, order_id, position, ${names})
     select $1, $2, position, ${names} from json_to_recordset($3::json) as x(position int, ${typed}) order by position
     returning id, position`,
    [storeId, orderId, JSON.stringify(positioned)],
  );
  const idAt = new Map(inserted.map((row) => [row.position, row.id]));
  return positioned.map((line) => ({ ...line, id: idAt.get(line.position)!, order_id: orderId }));
}

const assignments = lineColumns.map((name) => `${name} = x.${name}`).join(', ');

export async function updateLines(em: EntityManager, storeId: number, orderId: number, lines: LineRow[]): Promise<void> {
  if (lines.length === 0) return;
  await sql(
    em,
    `update purchasing.purchase_order_lines line set ${assignments}
     from json_to_recordset($3::json) as x(position int, ${typed})
     where line.store_id = $1 and line.order_id = $2 and line.position = x.position`,
    [storeId, orderId, JSON.stringify(lines)],
  );
}
