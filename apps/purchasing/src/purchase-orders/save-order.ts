/**
 * The one way to change an order: the order's row is locked, its lines are written, and stock, costs, webhook and audit
 * follow from the lines before and after. Receipts, corrections, invoices and status changes all end here.
 */
import { addToTotal, applyChanges, askIn, type EntityManager, flushRecord, lockRecord } from '@store/db';
import { emit } from '@store/events';
import type { PurchaseOrder as OrderView } from '@store/protos/purchasing/v1.ts';
import type { Call } from '@store/rpc';
import { demandVersion } from '@store/service';
import type { LineRow, NewLine } from '../order-lines/order-line.ts';
import type { LineChange } from '../order-lines/receipt-fact.ts';
import { hasVariance } from '../order-lines/variance.ts';
import { insertLines, linesOf, updateLines } from '../order-lines/write-lines.ts';
import type { Purchasing } from '../purchasing.ts';
import { varianceTotal } from './list-purchase-orders.ts';
import { changeEvent, factOf, receiptEvent } from './order-events.ts';
import type { OrderDetails } from './purchase-order.input.ts';
import { orderById } from './purchase-order.query.ts';
import { type OrderRecord, type OrderStatus, PurchaseOrder } from './purchase-order.ts';
import { purchaseOrderView } from './purchase-order.view.ts';

export interface Unit {
  em: EntityManager;
  app: Purchasing;
  call: Pick<Call, 'caller'>;
}

/** An order as a verb changes it; nobody else does until the commit. */
export interface LockedOrder {
  order: OrderRecord;
  lines: LineRow[];
}

/** The order as the client saw it, where it sent a version. */
export async function lockOrder(em: EntityManager, call: Pick<Call, 'caller' | 'rpc'>, id: number | undefined): Promise<LockedOrder> {
  const order = await lockRecord(em, PurchaseOrder, id);
  const { storeId } = call.caller;
  await demandVersion(call, async () => ({ purchase_order: await viewOf(em, storeId, order.id) }));
  return { order, lines: await linesOf(em, storeId, order.id) };
}

/** A verb's change of an order. */
interface OrderChange {
  status: OrderStatus;
  details?: OrderDetails;
  /** Lines of the order, as they are now; one that does not differ changes nothing. */
  changed?: LineRow[];
  /** Lines that come behind those of the order. */
  added?: NewLine[];
}

/** Writes the change and its event, and returns the order as it is shown; an unchanged order emits no event. */
export async function saveOrder(
  unit: Unit,
  locked: LockedOrder,
  { status, details = {}, changed = [], added = [] }: OrderChange,
): Promise<OrderView> {
  const { em, app, call } = unit;
  const { caller } = call;
  const { order, lines } = locked;
  const wasStatus = order.status;
  const byId = new Map(lines.map((line) => [line.id, line]));
  const differing = changed.filter((line) => JSON.stringify(line) !== JSON.stringify(byId.get(line.id)));
  const moved = applyChanges(order, details, app.db.clock.now());
  if (!moved && status === wasStatus && differing.length === 0 && added.length === 0) return viewOf(em, caller.storeId, order.id);
  await updateLines(em, caller.storeId, order.id, differing);
  const inserted = await insertLines(em, caller.storeId, { orderId: order.id, position: lines.length }, added);
  const changes: LineChange[] = [...differing, ...inserted].map((after) => ({ before: byId.get(after.id), after }));
  for (const { after } of changes) byId.set(after.id, after);
  const fact = factOf(order, changes, caller);
  await saveRow(unit, order, { status, lines: [...byId.values()], isReceipt: fact !== undefined });
  const view = await viewOf(em, caller.storeId, order.id);
  await emit(em, app.outbox, caller, [
    ...(fact ? [receiptEvent(order, fact)] : []),
    changeEvent(order, view, { wasStatus, changes, details: moved }),
  ]);
  return view;
}

/** The order with its lines as a client reads it. */
export async function viewOf(em: EntityManager, storeId: number, id: number): Promise<OrderView> {
  const found = await orderById(askIn(em), storeId, id);
  if (!found) throw new Error(`order ${id} is locked and gone`);
  return purchaseOrderView(found.order, found.lines);
}

interface NewState {
  status: OrderStatus;
  lines: LineRow[];
  isReceipt: boolean;
}

async function saveRow({ em, app, call }: Unit, order: OrderRecord, { status, lines, isReceipt }: NewState): Promise<void> {
  const now = app.db.clock.now();
  const differed = order.hasVariance;
  if (status === 'received') order.receivedAt ??= now;
  order.status = status;
  order.hasVariance = hasVariance(lines, status);
  if (isReceipt) order.receiptCount += 1;
  order.updatedAt = now;
  await flushRecord(em, PurchaseOrder);
  if (order.hasVariance !== differed) await addToTotal(em, 'purchasing', call.caller.storeId, varianceTotal, differed ? -1 : 1);
}
