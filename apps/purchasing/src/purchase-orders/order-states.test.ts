import { expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, storeId } from '../../test/purchasing-under-test.ts';
import { type OrderStatus, orderStatuses } from './purchase-order.ts';

sharePurchasing();

/** Where PATCH leads from each state, beside the state itself (D113, D240). */
const targets: Record<OrderStatus, OrderStatus[]> = {
  pending: ['confirmed', 'shipped', 'received', 'cancelled'],
  confirmed: ['shipped', 'received', 'cancelled'],
  shipped: ['received', 'cancelled'],
  partially_received: ['received', 'cancelled'],
  received: [],
  cancelled: [],
};

async function orderIn(status: OrderStatus): Promise<{ id: number; line: number }> {
  const { id, line_items } = await purchasing.order([{ product_id: 1, quantity_ordered: 4, unit_price: 1 }]);
  const line = line_items[0].id;
  if (status === 'partially_received') await purchasing.receive(id, { line_items: [{ id: line, quantity_received: 1 }] });
  else if (status !== 'pending') await purchasing.move(id, status);
  return { id, line };
}

const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const));

test.each(pairs)('an order that is %s and asked to be %s', async (from, to) => {
  const { id } = await orderIn(from);
  const before = await purchasing.get(id);
  purchasing.clock.advance(1_000);
  if (from === to) {
    const events = await purchasing.eventsOf(storeId, async () => expect(await purchasing.move(id, to)).toEqual(before));
    expect(events).toEqual([]);
  } else if (targets[from].includes(to)) {
    const moved = await purchasing.move(id, to);
    const now = purchasing.clock.now().toISOString();
    expect(moved).toMatchObject({ status: to, updated_at: now, received_at: to === 'received' ? now : null });
  } else {
    const answer = await purchasing.refusal(purchasing.move(id, to));
    expect(answer).toMatchObject({ status: 422, errors: [`Status cannot change from ${from} to ${to}`] });
    expect(await purchasing.get(id)).toEqual(before);
  }
});

test('D240: the move into received moves no stock; what did not arrive is short', async () => {
  const { id, line } = await orderIn('partially_received');
  const events = await purchasing.eventsOf(storeId, () => purchasing.move(id, 'received'));
  expect(events.map(({ name, internal }) => [name, internal.receipt])).toEqual([['purchase_order.received', undefined]]);
  const short = { id: line, quantity_received: 1, variance_status: 'short' };
  expect(await purchasing.get(id)).toMatchObject({ has_variance: true, line_items: [short] });
  const { id: untouched } = await orderIn('shipped');
  expect(await purchasing.move(untouched, 'received')).toMatchObject({ has_variance: true, line_items: [{ variance_status: 'short' }] });
});

test('D240: cancelling keeps what has arrived and its variances', async () => {
  const { id } = await orderIn('partially_received');
  const events = await purchasing.eventsOf(storeId, () => purchasing.move(id, 'cancelled'));
  expect(events.map(({ name, body, internal }) => [name, body, internal.receipt])).toEqual([['purchase_order.updated', null, undefined]]);
  const cancelled = { status: 'cancelled', has_variance: true, line_items: [{ quantity_received: 1, variance_status: 'short' }] };
  expect(await purchasing.get(id)).toMatchObject(cancelled);
});
