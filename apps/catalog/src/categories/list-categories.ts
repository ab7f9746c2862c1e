import { encodeView, messageType } from '@store/contract';
import type { Ask } from '@store/db';
import type { Category, ListCategoriesResponse } from '@store/protos/catalog/v1.ts';
import { Reply } from '@store/rpc';
import { listBytesMax } from '@store/service';
import { paced } from '@store/shares/asker';
import type { Verb } from '../catalog.ts';
import { centerFilter } from '../revenue-centers/center-filter.ts';
import { type CategoryRow, categoriesOf, productCounts } from './category.query.ts';
import { categoryViews } from './category.view.ts';

/** Lists that are not paginated are capped: here the top-level categories (D44). */
const rootsMax = 500;

/**
 * GET /categories: the active tree; a branch not in the revenue center is left out, and one without active products unless staff ask
 * for all.
 */
export const listCategories: Verb<'ListCategories'> = async (app, request, { caller }) => {
  const ask: Ask = app.db.read;
  const center = centerFilter(request.revenue_center_id);
  // An unknown revenue center shows nothing; what is no whole number is ignored (D54).
  if (center !== undefined && !(await centerExists(ask, caller.storeId, center))) return answer([], false);
  const rows = await paced(() => categoriesOf(ask, caller.storeId));
  const shown = shownIn(rows, center);
  const ofShown = rows.filter((row) => shown.has(row.id));
  const counts = await paced(() => productCounts(ask, caller.storeId, ofShown, center ?? null));
  const all = caller.actor.type === 'user' && request.all === 'true';
  const shows = (row: CategoryRow) => shown.has(row.id) && (all || counts.get(row.id)!.total > 0);
  const room = { left: listBytesMax };
  const messages: Buffer[] = [];
  const encoded = inMessages(categoryViews(rows, counts, null, shows, room).take(rootsMax));
  for (let next = await paced(() => encoded.next()); !next.done; next = await paced(() => encoded.next())) messages.push(next.value);
  const isCut = room.left < 0 || rows.filter((row) => row.parent_id === null && shows(row)).length > rootsMax;
  return answer(messages, isCut);
};

function answer(messages: Buffer[], isCut: boolean): Reply<ListCategoriesResponse> {
  const headers = isCut ? { 'X-Truncated': 'true' } : undefined;
  return new Reply<ListCategoriesResponse>({ categories: [] }, { headers, rest: messages });
}

const responseType = messageType('store.catalog.v1.ListCategoriesResponse');
/** Least number of categories in a message, the last one left out: between the messages of a large tree other stores are answered. */
const messageSize = 50;

function* inMessages(roots: Iterable<Category>): Generator<Buffer, undefined> {
  let categories: Category[] = [];
  for (const root of roots) {
    categories.push(root);
    if (sizeOf(categories) < messageSize) continue;
    yield encodeView(responseType, { categories });
    categories = [];
  }
  if (categories.length > 0) yield encodeView(responseType, { categories });
}

const sizeOf = (categories: Category[]): number => categories.reduce((sum, { subcategories = [] }) => sum + 1 + sizeOf(subcategories), 0);

/** Ids of the categories that are active and visible in the center, with all that is above them. */
function shownIn(rows: CategoryRow[], center: number | undefined): Set<number> {
  const shown = new Set<number>();
  for (const row of rows.toSorted((a, b) => a.ancestor_ids.length - b.ancestor_ids.length)) {
    const visible = center === undefined || row.revenue_center_ids.length === 0 || row.revenue_center_ids.includes(center);
    if (row.active && visible && (row.parent_id === null || shown.has(row.parent_id))) shown.add(row.id);
  }
  return shown;
}

async function centerExists(ask: Ask, storeId: number, id: number): Promise<boolean> {
  const rows = await ask('select 1 from catalog.revenue_centers where store_id = $1 and id = $2', [storeId, id]);
  return rows.length > 0;
}
