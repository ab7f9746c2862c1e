import { type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { invalid, missing } from '@store/problem';
import type { InvoicePurchaseOrderRequest__Output } from '@store/protos/purchasing/v1.ts';
import type { Caller } from '@store/rpc';
import { change } from '@store/service';
import { acceptInvoiced, type InvoicedValues, lineError } from '../order-lines/line.input.ts';
import type { LineRow } from '../order-lines/order-line.ts';
import type { Verb } from '../purchasing.ts';
import { tables } from '../tables.ts';
import { lockOrder, saveOrder } from './save-order.ts';

/** POST /purchase_orders/:id/invoice (staff): one document; on its lines it replaces an earlier one (D245). */
export const invoicePurchaseOrder: Verb<'InvoicePurchaseOrder'> = async (app, request, call) => {
  const { caller } = call;
  demandLines(request);
  const accepted = acceptInvoiced(request);
  return change(app, call, async (em) => {
    const locked = await lockOrder(em, call, parseId(request.id));
    const { order, lines } = locked;
    if (order.status === 'cancelled') throw invalid(['Purchase order is cancelled']);
    const byId = new Map(lines.map((line) => [line.id, line]));
    const errors = [...accepted.errors, ...invoiceErrors(accepted.lines, byId)];
    if (errors.length > 0) throw invalid(errors);
    const documentId = await insertInvoice(em, caller, order.id, app.db.clock.now());
    const changed = accepted.lines.map(({ id, quantity_invoiced, unit_cost_invoiced }) => ({
      ...byId.get(id!)!,
      quantity_invoiced: quantity_invoiced!,
      unit_cost_invoiced: unit_cost_invoiced ?? null,
      supplier_document_id: documentId,
    }));
    return { purchase_order: await saveOrder({ em, app, call }, locked, { status: order.status, changed }) };
  });
};

function demandLines({ line_items, malformed }: InvoicePurchaseOrderRequest__Output): void {
  if (!line_items?.length && !malformed?.includes('line_items')) throw missing('line_items');
}

function invoiceErrors(lines: InvoicedValues[], byId: Map<number, LineRow>): string[] {
  return lines.flatMap(({ id }, index) => {
    if (id == null) return [];
    if (!byId.has(id)) return [lineError(index, 'is not a line of the order')];
    const isRepeated = lines.findIndex((other) => other.id === id) < index;
    return isRepeated ? [lineError(index, 'is billed more than once')] : [];
  });
}

async function insertInvoice(em: EntityManager, { storeId, actor }: Caller, orderId: number, now: Date): Promise<number> {
  const values = {
    store_id: storeId,
    order_id: orderId,
    document_type: 'invoice' as const,
    user_id: actor.userId || null,
    user_name: actor.userName || null,
    created_at: now,
  };
  const [saved] = await sql(em, tables.insertInto('supplier_documents').values(values).returning('id'));
  return saved!.id;
}
