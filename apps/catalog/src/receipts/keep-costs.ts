/**
 * average_cost and cost of products from the lines of purchase orders (D168, D246). An event holds the state of a line, not its
 * change, and the newest state is kept: so neither order nor number of the events matters. Text, as one statement
 * serves a whole delivery.
 */
import { type EntityManager, type Row, sql } from '@store/db';
import type { ReceivedLine as LineFact } from '@store/events';
import type { Catalog } from '../catalog.ts';
import type { ReceivedLine } from './received-line.ts';

export type VersionedLine = LineFact & { version: number };

/** Takes over the lines that are newer than those kept. Returns the products, not deleted, whose costs they change. */
export async function keepCosts(
  em: EntityManager,
  { db }: Pick<Catalog, 'db'>,
  storeId: number,
  lines: VersionedLine[],
): Promise<number[]> {
  const newest = new Map<number, VersionedLine>();
  for (const line of lines) if (line.version > (newest.get(line.line_id)?.version ?? 0)) newest.set(line.line_id, line);
  if (newest.size === 0) return [];
  const products = await keepLines(em, storeId, [...newest.values()]);
  return computeCosts(em, storeId, products, db.clock.now());
}

/** Returns the products that the lines belonged to and belong to now. */
async function keepLines(em: EntityManager, storeId: number, lines: VersionedLine[]): Promise<number[]> {
  const ids = lines.map((line) => line.line_id).sort((a, b) => a - b);
  // Rows of new lines first: a line that two messages name at once then has a row to lock.
  await sql(
    em,
    `insert into catalog.received_lines (store_id, line_id, quantity, version) select $1, unnest($2::bigint[]), 0, 0
     on conflict (store_id, line_id) do nothing`,
    [storeId, ids],
  );
  const kept = await sql<Pick<Row<typeof ReceivedLine>, 'product_id'>>(
    em,
    'select product_id from catalog.received_lines where store_id = $1 and line_id = any ($2::bigint[]) order by line_id for update',
    [storeId, ids],
  );
  await sql(
    em,
    `update catalog.received_lines kept set product_id = x.product_id, quantity = x.quantity, unit_cost = x.unit_cost,
       landed_cost = x.landed_cost, received_at = x.received_at, version = x.version
     from json_to_recordset($2::json) as x(line_id bigint, product_id bigint, quantity numeric, unit_cost numeric, landed_cost numeric,
       received_at timestamptz, version bigint)
     where kept.store_id = $1 and kept.line_id = x.line_id and kept.version < x.version`,
    [storeId, JSON.stringify(lines)],
  );
  const products = [...kept, ...lines].flatMap(({ product_id }) => product_id ?? []);
  return [...new Set(products)].sort((a, b) => a - b);
}

/**
 * The average is exact, rounded half-up once: div() keeps no digits that could be rounded twice. A cost that was written by
 * hand holds until a later receipt, and where nothing was received. Returns the products, not deleted, that differ now.
 */
async function computeCosts(em: EntityManager, storeId: number, ids: number[], now: Date): Promise<number[]> {
  // A statement of its own: the next one then sees lines that an earlier holder of the lock has committed.
  await sql(em, 'select 1 from catalog.products where store_id = $1 and id = any ($2::bigint[]) order by id for update', [storeId, ids]);
  const changed = await sql<{ id: number; deleted: boolean }>(
    em,
    `with costed as (
       select product_id, quantity, unit_cost, landed_cost, received_at, line_id from catalog.received_lines
       where store_id = $1 and product_id = any ($2::bigint[]) and quantity > 0 and unit_cost is not null
     ), average as (
       select product_id, div(200 * sum(quantity * unit_cost) + sum(quantity), 2 * sum(quantity)) / 100 as cost from costed group by product_id
     ), latest as (
       select distinct on (product_id) product_id, landed_cost, received_at from costed order by product_id, received_at desc, line_id desc
     ), computed as (
       select p.id, average.cost as average_cost,
         case when p.cost_written_at is null or latest.received_at >= p.cost_written_at then latest.landed_cost else p.written_cost end as cost
       from catalog.products p left join average on average.product_id = p.id left join latest on latest.product_id = p.id
       where p.store_id = $1 and p.id = any ($2::bigint[])
     )
     update catalog.products p set average_cost = computed.average_cost, cost = computed.cost, updated_at = $3
     from computed where p.store_id = $1 and p.id = computed.id
       and (p.average_cost is distinct from computed.average_cost or p.cost is distinct from computed.cost)
     returning p.id, p.deleted_at is not null as deleted`,
    [storeId, ids, now],
  );
  return changed.filter(({ deleted }) => !deleted).map(({ id }) => id);
}
