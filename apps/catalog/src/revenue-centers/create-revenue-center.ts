import { change, createRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { acceptRevenueCenter, RevenueCenter, revenueCenterView } from './revenue-center.ts';

/** POST /revenue_centers (staff). */
export const createRevenueCenter: Verb<'CreateRevenueCenter'> = async (app, request, call) => {
  const accepted = acceptRevenueCenter.create(request.revenue_center);
  return change(app, call, async (em) => {
    const center = await createRecord({ em, app, call }, RevenueCenter, accepted);
    return { revenue_center: revenueCenterView(center) };
  });
};
