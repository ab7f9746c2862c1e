import { byName } from '@store/db';
import { cappedList } from '@store/service';
import type { Verb } from '../catalog.ts';
import { tables } from '../tables.ts';
import { revenueCenterView } from './revenue-center.ts';

/** GET /revenue_centers (staff): by name. */
export const listRevenueCenters: Verb<'ListRevenueCenters'> = async (app, _request, { caller }) => {
  const centers = tables.selectFrom('revenue_centers').select(['id', 'name']).where('store_id', '=', caller.storeId);
  return cappedList({
    read: (limit) => app.db.read(centers.orderBy(byName).orderBy('id').limit(limit)),
    answer: (rows) => ({ revenue_centers: rows.map(revenueCenterView) }),
  });
};
