/** Category rows to the public tree. */
import type { Category } from '@store/protos/catalog/v1.ts';
import { listBytesMax } from '@store/service';
import type { CategoryRow, Counts } from './category.query.ts';

const separator = ' > ';
/** Of one as JSON, beside its texts and ids. */
const membersBytes = 350;
const idBytes = 10;

/**
 * The categories below `parentId` (null: top-level ones) that `shows` allows, one after the other, each with its own below it. Those that
 * `room` has no bytes for are left out (D260); full names repeat the names above them, so a deep tree is much larger than its rows.
 */
export function* categoryViews(
  rows: CategoryRow[],
  counts: Map<number, Counts>,
  parentId: number | null,
  shows: (row: CategoryRow) => boolean = () => true,
  room = { left: listBytesMax },
): Generator<Category, undefined> {
  const children = Map.groupBy(rows, (row) => row.parent_id);
  function* below(id: number | null, path: Path): Generator<Category, undefined> {
    for (const row of children.get(id) ?? []) {
      if (!shows(row)) continue;
      const full = { text: path.text + row.name, bytes: path.bytes + Buffer.byteLength(row.name) };
      room.left -= bytesOf(row) + full.bytes;
      if (room.left < 0) continue;
      const above = { text: full.text + separator, bytes: full.bytes + separator.length };
      yield categoryView(row, full.text, counts.get(row.id), [...below(row.id, above)]);
    }
  }
  const path = pathTo(rows, parentId);
  yield* below(parentId, { text: path, bytes: Buffer.byteLength(path) });
}

/** Names of the categories above; their bytes are summed, as reading them all again for each category is quadratic. */
interface Path {
  text: string;
  bytes: number;
}

function bytesOf({ name, slug, icon, icon_url, color, ancestor_ids, revenue_center_ids }: CategoryRow): number {
  const texts = Buffer.byteLength([name, slug, icon, icon_url, color].join(''));
  return texts + membersBytes + idBytes * (ancestor_ids.length + revenue_center_ids.length);
}

/** One category with all that is below it. */
export function oneCategory(rows: CategoryRow[], counts: Map<number, Counts>, id: number): Category | undefined {
  const parentId = rows.find((row) => row.id === id)?.parent_id ?? null;
  return categoryViews(rows, counts, parentId, (row) => row.parent_id !== parentId || row.id === id).next().value;
}

function pathTo(rows: CategoryRow[], id: number | null): string {
  const category = rows.find((row) => row.id === id);
  return category ? pathTo(rows, category.parent_id) + category.name + separator : '';
}

function categoryView(row: CategoryRow, fullName: string, counts: Counts | undefined, subcategories: Category[]): Category {
  return {
    id: row.id,
    name: row.name,
    full_name: fullName,
    slug: row.slug,
    icon: row.icon ?? undefined,
    icon_url: row.icon_url ?? undefined,
    color: row.color ?? undefined,
    position: row.position,
    store_type: row.store_type ?? undefined,
    age_restricted: row.age_restricted,
    depth: row.ancestor_ids.length,
    parent_id: row.parent_id ?? undefined,
    ancestor_ids: row.ancestor_ids,
    revenue_center_ids: row.revenue_center_ids,
    product_count: counts?.direct ?? 0,
    total_product_count: counts?.total ?? 0,
    subcategories,
  };
}
