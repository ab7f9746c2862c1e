import { byName } from '@store/db';
import { cappedList } from '@store/service';
import type { Verb } from '../catalog.ts';
import { tables } from '../tables.ts';
import { brandView } from './brand.ts';

/** GET /brands: by name. */
export const listBrands: Verb<'ListBrands'> = async (app, _request, { caller }) => {
  const brands = tables.selectFrom('brands').select(['id', 'name', 'description']).where('store_id', '=', caller.storeId);
  return cappedList({
    read: (limit) => app.db.read(brands.orderBy(byName).orderBy('id').limit(limit)),
    answer: (rows) => ({ brands: rows.map(brandView) }),
  });
};
