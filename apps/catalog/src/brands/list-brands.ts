import { byName } from '@store/db';
import type { Verb } from '../catalog.ts';
import { tables } from '../tables.ts';
import { brandView } from './brand.ts';

/** Lists that are not paginated are capped (D44). */
const brandsMax = 500;

/** GET /brands: by name. */
export const listBrands: Verb<'ListBrands'> = async (app, _request, { caller }) => {
  const brands = tables.selectFrom('brands').select(['id', 'name', 'description']).where('store_id', '=', caller.storeId);
  const rows = await app.db.read(brands.orderBy(byName).orderBy('id').limit(brandsMax));
  return { brands: rows.map(brandView) };
};
