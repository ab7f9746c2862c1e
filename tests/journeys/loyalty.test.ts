/** Specification: Loyalty, for keys and for staff: tiers, rewards, points that sales earn, and what the plan has to include. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const get = (path: string, as = key) => world.call('GET', path, { key: as });
const staff = (method: string, path: string, body?: unknown, token = world.store.token) => world.call(method, path, { token, body });
const { create } = world;
const newCustomer = async (name: string): Promise<number> => (await create('/customers', { customer: { name } })).id;

describe('for a key, in the envelope', () => {
  test("tiers by level, rewards by points_required, a customer's own, as staff keep them", async () => {
    const gold = await create('/loyalty_tiers', { loyalty_tier: { name: 'Gold', level: 3, minimum_lifetime_spend: 500 } });
    const base = await create('/loyalty_tiers', { loyalty_tier: { name: 'Base', level: 1, benefits_list: ['Coffee'] } });
    const tiers = await get('/loyalty_tiers');
    expect([Object.keys(tiers.body), tiers.body.data]).toEqual([
      ['data', 'meta'],
      [base, gold],
    ]);

    const product = await create('/products', { product: { name: 'Lantern' } });
    const lantern = { name: 'Free lantern', reward_type: 'free_product', points_required: 50, product_id: product.id };
    const free = await create('/loyalty_rewards', { loyalty_reward: lantern });
    const off = await create('/loyalty_rewards', {
      loyalty_reward: { name: 'Five off', reward_type: 'discount', points_required: 20, discount_amount: '5' },
    });
    expect((await get('/loyalty_rewards')).body.data).toEqual([off, free]);
    const id = await newCustomer('Maya Lee');
    await staff('POST', `/customers/${id}/loyalty/earn`, { points: 20 });
    expect((await get(`/loyalty_rewards?customer_id=${id}`)).body.data).toEqual([off]);
    const available = await get(`/loyalty_rewards/available?customer_id=${id}`);
    const shown = { customer_id: id, customer_name: 'Maya Lee', loyalty_points: 20, loyalty_tier: 'Base', available_rewards: [off] };
    expect(available.body.data).toEqual(shown);
    const head = await world.call('HEAD', `/loyalty_rewards/available?customer_id=${id}`, { key });
    expect([head.status, head.text]).toEqual([200, '']);
    const loyalty = (await get(`/customers/${id}/loyalty`)).body;
    expect(loyalty.data).toMatchObject({ loyalty_points: 20, next_tier: { name: 'Gold', spend_remaining: '500.00' } });

    await staff('PATCH', `/products/${product.id}`, { product: { name: 'White lantern' } });
    await world.settled();
    expect((await get('/loyalty_rewards')).body.data[1].product_name).toBe('White lantern');
  });
});

test('a completed sale counts for its customer, by the tier; its void undoes all', async () => {
  const store = await world.newStore();
  const token = store.token;
  const as = await world.newKey(store);
  await staff('POST', '/loyalty_tiers', { loyalty_tier: { name: 'Base', level: 1, points_multiplier: 2 } }, token);
  await staff('POST', '/loyalty_tiers', { loyalty_tier: { name: 'Gold', level: 2, minimum_lifetime_spend: 30 } }, token);
  const { product } = (await staff('POST', '/products', { product: { name: 'Lamp', price: '10.25' } }, token)).body;
  const { customer } = (await staff('POST', '/customers', { customer: { name: 'Ria' } }, token)).body;
  await world.settled();
  const line_items = [{ product_id: product.id, quantity: 3 }];
  const { sale } = (await staff('POST', '/sales', { sale: { customer_id: customer.id, status: 'pending', line_items } }, token)).body;
  const shown = async () => {
    await world.settled();
    const { data } = (await get(`/customers/${customer.id}/loyalty`, as)).body;
    const { lifetime_spend } = (await get(`/customers/${customer.id}`, as)).body.data;
    return [data.loyalty_points, data.loyalty_tier, data.visit_count, lifetime_spend];
  };
  const move = (status: string) => staff('PATCH', `/sales/${sale.id}`, { sale: { status } }, token);
  expect(await shown()).toEqual([0, 'Base', 0, '0.00']);
  expect((await move('completed')).status).toBe(200);
  expect(await shown()).toEqual([61, 'Gold', 1, '30.75']);
  expect((await move('voided')).status).toBe(200);
  expect(await shown()).toEqual([0, 'Base', 0, '0.00']);
});
