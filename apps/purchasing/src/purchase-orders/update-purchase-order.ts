import { parseId } from '@store/input';
import { invalid } from '@store/problem';
import { change, demandVersion } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { acceptStatus } from './purchase-order.input.ts';
import { mayMove, type OrderStatus, statusesByHand } from './purchase-order.ts';
import { lockOrder, saveOrder, viewOf } from './save-order.ts';

/** PATCH /purchase_orders/:id (staff): forward only; the same state again changes nothing (D240). */
export const updatePurchaseOrder: Verb<'UpdatePurchaseOrder'> = async (app, request, call) => {
  const { status, errors } = acceptStatus(request.purchase_order);
  return change(app, call, async (em) => {
    const locked = await lockOrder(em, call.caller.storeId, parseId(request.id));
    await demandVersion(call, async () => ({ purchase_order: await viewOf(em, call.caller.storeId, locked.order.id) }));
    if (status === undefined) throw invalid(errors.length > 0 ? errors : ["Status can't be blank"]);
    demandMove(locked.order.status, status);
    return { purchase_order: await saveOrder({ em, app, call }, locked, { status }) };
  });
};

function demandMove(from: OrderStatus, to: OrderStatus): void {
  if (from === to || (statusesByHand.includes(to) && mayMove(from, to))) return;
  throw invalid([`Status cannot change from ${from} to ${to}`]);
}
