import type { EntityManager } from '@store/db';
import type { CustomerLoyaltyResponse } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import { userOf } from '@store/service';
import type { CustomerRecord } from '../customers/customer.ts';
import { emitCustomers } from '../customers/emit-customers.ts';
import type { Customers } from '../customers.ts';
import { loadLoyalty } from './loyalty.query.ts';
import { loyaltyView } from './loyalty.view.ts';
import { movePoints, type PointsMovement } from './move-points.ts';

/** Moves a locked customer's points and answers with the loyalty after it; one customer.updated with its audit entry. */
export async function changePoints(
  em: EntityManager,
  { app, caller }: { app: Customers; caller: Caller },
  customer: CustomerRecord,
  movement: Pick<PointsMovement, 'movement_type' | 'points' | 'reason' | 'reward_id'>,
  audited: object = {},
): Promise<CustomerLoyaltyResponse> {
  const { id, storeId } = customer;
  const points = new Map([[id, customer.loyaltyPoints]]);
  await movePoints(em, { storeId, now: app.db.clock.now() }, [{ customer_id: id, user: userOf(caller), ...movement }], points);
  const audit = {
    action: `customer.${movement.movement_type}_points`,
    before: { loyalty_points: customer.loyaltyPoints },
    after: { loyalty_points: points.get(id), ...(movement.reason && { reason: movement.reason }), ...audited },
  };
  await emitCustomers(em, app, caller, [{ id, name: 'customer.updated', audit }]);
  return { loyalty: loyaltyView(await loadLoyalty(em, storeId, id)) };
}
