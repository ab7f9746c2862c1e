import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../purchasing.ts';
import { orderById } from './purchase-order.query.ts';
import { purchaseOrderView } from './purchase-order.view.ts';

/** GET /purchase_orders/:id. */
export const getPurchaseOrder: Verb<'GetPurchaseOrder'> = async (app, request, { caller }) => {
  const id = parseId(request.id);
  const found = id && (await orderById((text, values) => app.db.read(text, values), caller.storeId, id));
  if (!found) throw notFound('Purchase order');
  return { purchase_order: purchaseOrderView(found.order, found.lines) };
};
