/** A customer that was merged: what sales has of it goes over, whatever the order of the events, and a parked sale still completes. */
import { expect, test } from '@jest/globals';
import { customerMessage, sales, shareSales, store } from '../../test/sales-under-test.ts';

shareSales();
const sale = (customer_id: number, more: object = {}) =>
  sales.create({ customer_id, line_items: [{ product_id: sales.product(), quantity: 1 }], ...more });
const merged = (id: number, merged_into: number, version = 2) =>
  customerMessage(store, { id, name: `Customer ${id}`, archived: true, merged_into }, version);
const customerOf = async (id: number) => (await sales.get(id)).customer.id;

test.each([
  ['the later merge last', false],
  ['the later merge first', true],
])('sales and cards go over through two merges, %s', async (_name, isReversed) => {
  for (const id of [1, 2, 3]) await sales.customer(id);
  const [done, parked] = [await sale(1), await sale(1, { status: 'pending' })];
  const card = await sales.giftCard({ amount: 10, customer_id: 1 });
  const events = [merged(1, 2), merged(2, 3)];
  for (const event of isReversed ? events.reverse() : events) await sales.publish(event);
  // Sent again late, it changes nothing.
  await sales.publish(merged(1, 2));
  expect([await customerOf(done.id), await customerOf(parked.id)]).toEqual([3, 3]);
  expect((await sales.card(card.id)).customer_id).toBe(3);
});

test('a parked sale completes before and after its customer merged; a new one does not', async () => {
  await sales.customer(1, 10);
  await sales.customer(2, 10);
  const [first, second] = [await sale(1, { status: 'pending' }), await sale(1, { status: 'pending' })];
  const complete = (id: number) => sales.update(id, { status: 'completed', payment_method: 'store_credit' });
  await sales.publish(customerMessage(store, { id: 1, archived: true }, 2));
  expect(await complete(first.id)).toMatchObject({ status: 'completed' });
  await sales.publish(merged(1, 2, 3));
  expect(await complete(second.id)).toMatchObject({ status: 'completed', customer: { id: 2 } });
  expect(await customerOf(first.id)).toBe(2);
  expect(await sales.refused(sale(1))).toEqual(['Customer id is archived']);
});
