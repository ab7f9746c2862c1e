import { type Ask, runningTotal } from '@store/db';
import { paginationView, parseId, parsePage, parseTimestamp, soughtExternalId } from '@store/input';
import { Problem } from '@store/problem';
import type { ListPurchaseOrdersRequest__Output } from '@store/protos/purchasing/v1.ts';
import type { Verb } from '../purchasing.ts';
import { ordersOf } from './purchase-order.query.ts';
import { orderStatuses } from './purchase-order.ts';
import { purchaseOrderView } from './purchase-order.view.ts';

const perPageDefault = 50;
/** Lists whose totals are kept (D192). */
export const ordersTotal = 'purchase_orders';
export const varianceTotal = 'purchase_orders_with_variance';

/** GET /purchase_orders: newest first, two statements. */
export const listPurchaseOrders: Verb<'ListPurchaseOrders'> = async (app, request, { caller }) => {
  const page = parsePage(request, perPageDefault);
  const filter = filterOf(request, caller.timeZone);
  if (!filter) return { purchase_orders: [], pagination: paginationView(page, 0) };
  const ask: Ask = app.db.read;
  const values = [caller.storeId, ...filter.values];
  const chosen = `from purchasing.purchase_orders where ${['store_id = $1', ...filter.conditions].join(' and ')}`;
  const next = values.length + 1;
  const mark = page.walk?.mark;
  const after = mark ? `and (created_at, id) < ($${next + 2}, $${next + 3})` : '';
  const orders = ordersOf(ask, `select * ${chosen} ${after} order by created_at desc, id desc limit $${next} offset $${next + 1}`, [
    ...values,
    page.limit,
    page.offset,
    ...(mark ? [mark.createdAt, mark.id] : []),
  ]);
  const [found, [counted]] = await Promise.all([
    orders,
    ask<{ total: number }>(filter.kept ? runningTotal('purchasing', filter.kept) : `select count(*) as total ${chosen}`, values),
  ]);
  return {
    purchase_orders: found.map(({ order, lines }) => purchaseOrderView(order, lines)),
    pagination: paginationView(page, counted?.total ?? 0),
  };
};

interface Filter {
  /** Beside the store, which is $1; the values start at $2. */
  conditions: string[];
  values: unknown[];
  /** The kept total that counts what the filter finds. */
  kept: string | undefined;
}

/** undefined: nothing can pass, such as a supplier_id that is no id (D25). */
function filterOf(request: ListPurchaseOrdersRequest__Output, timeZone: string): Filter | undefined {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown) => conditions.push(`${condition} $${values.push(value) + 1}`);
  // An unrecognised status is ignored.
  const status = orderStatuses.find((known) => known === request.status);
  if (status) add('status =', status);
  const externalId = soughtExternalId(request.external_id);
  if (externalId !== undefined) add('external_id =', externalId);
  const since = updatedSince(request.updated_since, timeZone);
  if (since) add('updated_at >', since);
  if (request.supplier_id?.trim()) {
    const supplierId = parseId(request.supplier_id.trim());
    if (supplierId === undefined) return undefined;
    add('supplier_id =', supplierId);
  }
  const withVariance = ['true', '1'].includes(request.with_variance ?? '');
  const kept = conditions.length > 0 ? undefined : withVariance ? varianceTotal : ordersTotal;
  if (withVariance) conditions.push('has_variance');
  return { conditions, values, kept };
}

/** D37: here an unreadable one is a 422. */
function updatedSince(text: string | undefined, timeZone: string): Date | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const since = parseTimestamp(text, timeZone);
  if (!since) throw new Problem('invalid', 'updated_since must be a valid timestamp');
  return since;
}
