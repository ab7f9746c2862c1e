import { booleanField, parseFields, parseId, quantityMax, quantityText, thousandths } from '@store/input';
import { invalid, missing, sentences } from '@store/problem';
import type { ReceivePurchaseOrderRequest__Output } from '@store/protos/purchasing/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import { acceptReceived, lineError, linesMax, newLine, productErrors, type ReceivedValues } from '../order-lines/line.input.ts';
import type { LineRow, NewLine } from '../order-lines/order-line.ts';
import { createProducts, matchCreated, type OrderProduct, orderProducts } from '../order-lines/order-products.ts';
import type { Purchasing, Verb } from '../purchasing.ts';
import { isFinal, type OrderStatus } from './purchase-order.ts';
import { readOrder } from './read-order.ts';
import { lockOrder, saveOrder } from './save-order.ts';

/** POST /purchase_orders/:id/receive (staff): what arrives now, all or nothing (D157, D241). */
export const receivePurchaseOrder: Verb<'ReceivePurchaseOrder'> = async (app, request, call) => {
  const arrival = acceptArrival(request);
  const id = parseId(request.id);
  return change(
    app,
    call,
    async (em, asked) => {
      const locked = await lockOrder(em, call, id);
      const { changed, ...rest } = received(locked.order.status, locked.lines, arrival, asked.products, app.db.clock.now());
      const purchase_order = await saveOrder({ em, app, call }, locked, { ...rest, changed: matchCreated(changed, asked.created) });
      return { purchase_order };
    },
    { ask: () => ask(app, call, id, arrival) },
  );
};

interface Arrival {
  lines: ReceivedValues[];
  complete: boolean;
  errors: string[];
}

function acceptArrival(request: ReceivePurchaseOrderRequest__Output): Arrival {
  const { values, errors } = parseFields({ complete: booleanField() }, request);
  const complete = values.complete ?? false;
  const isSent = (request.line_items?.length ?? 0) > 0 || request.malformed?.includes('line_items');
  if (!isSent && !complete && !errors.complete) throw missing('line_items');
  const { lines, errors: lineErrors } = acceptReceived(request, complete);
  return { lines, complete, errors: [...sentences(errors), ...lineErrors] };
}

interface Asked {
  /** Of new lines, by the product's id. */
  products: Map<number, OrderProduct>;
  /** Of lines that became products, by the line's id. */
  created: Map<number, OrderProduct>;
}

/** Refuses what can be refused before products are made of lines; the lock may still find that the order has changed. */
async function ask(app: Purchasing, call: Call, id: number | undefined, arrival: Arrival): Promise<Asked> {
  const { order, lines } = await readOrder(app, call, id);
  const ids = arrival.lines.flatMap((line) => (line.id == null ? (line.product_id ?? []) : []));
  const products = await orderProducts(app, call, ids);
  const { changed } = received(order.status, lines, arrival, products, app.db.clock.now());
  return { products, created: await createProducts(app, call, changed) };
}

interface Received {
  status: OrderStatus;
  changed: LineRow[];
  added: NewLine[];
}

/** The order once this has arrived; throws when it cannot arrive. */
function received(status: OrderStatus, lines: LineRow[], arrival: Arrival, products: Asked['products'], now: Date): Received {
  if (isFinal(status)) throw invalid([`Purchase order is already ${status}`]);
  const fresh = arrival.lines.filter((line) => line.id == null);
  const errors = [...arrival.errors, ...productErrors(arrival.lines, products)];
  const byId = new Map(lines.map((line) => [line.id, line]));
  for (const [index, { id, quantity_received }] of arrival.lines.entries()) {
    if (id == null) continue;
    const line = byId.get(id);
    if (!line) errors.push(lineError(index, 'is not a line of the order'));
    else byId.set(id, arrived(line, quantity_received ?? '0', now));
  }
  const changed = [...byId.values()].filter((line) => !lines.includes(line));
  if (changed.some((line) => thousandths(line.quantity_received) >= quantityMax)) errors.push('Quantity received is too large');
  if (lines.length + fresh.length > linesMax) errors.push(`Line items is too long (maximum is ${linesMax})`);
  if (errors.length > 0) throw invalid(errors);
  const added = fresh.map((line) =>
    newLine(line, products, {
      quantity_ordered: '0.000',
      quantity_received: line.quantity_received!,
      unit_price: line.unit_price ?? null,
      received_at: thousandths(line.quantity_received!) > 0n ? now : null,
    }),
  );
  return { status: arrival.complete || isFull([...byId.values()]) ? 'received' : 'partially_received', changed, added };
}

/** Repeated lines add up. */
function arrived(line: LineRow, quantity: string, now: Date): LineRow {
  const more = thousandths(quantity);
  if (more === 0n) return line;
  return { ...line, quantity_received: quantityText(thousandths(line.quantity_received) + more), received_at: now };
}

/** Every ordered line has at least what was ordered, unmatched ones too (D241). */
function isFull(lines: LineRow[]): boolean {
  return lines.every((line) => thousandths(line.quantity_received) >= thousandths(line.quantity_ordered));
}
