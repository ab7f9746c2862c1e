/** What a sale means to its customer's points, tier and spend, between sales and customers (specification, Loyalty). */
import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();

test('a completed sale counts for its customer, by the tier; its void undoes all', async () => {
  const store = await world.newStore();
  const key = await world.newKey(store);
  await world.create('/loyalty_tiers', { loyalty_tier: { name: 'Base', level: 1, points_multiplier: 2 } }, store);
  await world.create('/loyalty_tiers', { loyalty_tier: { name: 'Gold', level: 2, minimum_lifetime_spend: 30 } }, store);
  const product = await world.create('/products', { product: { name: 'Lamp', price: '10.25' } }, store);
  const customer = await world.create('/customers', { customer: { name: 'Ria' } }, store);
  await world.settled();
  const line_items = [{ product_id: product.id, quantity: 3 }];
  const sale = await world.create('/sales', { sale: { customer_id: customer.id, status: 'pending', line_items } }, store);
  const read = async (path: string) => (await world.call('GET', path, { key })).body.data;
  const shown = async () => {
    await world.settled();
    const { loyalty_points, loyalty_tier, visit_count } = await read(`/customers/${customer.id}/loyalty`);
    return [loyalty_points, loyalty_tier, visit_count, (await read(`/customers/${customer.id}`)).lifetime_spend];
  };
  const move = (status: string) => world.staff('PATCH', `/sales/${sale.id}`, { sale: { status } }, store);
  expect(await shown()).toEqual([0, 'Base', 0, '0.00']);
  await move('completed');
  expect(await shown()).toEqual([61, 'Gold', 1, '30.75']);
  await move('voided');
  expect(await shown()).toEqual([0, 'Base', 0, '0.00']);
});
