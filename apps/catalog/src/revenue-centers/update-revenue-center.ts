import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, updateRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { acceptRevenueCenter, RevenueCenter, revenueCenterView } from './revenue-center.ts';

/** PATCH /revenue_centers/:id (staff). */
export const updateRevenueCenter: Verb<'UpdateRevenueCenter'> = async (app, request, call) => {
  const accepted = acceptRevenueCenter.update(request.revenue_center);
  return change(app, call, async (em) => {
    const center = await lockRecord(em, RevenueCenter, parseId(request.id));
    await updateRecord({ em, app, call }, RevenueCenter, center, accepted);
    return { revenue_center: revenueCenterView(center) };
  });
};
