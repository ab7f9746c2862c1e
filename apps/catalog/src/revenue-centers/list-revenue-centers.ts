import type { ListRevenueCentersRequest__Output } from '@store/protos/catalog/v1/ListRevenueCentersRequest.ts';
import type { ListRevenueCentersResponse } from '@store/protos/catalog/v1/ListRevenueCentersResponse.ts';
import type { Call } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { type RevenueCenterRow, revenueCenterView } from './revenue-center.ts';

const revenueCentersMax = 500;

/** GET /revenue_centers (staff), by name. */
export async function listRevenueCenters(
  app: Catalog,
  _request: ListRevenueCentersRequest__Output,
  { caller }: Call,
): Promise<ListRevenueCentersResponse> {
  const rows = await app.db.read<RevenueCenterRow>(
    'revenue_centers',
    `select id, name from catalog.revenue_centers where store_id = $1 order by name collate "C", id limit ${revenueCentersMax}`,
    [caller.storeId],
  );
  return { revenue_centers: rows.map(revenueCenterView) };
}
