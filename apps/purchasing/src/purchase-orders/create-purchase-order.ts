import { addToTotal, type EntityManager, insertRecord, takenErrors } from '@store/db';
import { emit } from '@store/events';
import { invalid, sentences } from '@store/problem';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import { newLine, productErrors } from '../order-lines/line.input.ts';
import { type OrderProduct, orderProducts } from '../order-lines/order-products.ts';
import { insertLines } from '../order-lines/write-lines.ts';
import type { Purchasing, Verb } from '../purchasing.ts';
import { tables } from '../tables.ts';
import { ordersTotal } from './list-purchase-orders.ts';
import { unknownSupplier } from './order-errors.ts';
import { creationEvent } from './order-events.ts';
import { type AcceptedOrder, acceptOrder } from './purchase-order.input.ts';
import { type OrderRecord, PurchaseOrder } from './purchase-order.ts';
import { type Unit, viewOf } from './save-order.ts';

/** POST /purchase_orders (staff): pending; its lines keep their products as they are now (D244). */
export const createPurchaseOrder: Verb<'CreatePurchaseOrder'> = async (app, request, call) => {
  const { storeId, timeZone } = call.caller;
  const accepted = acceptOrder(request.purchase_order, timeZone);
  return change(
    app,
    call,
    async (em, asked) => {
      await refuse(em, storeId, accepted, asked.errors);
      const order = await insertOrder({ em, app, call }, accepted, asked.orderNumber);
      const lines = accepted.lines.map((line) =>
        newLine(line, asked.products, {
          quantity_ordered: line.quantity_ordered!,
          quantity_received: '0.000',
          unit_price: line.unit_price!,
          received_at: null,
          createNew: line.match_status === 'create_new',
        }),
      );
      await insertLines(em, storeId, { orderId: order.id, position: 0 }, lines);
      await addToTotal(em, 'purchasing', storeId, ordersTotal, 1);
      const view = await viewOf(em, storeId, order.id);
      await emit(em, app.outbox, call.caller, [creationEvent(order, view)]);
      return { purchase_order: view };
    },
    { ask: () => ask(app, call, accepted) },
  );
};

interface Asked {
  products: Map<number, OrderProduct>;
  errors: string[];
  orderNumber: string;
}

async function ask(app: Purchasing, call: Call, { lines, orderNumber }: AcceptedOrder): Promise<Asked> {
  const ids = lines.flatMap(({ product_id }) => product_id ?? []);
  const products = await orderProducts(app, call, ids);
  return { products, errors: productErrors(lines, products), orderNumber: orderNumber ?? (await freeNumber(app, call.caller.storeId)) };
}

/** The next number that nobody gave to an order by hand. */
async function freeNumber(app: Purchasing, storeId: number): Promise<string> {
  for (;;) {
    const number = await app.orderNumbers.next(storeId);
    const orders = tables.selectFrom('purchase_orders').select('id').where('store_id', '=', storeId).where('order_number', '=', number);
    if ((await app.db.read(orders)).length === 0) return number;
  }
}

/** Everything that is wrong, in one answer. */
async function refuse(em: EntityManager, storeId: number, accepted: AcceptedOrder, productErrors: string[]): Promise<void> {
  const { details, orderNumber } = accepted;
  const found = {
    ...(await unknownSupplier(em, storeId, details.supplier_id)),
    ...(await takenErrors(em, PurchaseOrder, { order_number: orderNumber, external_id: details.external_id })),
  };
  const errors = [...accepted.errors, ...productErrors, ...sentences(found)];
  if (errors.length > 0) throw invalid(errors);
}

async function insertOrder({ em, app }: Unit, accepted: AcceptedOrder, orderNumber: string): Promise<OrderRecord> {
  const now = app.db.clock.now();
  const values = {
    ...accepted.amounts,
    ...accepted.details,
    order_number: orderNumber,
    status: 'pending',
    ordered_at: accepted.orderedAt ?? now,
    received_at: null,
    has_variance: false,
    receipt_count: 0,
  };
  return insertRecord(em, PurchaseOrder, values, now);
}
