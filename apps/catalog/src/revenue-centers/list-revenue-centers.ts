import { byName } from '@store/db';
import type { Verb } from '../catalog.ts';
import { tables } from '../tables.ts';
import { revenueCenterView } from './revenue-center.ts';

/** Lists that are not paginated are capped (D44). */
const revenueCentersMax = 500;

/** GET /revenue_centers (staff): by name. */
export const listRevenueCenters: Verb<'ListRevenueCenters'> = async (app, _request, { caller }) => {
  const centers = tables.selectFrom('revenue_centers').select(['id', 'name']).where('store_id', '=', caller.storeId);
  const rows = await app.db.read(centers.orderBy(byName).orderBy('id').limit(revenueCentersMax));
  return { revenue_centers: rows.map(revenueCenterView) };
};
