import { parseId } from '@store/input';
import type { Verb } from '../purchasing.ts';
import { purchaseOrderView } from './purchase-order.view.ts';
import { readOrder } from './read-order.ts';

/** GET /purchase_orders/:id. */
export const getPurchaseOrder: Verb<'GetPurchaseOrder'> = async (app, request, call) => {
  const { order, lines } = await readOrder(app, call, parseId(request.id));
  return { purchase_order: purchaseOrderView(order, lines) };
};
