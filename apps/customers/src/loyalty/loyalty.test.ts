/** A customer's points as staff move them: a ledger whose rows continue from each other. */
import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { customers, key, newCustomer, shareCustomers, staff, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

const earn = (id: number, body: object): Promise<Json> => customers.body('EarnPoints', body, staff, { id });
const adjust = (id: number, body: object): Promise<Json> => customers.body('AdjustPoints', body, staff, { id });
const redeem = (id: number, body: object): Promise<Json> => customers.body('RedeemReward', body, staff, { id });
const reward = async (fields: object = {}): Promise<number> => (await customers.reward(fields)).id;
const points = async (id: number): Promise<number> => (await customers.loyalty(id)).loyalty_points;
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
  const shown = (row: Json) => [
    row.transaction_type,
    row.points,
    row.points_before,
    row.points_after,
    row.reason,
    row.reward_id,
    row.sale_id,
  ];
  expect(transactions.map(shown)).toEqual([
    ['redeem', -100, 100, 0, 'Five off', reward_id, null],
    ['adjust', -20, 120, 100, 'Counted twice', null, null],
    ['earn', 120, 0, 120, 'Welcome', null, null],
  ]);
});

describe('GET /customers/:id/loyalty', () => {
  test('D84: points, tier and what the next tier asks; staff get the same shape', async () => {
    await customers.tier({ name: 'Base', level: 1, points_multiplier: '1.25', discount_percentage: 2 });
    await customers.tier({ name: 'Gold', level: 3, minimum_lifetime_spend: 500, minimum_visits: 10 });
    const maya = await newCustomer();
    await customers.run('update customers.customers set lifetime_spend = 640.4, visit_count = 4 where id = $1', [maya]);
    const { text } = await customers.answer('EarnPoints', { points: 5 }, staff, { id: maya });
    expect(text).toBe(
      `{"loyalty":{"customer_id":${maya},"loyalty_points":5,"loyalty_tier":"Base","tier_level":1,"lifetime_spend":"640.40","visit_count":4,` +
        '"points_multiplier":"1.25","discount_percentage":"2.00","next_tier":{"name":"Gold","spend_remaining":"0.00","visits_remaining":6}}}',
    );
    expect((await customers.call('GetCustomerLoyalty', { id: String(maya) }, key)).text).toBe(text);
  });

  test('without tiers there is none and the multiplier is 1; the highest has no next', async () => {
    const maya = await newCustomer();
    const { text } = await customers.call('GetCustomerLoyalty', { id: String(maya) }, key);
    expect(text).toBe(
      `{"loyalty":{"customer_id":${maya},"loyalty_points":0,"loyalty_tier":null,"tier_level":null,"lifetime_spend":"0.00","visit_count":0,` +
        '"points_multiplier":"1.00","discount_percentage":"0.00","next_tier":null}}',
    );
    await customers.tier({ name: 'Only', level: 0 });
    expect(await customers.loyalty(await newCustomer())).toMatchObject({ tier_level: 0, next_tier: null });
  });
});

describe('earn and adjust', () => {
  test('each is a ledger row with reason and user, and one audited customer.updated', async () => {
    const maya = await newCustomer();
    customers.clock.advance(1_000);
    const events = await customers.eventsOf(storeId, () => earn(maya, { points: '50', reason: 'Birthday' }));
    const audit = { action: 'customer.earn_points', before: { loyalty_points: 0 }, after: { loyalty_points: 50, reason: 'Birthday' } };
    const updated_at = customers.clock.now().toISOString();
    expect(events).toMatchObject([{ name: 'customer.updated', body: { data: { id: maya, loyalty_points: 50, updated_at } }, audit }]);
    expect((await adjust(maya, { points: -50, reason: 'Mistake' })).loyalty.loyalty_points).toBe(0);
    expect(await ledger(maya)).toEqual([
      { movement_type: 'earn', points: 50, points_before: 0, points_after: 50, reason: 'Birthday', user_name: 'Max Manager' },
      { movement_type: 'adjust', points: -50, points_before: 50, points_after: 0, reason: 'Mistake', user_name: 'Max Manager' },
    ]);
  });
});

describe('redeem', () => {
  test('D229: takes the points; a reward of type store_credit issues the credit', async () => {
    const maya = await newCustomer();
    await earn(maya, { points: 300 });
    expect((await redeem(maya, { reward_id: await reward() })).loyalty.loyalty_points).toBe(200);
    const credit = await reward({ name: 'Ten back', reward_type: 'store_credit', store_credit_amount: '10.5' });
    const events = await customers.eventsOf(storeId, () => redeem(maya, { reward_id: credit }));
    const audit = { action: 'customer.redeem_points', after: { loyalty_points: 100, reward_id: credit } };
    expect(events).toMatchObject([
      { name: 'customer.updated', body: { data: { loyalty_points: 100, store_credit_balance: '10.50' } }, audit },
    ]);
    const { store_credit } = (await customers.call('GetStoreCredit', { customer_id: String(maya) }, key)).json;
    const recent_transactions = [{ transaction_type: 'reward', amount: 10.5, notes: 'Ten back' }];
    expect(store_credit).toMatchObject({ balance: 10.5, recent_transactions });
    expect((await ledger(maya)).map((row) => [row.movement_type, row.points])).toEqual([
      ['earn', 300],
      ['redeem', -100],
      ['redeem', -100],
    ]);
  });

  test('of 20 parallel redeems at exactly enough points one succeeds', async () => {
    const maya = await newCustomer();
    await earn(maya, { points: 100 });
    const rewardId = await reward();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(maya, { reward_id: rewardId })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 422 });
    expect(await points(maya)).toBe(0);
    expect(await ledger(maya)).toHaveLength(2);
  });

  test('the limit is per customer: of 10 parallel redeems of a reward for two, two win', async () => {
    const [maya, noah] = [await newCustomer(), await newCustomer()];
    const rewardId = await reward({ points_required: 1, redemption_limit: 2 });
    for (const id of [maya, noah]) await earn(id, { points: 100 });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(maya, { reward_id: rewardId })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await customers.refusal(redeem(maya, { reward_id: rewardId }))).toMatchObject({ errors: ['Redemption limit is reached'] });
    await redeem(noah, { reward_id: rewardId });
    expect([await points(maya), await points(noah)]).toEqual([98, 99]);
  });

  test('a reward that is not available, or for a higher tier, is 422', async () => {
    const maya = await newCustomer();
    await earn(maya, { points: 1_000 });
    const refused = async (fields: object) => customers.refusal(redeem(maya, { reward_id: await reward(fields) }));
    for (const fields of [{ active: false }, { valid_from: '2027-01-01' }, { valid_until: '2026-11-01' }]) {
      expect(await refused(fields)).toMatchObject({ status: 422, errors: ['Reward is not available'] });
    }
    expect(await refused({ minimum_tier_level: 1 })).toMatchObject({ status: 422, errors: ['Loyalty tier is too low'] });
    expect(await points(maya)).toBe(1_000);
  });
});

test('whatever staff do at once, points stay above 0 and rows form one chain', async () => {
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
