/** Events of a change of an order: for stock and costs, the webhook, the audit entry. */
import { messageType, renderView } from '@store/contract';
import type { Difference } from '@store/db';
import type { AuditRecord, NewEvent, ReceiptFact } from '@store/events';
import { invalid } from '@store/problem';
import type { PurchaseOrder as OrderView } from '@store/protos/purchasing/v1.ts';
import type { Caller } from '@store/rpc';
import { userOf } from '@store/service';
import { costedLines, type LineChange, movementsOf } from '../order-lines/receipt-fact.ts';
import { lineColumns } from '../order-lines/write-lines.ts';
import type { OrderRecord, OrderStatus } from './purchase-order.ts';

/** The receipt or correction, still without its number; undefined: nothing moved and no cost changed. */
export function factOf(order: OrderRecord, changes: LineChange[], caller: Caller): Omit<ReceiptFact, 'number'> | undefined {
  const moved = movementsOf(changes);
  const lines = costedLines(changes, order);
  if (moved.length === 0 && lines.length === 0) return undefined;
  return { order_id: order.id, order_number: order.orderNumber, user: userOf(caller), moved, lines };
}

/** For services only: inventory moves stock by it, the catalogue keeps costs by it. */
export function receiptEvent(order: OrderRecord, fact: Omit<ReceiptFact, 'number'>): NewEvent {
  return { ...about(order), name: 'purchase_order.receipt', internal: { receipt: { ...fact, number: order.receiptCount } } };
}

/** What a verb changed of an order. */
interface ChangedOrder {
  wasStatus: OrderStatus;
  changes: LineChange[];
  details: Difference | undefined;
}

/** purchase_order.received on the move into received, with the whole order; any other change has an audit entry and no public event. */
export function changeEvent(order: OrderRecord, view: OrderView, change: ChangedOrder): NewEvent {
  const { wasStatus, changes } = change;
  const audit = auditOf(order, 'update', ...differenceOf(order, change));
  if (changes.some(grows)) demandRoom(view);
  if (order.status !== 'received' || wasStatus === 'received') return { ...about(order), name: 'purchase_order.updated', audit };
  return {
    ...about(order),
    name: 'purchase_order.received',
    public: { resourceType: 'PurchaseOrder', resourceId: order.id, data: dataOf(view) },
    audit,
  };
}

export function creationEvent(order: OrderRecord, view: OrderView): NewEvent {
  demandRoom(view);
  return { ...about(order), name: 'purchase_order.created', audit: auditOf(order, 'create', null, view) };
}

const about = (order: OrderRecord) => ({ aggregate: `purchase_order:${order.id}` });

const orderType = messageType('store.purchasing.v1.PurchaseOrder');
/** An event takes 1 MB (D201); a quarter of it is for the audit entry, in which each of 1,000 lines may have arrived. */
const orderBytesMax = 750_000;
const quantityLongest = 99_999_999_999.999;
const costLongest = 999_999_999_999.9999;
/** A product of both: no number takes more characters. */
const valueLongest = -Number.MAX_VALUE;
const longest = {
  quantity_received: quantityLongest,
  quantity_invoiced: quantityLongest,
  unit_cost_invoiced: costLongest,
  variance_status: 'unexpected',
  invoice_variance: -quantityLongest,
  receiving_variance: -quantityLongest,
  fulfillment_variance: -quantityLongest,
  variance_value: valueLongest,
  match_status: 'create_new',
  supplier_document_id: Number.MAX_SAFE_INTEGER,
};
const timeLongest = '2000-01-01T00:00:00.000Z';

/**
 * An order whose event would be too large once everything has arrived and was billed is refused before anything does: it
 * is measured as it would be then, so that no later receipt is refused for its size (docs/decisions/0070).
 */
function demandRoom(view: OrderView): void {
  const line_items = (view.line_items ?? []).map((line) => ({ ...line, ...longest }));
  const last = { ...view, status: 'partially_received', received_at: timeLongest, line_items };
  if (Buffer.byteLength(dataOf(last)) > orderBytesMax)
    throw invalid([`the order is too large: at most ${orderBytesMax} bytes are allowed`]);
}

/** What `demandRoom` measures depends on these alone: receipts and invoices of the order's own lines are measured already. */
const grows = ({ before, after }: LineChange) => before?.product_name !== after.product_name || before.sku !== after.sku;

/** The order as a webhook carries it. */
const dataOf = (view: OrderView): string => renderView(orderType, view, () => false);

function auditOf(order: OrderRecord, verb: string, before: object | null, after: object | null): Omit<AuditRecord, 'ip'> {
  return { action: `purchase_order.${verb}`, resource_type: 'PurchaseOrder', resource_id: order.id, before, after };
}

/** The fields that differ, of lines too; a new line has nothing before. */
function differenceOf(order: OrderRecord, { wasStatus, changes, details }: ChangedOrder): [before: object, after: object] {
  const lines = changes.map(({ before, after }) => {
    const names = lineColumns.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
    const pick = (line: LineChange['after']) => ({ id: line.id, ...Object.fromEntries(names.map((name) => [name, line[name]])) });
    return { before: before && pick(before), after: pick(after) };
  });
  const was = lines.flatMap(({ before }) => (before ? [before] : []));
  const is = lines.map(({ after }) => after);
  const moved = order.status !== wasStatus;
  return [
    { ...details?.before, ...(moved && { status: wasStatus }), ...(was.length > 0 && { line_items: was }) },
    { ...details?.after, ...(moved && { status: order.status }), ...(is.length > 0 && { line_items: is }) },
  ];
}
