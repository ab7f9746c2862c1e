import { amountField, choice, idField, parseFields, parseId, sent, thousandths } from '@store/input';
import { invalid, notFound, sentences } from '@store/problem';
import type { OrderLineChangeInput__Output } from '@store/protos/purchasing/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import type { OrderStatus } from '../purchase-orders/purchase-order.ts';
import { readOrder } from '../purchase-orders/read-order.ts';
import { lockOrder, saveOrder } from '../purchase-orders/save-order.ts';
import type { Purchasing, Verb } from '../purchasing.ts';
import { type LineRow, type MatchStatus, matchStatuses } from './order-line.ts';
import { createProducts, matchCreated, matchedTo, type OrderProduct, orderProducts } from './order-products.ts';

/** PATCH /purchase_orders/:id/lines/:line_id (staff): a correction; the difference moves stock (D157, D240, D242). */
export const updatePurchaseOrderLine: Verb<'UpdatePurchaseOrderLine'> = async (app, request, call) => {
  const correction = acceptCorrection(request.line_item);
  const at: Place = { orderId: parseId(request.id), lineId: parseId(request.line_id) };
  return change(
    app,
    call,
    async (em, asked) => {
      const locked = await lockOrder(em, call, at.orderId);
      const line = corrected(locked.lines, at, correction, asked.product, app.db.clock.now());
      const changed = matchCreated([line], asked.created);
      const status = statusWith(locked.order.status, line);
      return { purchase_order: await saveOrder({ em, app, call }, locked, { status, changed }) };
    },
    { ask: () => ask(app, call, at, correction) },
  );
};

interface Place {
  orderId: number | undefined;
  lineId: number | undefined;
}

interface Correction {
  /** The total; undefined: as it is. */
  received: string | undefined;
  /** null: without a product. */
  productId: number | null | undefined;
  matchStatus: MatchStatus | undefined;
  errors: string[];
}

function acceptCorrection(input: OrderLineChangeInput__Output | null | undefined): Correction {
  const fields = { quantity_received: amountField(), product_id: idField(), match_status: choice(matchStatuses) };
  const { values, errors } = parseFields(fields, sent('line_item', input));
  const { quantity_received: received, product_id: productId, match_status: matchStatus } = values;
  if (received === null) errors.quantity_received = ["can't be blank"];
  if (productId != null && matchStatus !== undefined && matchStatus !== 'matched')
    errors.match_status = ['must be matched with a product_id'];
  if (productId === null && matchStatus === 'matched') errors.match_status = ['must not be matched without a product_id'];
  return { received: received ?? undefined, productId, matchStatus, errors: sentences(errors) };
}

interface Asked {
  product: OrderProduct | undefined;
  created: Map<number, OrderProduct>;
}

/** Refuses what can be refused before a product is made of the line. */
async function ask(app: Purchasing, call: Call, at: Place, correction: Correction): Promise<Asked> {
  const { lines } = await readOrder(app, call, at.orderId);
  const { productId } = correction;
  const product = productId == null ? undefined : (await orderProducts(app, call, [productId])).get(productId);
  const line = corrected(lines, at, correction, product, app.db.clock.now());
  return { product, created: await createProducts(app, call, [line]) };
}

/** The line as it is corrected; throws when it cannot be. */
function corrected(lines: LineRow[], { lineId }: Place, correction: Correction, product: OrderProduct | undefined, now: Date): LineRow {
  const line = lines.find(({ id }) => id === lineId);
  if (!line) throw notFound('Line item');
  const { received, productId, matchStatus } = correction;
  const errors = [...correction.errors];
  if (productId != null && productId !== line.product_id) {
    if (!product) errors.push('Product not found');
    else if (product.hasVariations) errors.push('Product has variations; name one of them');
  }
  if (matchStatus === 'matched' && productId === undefined && line.product_id === null)
    errors.push('Match status must not be matched without a product_id');
  if (matchStatus === 'create_new' && line.product_name === null) errors.push('Match status needs a line with a product_name');
  if (errors.length > 0) throw invalid(errors);
  return withReceived(matched(line, correction, product), received, now);
}

function matched(line: LineRow, { productId, matchStatus }: Correction, product: OrderProduct | undefined): LineRow {
  if (productId != null) return productId === line.product_id ? line : matchedTo(line, product!);
  if (matchStatus === 'create_new' && line.match_status !== 'create_new') return { ...line, product_id: null, match_status: 'create_new' };
  const isUnmatched = matchStatus === 'unmatched' || (productId === null && matchStatus === undefined);
  return isUnmatched ? { ...line, product_id: null, match_status: 'unmatched' } : line;
}

/** A correction is no arrival, except of a line of which nothing had arrived. */
function withReceived(line: LineRow, received: string | undefined, now: Date): LineRow {
  if (received === undefined) return line;
  const isFirst = thousandths(line.quantity_received) === 0n && thousandths(received) > 0n;
  return { ...line, quantity_received: received, received_at: isFirst ? now : line.received_at };
}

/** Something has arrived, but a correction never makes an order received (D240). */
function statusWith(status: OrderStatus, line: LineRow): OrderStatus {
  const isEarlier = status === 'pending' || status === 'confirmed' || status === 'shipped';
  return isEarlier && thousandths(line.quantity_received) > 0n ? 'partially_received' : status;
}
