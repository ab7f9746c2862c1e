import { byName, likeLiteral } from '@store/db';
import { paginationView, parsePage } from '@store/input';
import type { Verb } from '../purchasing.ts';
import { shownColumns, suppliersOf } from './supplier.query.ts';
import { supplierView } from './supplier.ts';

const perPageDefault = 50;

/** GET /suppliers: by name. */
export const listSuppliers: Verb<'ListSuppliers'> = async (app, request, { caller }) => {
  const page = parsePage(request, perPageDefault);
  const q = request.q?.trim() ?? '';
  // No name holds the character that PostgreSQL has not.
  if (q.includes('\0')) return { suppliers: [], pagination: paginationView(page, 0) };
  const found = suppliersOf(caller.storeId).$if(q !== '', (of) => of.where('name', 'ilike', `%${likeLiteral(q)}%`));
  const [rows, [counted]] = await Promise.all([
    app.db.read(found.select(shownColumns).orderBy(byName).orderBy('id').limit(page.perPage).offset(page.offset)),
    app.db.read(found.select(({ fn }) => fn.countAll<number>().as('count'))),
  ]);
  return { suppliers: rows.map(supplierView), pagination: paginationView(page, counted!.count) };
};
