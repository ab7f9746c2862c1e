import { byName, likeLiteral } from '@store/db';
import { paginationView, parsePage } from '@store/input';
import type { Verb } from '../purchasing.ts';
import { shownColumns, suppliersOf } from './supplier.query.ts';
import { supplierView } from './supplier.ts';

const perPageDefault = 50;

/** GET /suppliers: by name; by cursors as they were made. */
export const listSuppliers: Verb<'ListSuppliers'> = async (app, request, { caller }) => {
  const page = parsePage(request, perPageDefault);
  const q = request.q?.trim() ?? '';
  // No name holds the character that PostgreSQL has not.
  if (q.includes('\0')) return { suppliers: [], pagination: paginationView(page, 0) };
  const found = suppliersOf(caller.storeId).$if(q !== '', (of) => of.where('name', 'ilike', `%${likeLiteral(q)}%`));
  const mark = page.walk?.mark;
  const further = mark
    ? found.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>', tuple(mark.createdAt, mark.id)))
    : found;
  const [rows, [counted]] = await Promise.all([
    app.db.read(
      further
        .select(shownColumns)
        .orderBy(page.walk ? 'created_at' : byName)
        .orderBy('id')
        .limit(page.limit)
        .offset(page.offset),
    ),
    app.db.read(found.select(({ fn }) => fn.countAll<number>().as('count'))),
  ]);
  return { suppliers: rows.map(supplierView), pagination: paginationView(page, counted!.count) };
};
