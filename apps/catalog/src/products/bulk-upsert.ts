import type { BulkUpsertRequest__Output } from '@store/contract/gen/store/catalog/v1/BulkUpsertRequest.ts';
import type { BulkUpsertResponse } from '@store/contract/gen/store/catalog/v1/BulkUpsertResponse.ts';
import type { ProductInput__Output } from '@store/contract/gen/store/catalog/v1/ProductInput.ts';
import type { EntityManager } from '@store/db';
import { Problem, sentences } from '@store/problem';
import { type Call, type Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { emitProducts, type ProductChange } from './emit-products.ts';
import { type Draft, diff, filled, newDraft } from './product.columns.ts';
import { acceptProduct, type ProductValues } from './product.input.ts';
import { brandNames, insertProducts, lockBySku, type Stored, updateProducts } from './write-products.ts';

const rowsMax = 1_000;

/** A row that may be saved, and where its errors would go. */
interface Row {
  index: number;
  sku: string;
  values: ProductValues;
}

/** One sku of the payload: what is stored, what it becomes. */
interface Target {
  sku: string;
  stored: Stored | undefined;
  draft: Draft;
}

interface Outcome {
  createdSkus: string[];
  updatedSkus: string[];
  errors: { index: number; sku?: string; errors: string[] }[];
}

/** POST /products/bulk_upsert: rows are matched by sku and saved independently. */
export async function bulkUpsert(
  app: Catalog,
  request: BulkUpsertRequest__Output,
  call: Call,
): Promise<BulkUpsertResponse | Reply<BulkUpsertResponse>> {
  const sent = request.products ?? [];
  if (sent.length === 0) throw new Problem('invalid', 'products must be a non-empty array');
  if (sent.length > rowsMax) throw new Problem('invalid', `at most ${rowsMax} products per request`);
  return change({ db: app.db, call, response: 'store.catalog.v1.BulkUpsertResponse' }, async (em) => {
    const outcome: Outcome = { createdSkus: [], updatedSkus: [], errors: [] };
    const rows = acceptRows(sent, new Set(request.misshapen ?? []), call.caller, outcome);
    await saveRows(em, app, call.caller, rows, outcome);
    outcome.errors.sort((a, b) => a.index - b.index);
    const response: BulkUpsertResponse = {
      created: outcome.createdSkus.length,
      updated: outcome.updatedSkus.length,
      failed: outcome.errors.length,
      created_skus: outcome.createdSkus,
      updated_skus: outcome.updatedSkus,
      errors: outcome.errors,
    };
    return outcome.errors.length > 0 ? new Reply(response, { status: 207 }) : response;
  });
}

/** Judges each row by itself; a row that is no object or has no sku fails as a row. */
function acceptRows(sent: ProductInput__Output[], misshapen: Set<string>, caller: Caller, outcome: Outcome): Row[] {
  const rows: Row[] = [];
  for (const [index, input] of sent.entries()) {
    if (misshapen.has(`products.${index}`)) {
      outcome.errors.push({ index, errors: ['Row must be an object'] });
      continue;
    }
    const { values, errors } = acceptProduct(input, caller);
    const { sku } = values;
    if (!sku) errors.sku ??= ["can't be blank"];
    if (sku && Object.keys(errors).length === 0) rows.push({ index, sku, values });
    else outcome.errors.push(rowError(index, input.sku, errors));
  }
  return rows;
}

function rowError(index: number, sku: string | undefined, errors: Record<string, string[]>) {
  return { index, sku: sku?.trim() || undefined, errors: sentences(errors) };
}

async function saveRows(em: EntityManager, app: Catalog, caller: Caller, rows: Row[], outcome: Outcome): Promise<void> {
  const stored = new Map(
    (await lockBySku(em, caller.storeId, [...new Set(rows.map((row) => row.sku))])).map((found) => [found.draft.sku as string, found]),
  );
  const brands = await brandNames(em, caller.storeId, [
    ...rows.map((row) => row.values.brand_id ?? null),
    ...[...stored.values()].map((found) => found.draft.brand_id),
  ]);
  const targets = fold(rows, stored, brands, outcome);
  const now = app.db.clock.now();
  const fresh = targets.filter((target) => !target.stored);
  const inserted = await insertProducts(
    em,
    caller.storeId,
    now,
    fresh.map((target) => target.draft),
    brands,
  );
  const changes: ProductChange[] = fresh
    .filter((target) => inserted.has(target.sku))
    .map((target) => ({ id: inserted.get(target.sku)!, name: 'product.created', action: 'product.create', after: filled(target.draft) }));
  const known = targets.flatMap(({ stored: before, draft }) => (before ? [{ before, draft }] : []));
  known.push(
    ...(await lateComers(
      em,
      caller,
      rows,
      fresh.filter((target) => !inserted.has(target.sku)),
      outcome,
    )),
  );
  const changed = known.flatMap(({ before, draft }) => {
    const difference = diff(before.draft, draft);
    return difference ? [{ id: before.id, draft, difference }] : [];
  });
  await updateProducts(em, caller.storeId, now, changed, brands);
  changes.push(...changed.map(({ id, difference }) => ({ id, name: 'product.updated' as const, action: 'product.update', ...difference })));
  await emitProducts(em, app, caller, changes);
}

/** Applies the rows in order; the same sku twice is created and then updated (decision D66). */
function fold(rows: Row[], stored: Map<string, Stored>, brands: Map<string, string>, outcome: Outcome): Target[] {
  const targets = new Map<string, Target>();
  for (const { index, sku, values } of rows) {
    const target = targets.get(sku);
    const before = target?.draft ?? stored.get(sku)?.draft;
    const errors: Record<string, string[]> = {};
    if (values.brand_id != null && !brands.has(String(values.brand_id))) errors.brand_id = ['must exist'];
    if (!before && values.name === undefined) errors.name = ["can't be blank"];
    if (Object.keys(errors).length > 0) {
      outcome.errors.push(rowError(index, sku, errors));
      continue;
    }
    const draft = before ? { ...before, ...(values as Partial<Draft>) } : newDraft(values);
    targets.set(sku, { sku, stored: stored.get(sku), draft });
    (before ? outcome.updatedSkus : outcome.createdSkus).push(sku);
  }
  return [...targets.values()];
}

/** Another transaction created these skus meanwhile: the rows update its products (decision D70). */
async function lateComers(
  em: EntityManager,
  caller: Caller,
  rows: Row[],
  late: Target[],
  outcome: Outcome,
): Promise<{ before: Stored; draft: Draft }[]> {
  if (late.length === 0) return [];
  const found = await lockBySku(
    em,
    caller.storeId,
    late.map((target) => target.sku),
  );
  return found.map((before) => {
    const sku = before.draft.sku as string;
    outcome.createdSkus = outcome.createdSkus.filter((created) => created !== sku);
    outcome.updatedSkus.push(sku);
    const draft = rows
      .filter((row) => row.sku === sku)
      .reduce<Draft>((current, row) => ({ ...current, ...(row.values as Partial<Draft>) }), before.draft);
    return { before, draft };
  });
}
