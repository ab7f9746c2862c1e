import { changedFields, takenErrors } from '@store/db';
import { parseId, refuseErrors, thousandths } from '@store/input';
import { invalid } from '@store/problem';
import { change } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { unknownSupplier } from './order-errors.ts';
import { acceptChange, type OrderDetails } from './purchase-order.input.ts';
import { isFinal, mayMove, type OrderStatus, PurchaseOrder, statusesByHand } from './purchase-order.ts';
import { type LockedOrder, lockOrder, saveOrder } from './save-order.ts';

/** PATCH /purchase_orders/:id (staff): forward only; what is the same again changes nothing (D240). */
export const updatePurchaseOrder: Verb<'UpdatePurchaseOrder'> = async (app, request, call) => {
  const { status, details, errors } = acceptChange(request.purchase_order);
  const { storeId } = call.caller;
  return change(app, call, async (em) => {
    const locked = await lockOrder(em, call, parseId(request.id));
    const { order } = locked;
    const changed = changesOf(locked, details);
    refuseErrors({
      ...(await unknownSupplier(em, storeId, changed.supplier_id)),
      ...(await takenErrors(em, PurchaseOrder, changed, order.id)),
      ...lateErrors(locked, changed),
      ...errors,
    });
    if (status !== undefined) demandMove(order.status, status);
    return { purchase_order: await saveOrder({ em, app, call }, locked, { status: status ?? order.status, details: changed }) };
  });
};

/** The details that differ from those of the order. */
function changesOf({ order }: LockedOrder, details: OrderDetails): OrderDetails {
  const { supplierId, expectedOn, notes, supplierInvoiceNumber, supplierInvoiceDate, externalId } = order;
  const stored = {
    supplier_id: supplierId,
    expected_on: expectedOn,
    notes,
    supplier_invoice_number: supplierInvoiceNumber,
    supplier_invoice_date: supplierInvoiceDate,
    external_id: externalId,
  };
  return changedFields<OrderDetails>(stored, details)?.after ?? {};
}

/** An external id is another system's, so it may come at any time; an invoice often comes after the goods. */
function lateErrors({ order, lines }: LockedOrder, changed: OrderDetails): Record<string, string[]> {
  const isOpen = !isFinal(order.status) && lines.every((line) => thousandths(line.quantity_received) === 0n);
  if (isOpen) return {};
  const text = isFinal(order.status)
    ? `can't be changed on an order that is ${order.status}`
    : "can't be changed once something was received";
  const late = ['external_id', ...(order.status === 'cancelled' ? [] : ['supplier_invoice_number', 'supplier_invoice_date'])];
  const names = Object.keys(changed).filter((name) => !late.includes(name));
  return Object.fromEntries(names.map((name) => [name, [text]]));
}

function demandMove(from: OrderStatus, to: OrderStatus): void {
  if (from === to || (statusesByHand.includes(to) && mayMove(from, to))) return;
  throw invalid([`Status cannot change from ${from} to ${to}`]);
}
