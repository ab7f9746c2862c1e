/** Set-based writes of products: a handful of statements for one row or a thousand. SQL text, as bulk_upsert is hot (docs/decisions/0090). */
import { type Difference, type EntityManager, type Row, searchText, sql, taken } from '@store/db';
import type { FieldErrors } from '@store/input';
import type { Brand } from '../brands/brand.ts';
import { refreshKept, refreshVariations } from './denormalised-names.ts';
import { countInserted, isListed, keptHere, type Relisted, relist } from './kept-lists.ts';
import { columnNames, type Draft, type Value } from './product.columns.ts';
import { type ProductRow, unlinkedColumns } from './product.query.ts';
import type { Product } from './product.ts';

/** A product row as the database holds it. */
export interface Stored {
  id: number;
  draft: Draft;
}

/** A product as it is to be, and what of it differs. */
export interface Changed extends Stored {
  difference: Difference;
}

const names = columnNames.join(', ');
/** The rows of $3, whose members have the types of their columns. */
const sent = 'json_populate_recordset(null::catalog.products, $3::json) as x';
const fromRow = columnNames.map((name) => `x.${name}`).join(', ');
const assignments = columnNames.map((name) => `${name} = x.${name}`).join(', ');

/** Locks rows in id order, so that two writers of the same rows wait instead of deadlocking. */
async function lock(em: EntityManager, storeId: number, condition: string, value: unknown): Promise<Stored[]> {
  const rows = await sql<Draft & { id: number }>(
    em,
    `select id, ${names} from catalog.products
     where store_id = $1 and deleted_at is null and ${condition} order by id for update`,
    [storeId, value],
  );
  return rows.map(({ id, ...draft }) => ({ id, draft }));
}

/** What of a product is unique in its store, as far as it is not deleted. A race for it is decided by the unique indexes. */
type Unique = Pick<Draft, 'sku' | 'external_id'>;

/** Which of the two values another product has; one row. */
const takenFrom = (sku: string, externalId: string) => `
  select coalesce(bool_or(t.sku = ${sku}), false) as sku, coalesce(bool_or(t.external_id = ${externalId}), false) as external_id
  from catalog.products t where t.store_id = $1 and t.deleted_at is null and (t.sku = ${sku} or t.external_id = ${externalId})`;

/** A field error for what another product than this one has. */
export async function takenErrors(em: EntityManager, storeId: number, { sku, external_id }: Unique, id = 0): Promise<FieldErrors> {
  if (sku === null && external_id === null) return {};
  const [found] = await sql<Taken>(em, `${takenFrom('$2', '$3')} and t.id <> $4`, [storeId, sku, external_id, id]);
  return fieldsTaken(found!);
}

type Taken = Record<keyof Unique, boolean>;

const fieldsTaken = (found: Taken): FieldErrors =>
  Object.fromEntries((['sku', 'external_id'] as const).flatMap((field) => (found[field] ? [[field, [taken]]] : [])));

/** The products that have one of these ids of other systems. */
export async function holdersOf(em: EntityManager, storeId: number, externalIds: string[]): Promise<Map<string, number | string>> {
  if (externalIds.length === 0) return new Map();
  const rows = await sql<{ id: number; external_id: string }>(
    em,
    'select id, external_id from catalog.products where store_id = $1 and external_id = any ($2::text[]) and deleted_at is null',
    [storeId, externalIds],
  );
  return new Map(rows.map((row) => [row.external_id, row.id]));
}

export const lockBySku = (em: EntityManager, storeId: number, skus: string[]) => lock(em, storeId, 'sku = any ($2::text[])', skus);
export const lockById = (em: EntityManager, storeId: number, ids: number[]) => lock(em, storeId, 'id = any ($2::bigint[])', ids);

/**
 * Names of the store's brands among these ids, which products are about to be given; an id that is missing is no
 * brand of the store. They are locked against a rename or a deletion, which would otherwise miss the product that is
 * being written. Called before products are locked: a rename locks the brand and then its products.
 */
export function lockBrands(em: EntityManager, storeId: number, ids: Value[]): Promise<Map<number, string>> {
  return brandsById(em, storeId, ids, 'for share');
}

/** The locked brands, and those that the stored products have: a rename of these waits for the products. */
export async function withShownBrands(em: EntityManager, storeId: number, locked: Map<number, string>, stored: Stored[]) {
  const others = stored.map(({ draft }) => draft.brand_id).filter((id) => !locked.has(Number(id)));
  return new Map([...locked, ...(await brandsById(em, storeId, others, ''))]);
}

async function brandsById(em: EntityManager, storeId: number, ids: Value[], lock: 'for share' | ''): Promise<Map<number, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null).map(Number))];
  if (wanted.length === 0) return new Map();
  const rows = await sql<Pick<Row<typeof Brand>, 'id' | 'name'>>(
    em,
    `select id, name from catalog.brands where store_id = $1 and id = any ($2::bigint[]) order by id ${lock}`,
    [storeId, wanted],
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** $1 is the store, $2 now and $3 the rows. */
const insert = `
  insert into catalog.products (store_id, created_at, updated_at, search_text, brand_name, written_cost, cost_written_at, ${names})
  select $1, $2, $2, x.search_text, x.brand_name, x.cost, case when x.cost is not null then $2::timestamptz end, ${fromRow}
  from ${sent}
  on conflict do nothing`;

const insertMany = `${keptHere} with p as (${insert} returning id, sku, active, parent_id), ${countInserted} select id, sku from p`;

/**
 * Inserts products and returns their ids by sku. One whose sku or external id another transaction took meanwhile is
 * left out (D70); rows go in sku order, so that two such transactions do not deadlock.
 */
export async function insertProducts(
  em: EntityManager,
  storeId: number,
  now: Date,
  drafts: Draft[],
  brands: Map<number, string>,
): Promise<Map<Value, number>> {
  if (drafts.length === 0) return new Map();
  const rows = drafts.map((draft) => newRow(draft, brands)).sort((a, b) => (String(a.sku) < String(b.sku) ? -1 : 1));
  const inserted = await sql<Pick<Row<typeof Product>, 'id' | 'sku'>>(em, insertMany, [storeId, now, JSON.stringify(rows)]);
  return new Map(inserted.map((row) => [row.sku, row.id]));
}

/**
 * `taken` and the insert see the same moment: what is not taken and still refused was taken meanwhile. Materialized, as Citus would look
 * after the insert.
 */
const insertOne = `${keptHere}
  with taken as materialized (${takenFrom('$4', '$5')}),
  p as (${insert} returning *),
  ${countInserted}
  select jsonb_build_object('sku', taken.sku, 'external_id', taken.external_id) as taken, ${unlinkedColumns} from taken left join p on true`;

type Inserted = { row: ProductRow } | { taken: FieldErrors };

/** Inserts one product, which has no links yet, and returns its row; or what of it was taken before: nothing, where it was taken only now. */
export async function insertProduct(
  em: EntityManager,
  storeId: number,
  now: Date,
  draft: Draft,
  brands: Map<number, string>,
): Promise<Inserted> {
  const values = [storeId, now, JSON.stringify([newRow(draft, brands)]), draft.sku, draft.external_id];
  const [found] = await sql<ProductRow & { taken: Taken }>(em, insertOne, values);
  const { taken: before, ...row } = found!;
  // The outer join gives nulls where nothing was inserted.
  return (row.id as number | null) === null ? { taken: fieldsTaken(before) } : { row };
}

function newRow(draft: Draft, brands: Map<number, string>) {
  return { ...draft, search_text: textOf(draft, brands), brand_name: brandOf(draft, brands) };
}

/** Variations among what changed, and those of products that have another brand now: search reads their parent's brand. */
export async function refreshFamilies(em: EntityManager, storeId: number, changed: Changed[]): Promise<void> {
  await refreshKept(
    em,
    storeId,
    changed.filter(({ draft }) => draft.parent_id !== null).map(({ id }) => id),
  );
  await refreshVariations(
    em,
    storeId,
    changed.filter(({ difference }) => 'brand_id' in difference.after).map(({ id }) => id),
  );
}

/** A cost that differs was written by hand just now: it holds until a later receipt (D246). */
const writtenCost = `written_cost = case when x.cost is distinct from p.cost then x.cost else p.written_cost end,
  cost_written_at = case when x.cost is distinct from p.cost then $2 else p.cost_written_at end`;

/** Writes changed products; presets are read for their search text, as they are not part of a draft. */
export async function updateProducts(
  em: EntityManager,
  storeId: number,
  now: Date,
  changed: Changed[],
  brands: Map<number, string>,
): Promise<void> {
  if (changed.length === 0) return;
  const presets = await presetBarcodes(
    em,
    storeId,
    changed.map((row) => row.id),
  );
  const rows = changed.map(({ id, draft }) => ({
    ...draft,
    id,
    search_text: textOf(draft, brands, presets.get(id)),
    brand_name: brandOf(draft, brands),
  }));
  await sql(
    em,
    `${keptHere} update catalog.products p set updated_at = $2, search_text = x.search_text, brand_name = x.brand_name, ${writtenCost}, ${assignments}
     from ${sent} where p.id = x.id and p.store_id = $1`,
    [storeId, now, JSON.stringify(rows)],
  );
  relist(em, storeId, changed.flatMap(relisted));
}

/** Whether the lists that show the product are changed by its difference. */
function relisted({ id, draft, difference }: Changed): Relisted[] {
  const [was, is] = [isListed({ ...draft, ...difference.before }), isListed(draft)];
  return was !== is || 'name' in difference.after ? [{ id, name: draft.name as string, was, is }] : [];
}

async function presetBarcodes(em: EntityManager, storeId: number, ids: number[]): Promise<Map<number, string[]>> {
  const rows = await sql<{ product_id: number; barcodes: string[] }>(
    em,
    `select product_id, array_agg(barcode) as barcodes from catalog.product_weight_presets
     where store_id = $1 and product_id = any ($2::bigint[]) group by product_id`,
    [storeId, ids],
  );
  return new Map(rows.map((row) => [row.product_id, row.barcodes]));
}

function textOf(draft: Draft, brands: Map<number, string>, presets: string[] = []): string {
  return searchText([draft.name as string, draft.sku as string, draft.barcode as string, ...presets, brandOf(draft, brands)]);
}

function brandOf(draft: Draft, brands: Map<number, string>): string | null {
  return draft.brand_id === null ? null : (brands.get(Number(draft.brand_id)) ?? null);
}
