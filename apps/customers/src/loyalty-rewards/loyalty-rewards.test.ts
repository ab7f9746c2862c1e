/** Rewards as staff keep them, and which of them can be redeemed, by whom. */
import { describe, expect, test } from '@jest/globals';
import { type Json, testMessage } from '@store/testbed';
import { customers, key, keyOf, newCustomer, shareCustomers, staff, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

const five = { name: 'Five off', reward_type: 'discount', points_required: 100, discount_amount: 5 };
const refused = (reward: object) => customers.refusal(customers.reward(reward));
const change = (id: number | string, reward: object, caller = staff): Promise<Json> =>
  customers.body('UpdateLoyaltyReward', { loyalty_reward: reward }, caller, { id });
const names = async (query = '', caller = key): Promise<string[]> =>
  (await customers.query('ListLoyaltyRewards', query, caller)).loyalty_rewards.map(({ name }: Json) => name);
const holder = async (points: number): Promise<number> => {
  const id = await newCustomer();
  await customers.run('update customers.customers set loyalty_points = $2 where id = $1', [id, points]);
  return id;
};
/** With the audit part that a change of the product's own fields has. */
function productMessage(verb: string, product: { id: number; name?: string }, version = 1, store = storeId) {
  const audit = { action: 'product.update', resource_type: 'Product', resource_id: product.id, before: {}, after: {}, ip: '127.0.0.1' };
  const about = { name: `product.${verb}`, aggregate: `product:${product.id}`, internal: { audit } };
  return testMessage('catalog', { storeId: store, ...about, public: Buffer.from(JSON.stringify({ data: product })), version });
}

describe('what staff write', () => {
  test('Loyalty reward: every field, in the order of the specification', async () => {
    await customers.publish(productMessage('created', { id: 70, name: 'White metal lantern' }));
    const reward = {
      name: ' Lantern ',
      description: 'One',
      reward_type: 'free_product',
      points_required: '500',
      discount_amount: 5,
      discount_percentage: '10',
      store_credit_amount: 1.005,
      product_id: 70,
      minimum_tier_level: 2,
      redemption_limit: 1,
      valid_from: '2026-11-01',
      valid_until: '2026-11-30',
      reward_description: 'Free lantern',
      active: true,
    };
    const { text } = await customers.answer('CreateLoyaltyReward', { loyalty_reward: reward }, staff);
    const full =
      `{"id":${JSON.parse(text).loyalty_reward.id},"name":"Lantern","description":"One","reward_type":"free_product","points_required":500,` +
      '"discount_amount":"5.00","discount_percentage":"10.00","store_credit_amount":"1.01","product_id":70,"product_name":"White metal lantern",' +
      '"minimum_tier_level":2,"redemption_limit":1,"valid_from":"2026-11-01T00:00:00.000Z","valid_until":"2026-12-01T00:00:00.000Z",' +
      '"reward_description":"Free lantern","validity_status":"active","active":true}';
    expect(text).toBe(`{"loyalty_reward":${full}}`);
    expect((await customers.call('ListLoyaltyRewards', {}, key)).text).toBe(`{"loyalty_rewards":[${full}]}`);
  });

  test('D230: with nothing optional, blanks are null', async () => {
    const { text } = await customers.answer('CreateLoyaltyReward', { loyalty_reward: five }, staff);
    expect(text).toBe(
      `{"loyalty_reward":{"id":${JSON.parse(text).loyalty_reward.id},"name":"Five off","description":null,"reward_type":"discount",` +
        '"points_required":100,"discount_amount":"5.00","discount_percentage":null,"store_credit_amount":null,"product_id":null,' +
        '"product_name":null,"minimum_tier_level":null,"redemption_limit":null,"valid_from":null,"valid_until":null,' +
        '"reward_description":null,"validity_status":"active","active":true}}',
    );
  });

  test('a change cannot take away what the type needs, nor make a type without it', async () => {
    const { id } = await customers.reward();
    expect(await customers.refusal(change(id, { discount_amount: null }))).toMatchObject({ status: 422 });
    expect(await customers.refusal(change(id, { reward_type: 'store_credit' }))).toMatchObject({ status: 422 });
    const credit = { reward_type: 'store_credit', store_credit_amount: '7.00' };
    expect((await change(id, credit)).loyalty_reward).toMatchObject({ ...credit, discount_amount: '5.00' });
  });

  test("a deleted or another store's product is 422; one whose event is due is awaited", async () => {
    const foreign = productMessage('created', { id: 71, name: 'Foreign' }, 1, storeId + 500);
    await customers.publish(foreign, productMessage('deleted', { id: 72 }));
    for (const product_id of [71, 72]) {
      expect(await refused({ product_id })).toMatchObject({ status: 422, errors: ['Product id must exist'] });
    }
    const created = productMessage('created', { id: 73, name: 'Lamp' });
    const [reward] = await Promise.all([customers.reward({ product_id: 73 }), customers.publish(created)]);
    expect(reward.product_name).toBe('Lamp');
  });

  test('product_name follows renames and outlives the product; older events are ignored', async () => {
    await customers.publish(productMessage('created', { id: 74, name: 'Lamp' }));
    await customers.reward({ product_id: 74 });
    const shown = async () => (await customers.query('ListLoyaltyRewards', '', key)).loyalty_rewards[0].product_name;
    const late = productMessage('updated', { id: 74, name: 'Light' }, 2);
    const deleted = productMessage('deleted', { id: 74 }, 4);
    for (const batch of [[productMessage('updated', { id: 74, name: 'Lantern' }, 3), late], [late], [deleted]]) {
      await customers.publish(...batch);
      expect(await shown()).toBe('Lantern');
    }
  });

  test('what is no product goes to dead_letters, and the next one is handled', async () => {
    const bad = { ...productMessage('updated', { id: 75 }), public: Buffer.from('{"data":{"id":"x","name":"y"}}') };
    await customers.publish(bad, productMessage('created', { id: 76, name: 'Lamp' }));
    expect(await customers.run('select error from customers.dead_letters where event_id = $1', [bad.id])).toEqual([
      { error: 'Error: the event has no product' },
    ]);
    expect((await customers.reward({ product_id: 76 })).product_name).toBe('Lamp');
  });

  test('a deletion is in the audit trail; deleted again it is a 404', async () => {
    const { id } = await customers.reward();
    const remove = () => customers.byId('DeleteLoyaltyReward', id, staff);
    const [event] = await customers.eventsOf(storeId, remove);
    const audit = { before: { name: 'Five off', discount_amount: '5.00' }, after: null };
    expect(event).toMatchObject({ name: 'loyalty_reward.deleted', body: null, audit });
    expect(await customers.refusal(remove())).toEqual({ status: 404, error: 'Loyalty reward not found' });
  });
});

describe('GET /loyalty_rewards', () => {
  test('spec, D230: available rewards by points_required, then id, to the millisecond', async () => {
    await customers.reward({ name: 'B', points_required: 200 });
    await customers.reward({ name: 'A', points_required: 50 });
    await customers.reward({ name: 'C', points_required: 200 });
    await customers.reward({ name: 'Off', active: false });
    const until = '2026-11-20T12:00:01.000Z';
    await customers.reward({ name: 'Early', points_required: 1, valid_from: until });
    await customers.reward({ name: 'Late', points_required: 1, valid_until: until });
    expect(await names()).toEqual(['Late', 'A', 'B', 'C']);
    customers.clock.advance(999);
    expect(await names()).toEqual(['Late', 'A', 'B', 'C']);
    customers.clock.advance(1);
    expect(await names()).toEqual(['Early', 'A', 'B', 'C']);
    const all = (await customers.query('ListLoyaltyRewards', 'all=true', staff)).loyalty_rewards;
    expect(all.map(({ name, validity_status }: Json) => [name, validity_status])).toEqual([
      ['Early', 'active'],
      ['Late', 'expired'],
      ['A', 'active'],
      ['Off', 'inactive'],
      ['B', 'active'],
      ['C', 'active'],
    ]);
    expect((await customers.reward({ valid_from: '2027-01-01' })).validity_status).toBe('upcoming');
    expect(await names('', keyOf(storeId + 500))).toEqual([]);
    expect(await names('all=true')).not.toContain('Off');
  });

  test('D44: a store has at most 500 rewards', async () => {
    await customers.run(
      `insert into customers.loyalty_rewards (store_id, name, reward_type, points_required, active, created_at, updated_at)
       select $1, 'r' || n, 'discount', n, true, now(), now() from generate_series(1, 510) n`,
      [storeId],
    );
    expect(await names()).toHaveLength(500);
    expect(await names(`customer_id=${await holder(1000)}`)).toHaveLength(500);
  });

  test('D125: customer_id leaves what it can redeem: points, tier and limit suffice', async () => {
    await customers.tier({ name: 'Base', level: 2 });
    const maya = await holder(100);
    await customers.reward({ name: 'Exactly', points_required: 100 });
    await customers.reward({ name: 'Too dear', points_required: 101 });
    await customers.reward({ name: 'For her tier', minimum_tier_level: 2, points_required: 0 });
    await customers.reward({ name: 'For a higher tier', minimum_tier_level: 3 });
    const once = await customers.reward({ name: 'Once', redemption_limit: 1, points_required: 10 });
    expect(await names(`customer_id=${maya}`)).toEqual(['For her tier', 'Once', 'Exactly']);
    await customers.body('RedeemReward', { reward_id: once.id }, staff, { id: maya });
    await customers.run('update customers.customers set loyalty_points = 100 where id = $1', [maya]);
    expect(await names(`customer_id=${maya}`)).toEqual(['For her tier', 'Exactly']);
    expect(await names(`customer_id=${await holder(100)}`)).toEqual(['For her tier', 'Once', 'Exactly']);
    expect(await names('customer_id=')).toHaveLength(5);
  });
});

test('GET /loyalty_rewards/available has the rewards, the points and the tier or null', async () => {
  const none = { loyalty_tier: null, loyalty_points: 0, available_rewards: [] };
  expect(await customers.query('ListAvailableRewards', `customer_id=${await holder(0)}`, key)).toMatchObject(none);
  await customers.tier({ name: 'Base', level: 2 });
  const maya = await holder(100);
  const reward = JSON.stringify(await customers.reward());
  const { text } = await customers.call('ListAvailableRewards', { customer_id: String(maya) }, key);
  const points = '"customer_name":"Maya Lee","loyalty_points":100,"loyalty_tier":"Base"';
  expect(text).toBe(`{"customer_id":${maya},${points},"available_rewards":[${reward}]}`);
});
