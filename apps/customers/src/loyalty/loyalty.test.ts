/** A customer's points as staff move them: a ledger whose rows continue from each other. */
import { describe, expect, test } from '@jest/globals';
import { type Json, problemOf } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { staffOf } from '../../test/customers-under-test.ts';
import { customers, key, shareCustomers, staff, storeId } from '../../test/shared-customers.ts';

shareCustomers();

const newCustomer = async (): Promise<number> => (await customers.create({ name: 'Maya Lee' }, staff, { force_create: true })).id;
const earn = (id: number | string, body: object, caller = staff): Promise<Json> => customers.body('EarnPoints', body, caller, { id });
const adjust = (id: number | string, body: object, caller = staff): Promise<Json> => customers.body('AdjustPoints', body, caller, { id });
const redeem = (id: number | string, body: object, caller = staff): Promise<Json> => customers.body('RedeemReward', body, caller, { id });
const reward = async (fields: object = {}): Promise<number> => {
  const loyalty_reward = { name: 'Five off', reward_type: 'discount', points_required: 100, discount_amount: 5, ...fields };
  return (await customers.body('CreateLoyaltyReward', { loyalty_reward }, staff)).loyalty_reward.id;
};
const tier = (fields: object) => customers.body('CreateLoyaltyTier', { loyalty_tier: fields }, staff);
const points = async (id: number): Promise<number> => (await customers.byId('GetCustomerLoyalty', id, key)).loyalty.loyalty_points;
const ledger = (id: number) =>
  customers.run<Json>(
    `select movement_type, points, points_before, points_after, reason, user_name from customers.loyalty_movements
     where store_id = $1 and customer_id = $2 order by id`,
    [storeId, id],
  );

test('the ledger of points in pages, newest first, each row from the one before', async () => {
  const maya = await newCustomer();
  await earn(maya, { points: 120, reason: 'Welcome' });
  await adjust(maya, { points: -20, reason: 'Counted twice' });
  const reward_id = await reward();
  await redeem(maya, { reward_id });
  const { transactions, pagination } = await customers.byId('ListLoyaltyTransactions', maya, key);
  expect(pagination).toMatchObject({ total_count: 3, per_page: 50 });
  expect(
    transactions.map((row: Json) => [
      row.transaction_type,
      row.points,
      row.points_before,
      row.points_after,
      row.reason,
      row.reward_id,
      row.sale_id,
    ]),
  ).toEqual([
    ['redeem', -100, 100, 0, 'Five off', reward_id, null],
    ['adjust', -20, 120, 100, 'Counted twice', null, null],
    ['earn', 120, 0, 120, 'Welcome', null, null],
  ]);
});

describe('GET /customers/:id/loyalty', () => {
  test('D84: points, tier, and what is missing to the next tier; answers of staff actions are the same shape', async () => {
    await tier({ name: 'Base', level: 1, points_multiplier: '1.25', discount_percentage: 2 });
    await tier({ name: 'Gold', level: 3, minimum_lifetime_spend: 500, minimum_visits: 10 });
    const maya = await newCustomer();
    await customers.run('update customers.customers set lifetime_spend = 640.4, visit_count = 4 where id = $1', [maya]);
    const { text } = await customers.answer('EarnPoints', { points: 5 }, staff, { id: maya });
    expect(text).toBe(
      `{"loyalty":{"customer_id":${maya},"loyalty_points":5,"loyalty_tier":"Base","tier_level":1,"lifetime_spend":"640.40","visit_count":4,` +
        '"points_multiplier":"1.25","discount_percentage":"2.00","next_tier":{"name":"Gold","spend_remaining":"0.00","visits_remaining":6}}}',
    );
    expect((await customers.call('GetCustomerLoyalty', { id: String(maya) }, key)).text).toBe(text);
  });

  test('without tiers there is none, the multiplier is 1 and no tier is next; nor on the highest one', async () => {
    const maya = await newCustomer();
    const { text } = await customers.call('GetCustomerLoyalty', { id: String(maya) }, key);
    expect(text).toBe(
      `{"loyalty":{"customer_id":${maya},"loyalty_points":0,"loyalty_tier":null,"tier_level":null,"lifetime_spend":"0.00","visit_count":0,` +
        '"points_multiplier":"1.00","discount_percentage":"0.00","next_tier":null}}',
    );
    await tier({ name: 'Only', level: 0 });
    expect((await customers.byId('GetCustomerLoyalty', await newCustomer(), key)).loyalty).toMatchObject({
      tier_level: 0,
      next_tier: null,
    });
  });

  test("an unknown, archived or other store's customer is the same 404, for every verb", async () => {
    const [maya, archived] = [await newCustomer(), await newCustomer()];
    await customers.archive(archived, staff);
    const rewardId = await reward();
    const stranger = staffOf(storeId + 500);
    const refused = { status: 404, error: 'Customer not found' };
    for (const [id, caller] of [
      [maya, stranger],
      [archived, staff],
      [999_999, staff],
      ['x', staff],
    ] as const) {
      expect(await customers.refusal(customers.byId('GetCustomerLoyalty', id, caller))).toEqual(refused);
      expect(await customers.refusal(earn(id, { points: 1 }, caller))).toEqual(refused);
      expect(await customers.refusal(adjust(id, { points: 1, reason: 'x' }, caller))).toEqual(refused);
      expect(await customers.refusal(redeem(id, { reward_id: rewardId }, caller))).toEqual(refused);
    }
  });
});

describe('earn and adjust', () => {
  test('each is a ledger row with its reason and user, and one customer.updated with its audit entry', async () => {
    const maya = await newCustomer();
    const events = await customers.eventsOf(storeId, () => earn(maya, { points: '50', reason: 'Birthday' }));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      name: 'customer.updated',
      body: { data: { id: maya, loyalty_points: 50 } },
      audit: { action: 'customer.earn_points', before: { loyalty_points: 0 }, after: { loyalty_points: 50, reason: 'Birthday' } },
    });
    expect((await adjust(maya, { points: -50, reason: 'Mistake' })).loyalty.loyalty_points).toBe(0);
    expect(await ledger(maya)).toEqual([
      { movement_type: 'earn', points: 50, points_before: 0, points_after: 50, reason: 'Birthday', user_name: 'Max Manager' },
      { movement_type: 'adjust', points: -50, points_before: 50, points_after: 0, reason: 'Mistake', user_name: 'Max Manager' },
    ]);
  });

  test('updated_at moves with the points', async () => {
    const maya = await newCustomer();
    const since = customers.clock.now().toISOString();
    customers.clock.advance(1_000);
    await earn(maya, { points: 1 });
    expect((await customers.list(`updated_since=${since}`, key)).customers.map(({ id }: Json) => id)).toEqual([maya]);
  });

  test.each([
    ['EarnPoints', {}, 'points'],
    ['AdjustPoints', { points: 1 }, 'reason'],
    ['AdjustPoints', { reason: 'x' }, 'points'],
    ['RedeemReward', {}, 'reward_id'],
  ])('%s of %j is 400, before the customer is looked for', async (rpc, body, name) => {
    expect(await customers.refusal(customers.body(rpc, body, staff, { id: 999_999 }))).toEqual({
      status: 400,
      error: `param is missing or the value is empty: ${name}`,
    });
  });

  test.each([
    ['EarnPoints', { points: 0 }, 'Points must be between 1 and 1000000000'],
    ['EarnPoints', { points: 1.5 }, 'Points must be an integer'],
    ['EarnPoints', { points: [1] }, 'Points is invalid'],
    ['EarnPoints', { points: '' }, "Points can't be blank"],
    ['EarnPoints', { points: 1, reason: 'x'.repeat(256) }, 'Reason is too long (maximum is 255 characters)'],
    ['AdjustPoints', { points: 0, reason: 'x' }, 'Points must not be zero'],
    ['AdjustPoints', { points: 1, reason: ' ' }, "Reason can't be blank"],
    ['AdjustPoints', { points: -1, reason: 'x' }, 'Loyalty points are not enough'],
  ])('%s of %j is 422 and moves nothing', async (rpc, body, message) => {
    const maya = await newCustomer();
    const refused = { status: 422, error: `Validation failed: ${message}`, errors: [message] };
    expect(await customers.refusal(customers.body(rpc, body, staff, { id: maya }))).toEqual(refused);
    expect(await ledger(maya)).toEqual([]);
  });
});

describe('redeem', () => {
  test('takes the points; a reward of type store_credit issues the credit, others only deduct (D229)', async () => {
    const maya = await newCustomer();
    await earn(maya, { points: 300 });
    expect((await redeem(maya, { reward_id: await reward() })).loyalty.loyalty_points).toBe(200);
    const credit = await reward({ name: 'Ten back', reward_type: 'store_credit', store_credit_amount: '10.5' });
    const events = await customers.eventsOf(storeId, () => redeem(maya, { reward_id: credit }));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      name: 'customer.updated',
      body: { data: { loyalty_points: 100, store_credit_balance: '10.50' } },
      audit: { action: 'customer.redeem_points', after: { loyalty_points: 100, reward_id: credit } },
    });
    const { store_credit } = await customers.call('GetStoreCredit', { customer_id: String(maya) }, key).then(({ json }) => json);
    expect(store_credit).toMatchObject({
      balance: 10.5,
      recent_transactions: [{ transaction_type: 'reward', amount: 10.5, notes: 'Ten back' }],
    });
    expect((await ledger(maya)).map((row) => [row.movement_type, row.points])).toEqual([
      ['earn', 300],
      ['redeem', -100],
      ['redeem', -100],
    ]);
  });

  test('"Rewards that the customer can redeem": of 20 parallel redeems at exactly enough points one succeeds', async () => {
    const maya = await newCustomer();
    await earn(maya, { points: 100 });
    const rewardId = await reward();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(maya, { reward_id: rewardId })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(await problemOf(Promise.reject(outcome.reason))).toMatchObject({ status: 422 });
    }
    expect(await points(maya)).toBe(0);
    expect(await ledger(maya)).toHaveLength(2);
  });

  test('the limit is per customer: of 10 parallel redeems of a reward for two, two succeed; another customer has two more', async () => {
    const [maya, noah] = [await newCustomer(), await newCustomer()];
    const rewardId = await reward({ points_required: 1, redemption_limit: 2 });
    for (const id of [maya, noah]) await earn(id, { points: 100 });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(maya, { reward_id: rewardId })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await customers.refusal(redeem(maya, { reward_id: rewardId }))).toMatchObject({ errors: ['Redemption limit is reached'] });
    await redeem(noah, { reward_id: rewardId });
    expect([await points(maya), await points(noah)]).toEqual([98, 99]);
  });

  test("a reward that is not available, or for a higher tier, is 422; an unknown one, or another store's, is 404", async () => {
    const maya = await newCustomer();
    await earn(maya, { points: 1_000 });
    const refused = async (rewardId: number | string, caller = staff) => customers.refusal(redeem(maya, { reward_id: rewardId }, caller));
    for (const fields of [{ active: false }, { valid_from: '2027-01-01' }, { valid_until: '2026-11-01' }]) {
      expect(await refused(await reward(fields))).toMatchObject({ status: 422, errors: ['Reward is not available'] });
    }
    expect(await refused(await reward({ minimum_tier_level: 1 }))).toMatchObject({ status: 422, errors: ['Loyalty tier is too low'] });
    const foreign = (
      await customers.body(
        'CreateLoyaltyReward',
        { loyalty_reward: { name: 'F', reward_type: 'discount', points_required: 1, discount_amount: 1 } },
        staffOf(storeId + 500),
      )
    ).loyalty_reward.id;
    for (const id of [foreign, 999_999, 'x', '']) expect(await refused(id)).toEqual({ status: 404, error: 'Loyalty reward not found' });
    expect(await points(maya)).toBe(1_000);
  });
});

test('whatever staff do at once, points never fall below 0 and every row continues from the row before', async () => {
  const action = fc.oneof(
    fc.integer({ min: 1, max: 50 }).map((points) => ['earn', points] as const),
    fc
      .integer({ min: -80, max: 80 })
      .filter((points) => points !== 0)
      .map((points) => ['adjust', points] as const),
    fc.constant(['redeem', 0] as const),
  );
  const rewardId = await reward({ points_required: 30 });
  await holds(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 15 }), async (actions) => {
      const maya = await newCustomer();
      await Promise.allSettled(
        actions.map(([kind, points]) => {
          if (kind === 'redeem') return redeem(maya, { reward_id: rewardId });
          return kind === 'earn' ? earn(maya, { points }) : adjust(maya, { points, reason: 'x' });
        }),
      );
      const rows = await ledger(maya);
      let now = 0;
      for (const row of rows) {
        expect(row).toMatchObject({ points_before: now, points_after: now + row.points });
        now += row.points;
        expect(now).toBeGreaterThanOrEqual(0);
      }
      expect(await points(maya)).toBe(now);
    }),
    { numRuns: 15 },
  );
});
