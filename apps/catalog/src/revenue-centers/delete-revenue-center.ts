import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, deleteRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { RevenueCenter } from './revenue-center.ts';

/** DELETE /revenue_centers/:id (staff): what named it loses it, and what named no other is visible in all (D58). */
export const deleteRevenueCenter: Verb<'DeleteRevenueCenter'> = (app, request, call) =>
  change(app, call, async (em) => {
    const center = await lockRecord(em, RevenueCenter, parseId(request.id));
    await deleteRecord({ em, app, call }, RevenueCenter, center, { name: center.name });
    return { success: true, message: 'Revenue center deleted' };
  });
