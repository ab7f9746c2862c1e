import { itemsMax } from '@store/contract';
import { changedFields, type EntityManager, orRaced, planByValues, raced, taken } from '@store/db';
import { parseFields } from '@store/input';
import { Problem, sentences, texts } from '@store/problem';
import type { BulkUpsertResponse, ProductInput__Output } from '@store/protos/catalog/v1.ts';
import { type Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog, Verb } from '../catalog.ts';
import { emitProducts, type ProductChange } from './emit-products.ts';
import { type Draft, emptiedDefaults, filled, newDraft, priced } from './product.columns.ts';
import { keyFields, type ProductValues } from './product.input.ts';
import { Product } from './product.ts';
import {
  holdersOf,
  insertProducts,
  lockBrands,
  lockBySku,
  refreshFamilies,
  type Stored,
  updateProducts,
  withShownBrands,
} from './write-products.ts';

const rowsMax = itemsMax('store.catalog.v1.BulkUpsertRequest').products!;
/** How often the rows that lost a race for a new sku are tried again. */
const passesMax = 5;

/** A row with a sku, and what is wrong with it by itself: all errors of a row are told at once. */
interface Row {
  index: number;
  sku: string;
  values: ProductValues;
  errors: Record<string, string[]>;
  unknown: string[];
}

/** One sku of the payload: what is stored, what it becomes. */
interface Target {
  sku: string;
  stored: Stored | undefined;
  draft: Draft;
}

/** What one pass over the rows did. */
interface Pass {
  /** Rows that were saved. */
  saved: Row[];
  failed: Outcome['errors'];
  created: string[];
  changes: ProductChange[];
  /** Rows whose sku or external id another transaction took between the look and the insert. */
  late: Row[];
}

interface Outcome {
  createdSkus: string[];
  updatedSkus: string[];
  errors: { index: number; sku?: string; errors: string[] }[];
}

/** POST /products/bulk_upsert: rows are matched by sku and saved independently. */
export const bulkUpsert: Verb<'BulkUpsert'> = async (app, request, call) => {
  const sent = request.products ?? [];
  if (sent.length === 0) throw new Problem('invalid', 'products must be a non-empty array');
  if (sent.length > rowsMax) throw new Problem('invalid', `at most ${rowsMax} products per request`);
  return change(app, call, async (em) => {
    planByValues(em, sent.length);
    const outcome: Outcome = { createdSkus: [], updatedSkus: [], errors: [] };
    const rows = readRows(sent, new Set(request.malformed ?? []), outcome);
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
};

/** Reads each row by itself; one that is no object or has no sku fails here. */
function readRows(sent: ProductInput__Output[], malformed: Set<string>, outcome: Outcome): Row[] {
  const rows: Row[] = [];
  for (const [index, input] of sent.entries()) {
    if (malformed.has(`products.${index}`)) {
      outcome.errors.push({ index, errors: ['Row must be an object'] });
      continue;
    }
    // What only staff write is for one product at a time (D158): here it is ignored from them too.
    const { values, errors } = parseFields(keyFields, input);
    const { sku } = values;
    if (!sku) errors.sku ??= ["can't be blank"];
    const unknown = (input.unknown ?? []).map((name) => `"${name}" ${texts.notAField}`);
    if (sku) rows.push({ index, sku, values, errors, unknown });
    else outcome.errors.push(rowError(index, input.sku, errors, unknown));
  }
  return rows;
}

function rowError(index: number, sku: string | undefined, errors: Record<string, string[]>, others: string[] = []) {
  return { index, sku: sku?.trim() || undefined, errors: [...sentences(errors), ...others] };
}

/**
 * Saves the rows; those whose new sku another transaction took meanwhile are tried again and update its
 * product (D70).
 */
async function saveRows(em: EntityManager, app: Catalog, caller: Caller, rows: Row[], outcome: Outcome): Promise<void> {
  const saved: Row[] = [];
  const created = new Set<string>();
  const changes: ProductChange[] = [];
  for (let open = rows, passes = 0; open.length > 0; passes++) {
    if (passes === passesMax) throw raced('sku');
    const pass = await savePass(em, app, caller, open);
    saved.push(...pass.saved);
    outcome.errors.push(...pass.failed);
    changes.push(...pass.changes);
    for (const sku of pass.created) created.add(sku);
    open = pass.late;
  }
  // The first row of a new sku created it, every later one updated it (D66).
  for (const { sku } of saved.sort((a, b) => a.index - b.index))
    (created.delete(sku) ? outcome.createdSkus : outcome.updatedSkus).push(sku);
  await emitProducts(em, app, caller, changes);
}

async function savePass(em: EntityManager, app: Catalog, caller: Caller, rows: Row[]): Promise<Pass> {
  const { storeId } = caller;
  const given = await lockBrands(
    em,
    storeId,
    rows.map((row) => row.values.brand_id ?? null),
  );
  const found = await lockBySku(em, storeId, [...new Set(rows.map((row) => row.sku))]);
  const stored = new Map(found.map((product) => [product.draft.sku as string, product]));
  const holders = await holdersOf(
    em,
    storeId,
    rows.flatMap((row) => row.values.external_id ?? []),
  );
  const { targets, accepted, failed } = fold(rows, stored, given, holders);
  const brands = await withShownBrands(em, storeId, given, found);
  const fresh = targets.filter((target) => !target.stored);
  const drafts = fresh.map((target) => target.draft);
  const inserted = await insertProducts(em, storeId, app.db.clock.now(), drafts, brands);
  const late = new Set(fresh.filter((target) => !inserted.has(target.sku)).map((target) => target.sku));
  const created = fresh.filter((target) => inserted.has(target.sku));
  const changed = targets.flatMap(({ stored: before, draft }) => {
    const difference = before && changedFields(before.draft, draft);
    return difference ? [{ id: before.id, draft, difference }] : [];
  });
  await orRaced(Product, updateProducts(em, storeId, app.db.clock.now(), changed, brands));
  await refreshFamilies(em, storeId, changed);
  return {
    saved: accepted.filter((row) => !late.has(row.sku)),
    failed: failed.filter(({ sku }) => sku === undefined || !late.has(sku)),
    created: created.map((target) => target.sku),
    changes: [
      ...created.map(({ sku, draft }) => creation(inserted.get(sku)!, draft)),
      ...changed.map(({ id, difference }) => ({ id, name: 'product.updated' as const, action: 'product.update', ...difference })),
    ],
    late: rows.filter((row) => late.has(row.sku)),
  };
}

function creation(id: number, draft: Draft): ProductChange {
  return { id, name: 'product.created', action: 'product.create', after: filled(draft) };
}

/** Applies the rows in order, so that the same sku twice is created and then updated (D66). */
function fold(rows: Row[], stored: Map<string, Stored>, brands: Map<number, string>, holders: Map<string, number | string>) {
  const targets = new Map<string, Target>();
  const accepted: Row[] = [];
  const failed: Outcome['errors'] = [];
  for (const row of rows) {
    const { index, sku, values, unknown } = row;
    const before = targets.get(sku)?.draft ?? stored.get(sku)?.draft;
    const errors = { ...row.errors };
    if (values.brand_id != null && !brands.has(values.brand_id)) errors.brand_id = ['must exist'];
    const { external_id } = values;
    // The product's id, or of a new one its sku.
    const own = stored.get(sku)?.id ?? sku;
    if (external_id && (holders.get(external_id) ?? own) !== own) errors.external_id = [taken];
    if (before) Object.assign(errors, emptiedDefaults(values));
    else if (values.name === undefined) errors.name ??= ["can't be blank"];
    if (Object.keys(errors).length > 0 || unknown.length > 0) {
      failed.push(rowError(index, sku, errors, unknown));
      continue;
    }
    const draft = before ? priced({ ...before, ...(values as Partial<Draft>) }, values) : newDraft(values);
    if (external_id) holders.set(external_id, own);
    targets.set(sku, { sku, stored: stored.get(sku), draft });
    accepted.push(row);
  }
  return { targets: [...targets.values()], accepted, failed };
}
