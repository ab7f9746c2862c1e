import { notFound } from '@store/problem';
import type { Call } from '@store/rpc';
import { demandVersion } from '@store/service';
import type { Purchasing } from '../purchasing.ts';
import { type FoundOrder, orderById } from './purchase-order.query.ts';
import { purchaseOrderView } from './purchase-order.view.ts';

/** Without a lock; as the client saw it, where it sent a version. */
export async function readOrder(app: Purchasing, call: Call, id: number | undefined): Promise<FoundOrder> {
  const found = id && (await orderById(app.db.read, call.caller.storeId, id));
  if (!found) throw notFound('Purchase order');
  await demandVersion(call, () => ({ purchase_order: purchaseOrderView(found.order, found.lines) }));
  return found;
}
