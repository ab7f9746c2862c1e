/** Specification: Loyalty, for keys and for staff: tiers, rewards, points that sales earn, and what the plan has to include. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { type Answer, openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
});
afterAll(() => world.close());

const get = (path: string, as = key) => world.call('GET', path, { key: as });
const staff = (method: string, path: string, body?: unknown, token = world.store.token) => world.call(method, path, { token, body });
const refused = ({ status, body }: Answer) => [status, body];
// biome-ignore lint/suspicious/noExplicitAny: a journey reads bodies as a client does, without types.
const made = async (path: string, body: Record<string, unknown>): Promise<any> => {
  const answer = await staff('POST', path, body);
  if (answer.status !== 201) throw new Error(`${path} was refused: ${answer.text}`);
  return answer.body[Object.keys(body)[0]!];
};
const newCustomer = async (name: string): Promise<number> => (await made('/customers', { customer: { name } })).id;
const tierOf = async (id: number) => (await get(`/customers/${id}`)).body.data.loyalty_tier;

/** Tiers move customers in the background, within seconds. */
async function reaches(id: number, tier: string | undefined): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while ((await tierOf(id)) !== tier) {
    if (Date.now() > giveUpAt) throw new Error(`the customer is not on ${tier}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('for a key, in the envelope', () => {
  test("tiers by level, rewards by points_required, and a customer's own, as staff keep them", async () => {
    const gold = await made('/loyalty_tiers', { loyalty_tier: { name: 'Gold', level: 3, minimum_lifetime_spend: 500 } });
    const base = await made('/loyalty_tiers', { loyalty_tier: { name: 'Base', level: 1, benefits_list: ['Coffee'] } });
    const tiers = await get('/loyalty_tiers');
    expect([Object.keys(tiers.body), tiers.body.data]).toEqual([
      ['data', 'meta'],
      [base, gold],
    ]);

    const product = await made('/products', { product: { name: 'Lantern' } });
    const lantern = { name: 'Free lantern', reward_type: 'free_product', points_required: 50, product_id: product.id };
    const free = await made('/loyalty_rewards', { loyalty_reward: lantern });
    const off = await made('/loyalty_rewards', {
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

  test('"unknown id gives 404", "Unknown customer gives 404 with `Customer not found`", and no customer_id on available is 400', async () => {
    const gone = [404, { error: 'Customer not found' }];
    for (const path of ['/loyalty_rewards?customer_id=999999', '/loyalty_rewards/available?customer_id=x', '/customers/999999/loyalty']) {
      expect(refused(await get(path))).toEqual(gone);
    }
    const missing = [400, { error: 'param is missing or the value is empty: customer_id' }];
    expect(refused(await get('/loyalty_rewards/available'))).toEqual(missing);
  });

  test('a key of another store sees none of it', async () => {
    const foreign = await world.newKey(await world.newStore());
    const id = await newCustomer('Noah');
    expect((await get('/loyalty_tiers', foreign)).body.data).toEqual([]);
    expect((await get('/loyalty_rewards', foreign)).body.data).toEqual([]);
    for (const path of [`/customers/${id}/loyalty`, `/loyalty_rewards?customer_id=${id}`, `/loyalty_rewards/available?customer_id=${id}`]) {
      expect(refused(await get(path, foreign))).toEqual([404, { error: 'Customer not found' }]);
    }
  });

  test('D1: writes are refused in their place: Test Mode, then points or read-only, before scope, plan, body and id', async () => {
    const test = await world.newKey(world.store, { test_mode: true });
    const scopeless = await world.newKey(world.store, { scopes: ['products:read'] });
    const poor = await world.newKey(await world.newStore(['developer_api']));
    const writes = [
      ['POST', '/loyalty_tiers', texts.readOnly],
      ['PATCH', '/loyalty_tiers/1', texts.readOnly],
      ['DELETE', '/loyalty_rewards/1', texts.readOnly],
      ['POST', '/loyalty_rewards', texts.readOnly],
      ['POST', '/loyalty_rewards/available', texts.readOnly],
      ['POST', '/customers/1/loyalty/earn', texts.loyaltyPoints],
      ['POST', '/customers/x/loyalty/redeem', texts.loyaltyPoints],
      ['POST', '/customers/1/loyalty/adjust', texts.loyaltyPoints],
    ] as const;
    for (const [method, path, error] of writes) {
      for (const as of [key, scopeless, poor]) {
        expect([path, ...refused(await world.call(method, path, { key: as, raw: '{' }))]).toEqual([path, 403, { error }]);
      }
      expect(refused(await world.call(method, path, { key: test, body: {} }))).toEqual([403, { error: texts.testMode }]);
    }
  });

  test("each read needs its scope: loyalty:read, and customers:read for a customer's loyalty", async () => {
    const reader = await world.newKey(world.store, { scopes: ['loyalty:read'] });
    expect((await get('/loyalty_tiers', reader)).status).toBe(200);
    expect(refused(await get('/customers/1/loyalty', reader))).toEqual([403, { error: 'Insufficient scope. Required: customers:read' }]);
    const other = await world.newKey(world.store, { scopes: ['customers:read'] });
    for (const path of ['/loyalty_tiers', '/loyalty_rewards', '/loyalty_rewards/available']) {
      expect(refused(await get(path, other))).toEqual([403, { error: 'Insufficient scope. Required: loyalty:read' }]);
    }
  });
});

describe('the plan', () => {
  const without = (feature: string) => [403, { error: `${feature} is not included in your plan`, code: 'feature_not_enabled' }];
  const reads = [
    '/loyalty_tiers',
    '/loyalty_rewards',
    '/loyalty_rewards?customer_id=x',
    '/loyalty_rewards/available',
    '/customers/x/loyalty',
  ];
  const writes = [
    ['POST', '/loyalty_tiers'],
    ['PATCH', '/loyalty_tiers/1'],
    ['DELETE', '/loyalty_tiers/1'],
    ['POST', '/loyalty_rewards'],
    ['PATCH', '/loyalty_rewards/1'],
    ['DELETE', '/loyalty_rewards/1'],
    ['POST', '/customers/1/loyalty/earn'],
    ['POST', '/customers/1/loyalty/redeem'],
    ['POST', '/customers/1/loyalty/adjust'],
  ] as const;

  test('"If the plan lacks loyalty, all return 403", for keys and staff, before parameters, bodies and ids', async () => {
    const store = await world.newStore(['developer_api', 'customers']);
    const poor = await world.newKey(store);
    for (const path of reads) {
      expect([path, ...refused(await get(path, poor))]).toEqual([path, ...without('Loyalty')]);
      expect([path, ...refused(await staff('GET', path, undefined, store.token))]).toEqual([path, ...without('Loyalty')]);
    }
    for (const [method, path] of writes) {
      expect([path, ...refused(await staff(method, path, {}, store.token))]).toEqual([path, ...without('Loyalty')]);
    }
    const { id } = (await staff('POST', '/customers', { customer: { name: 'Maya' } }, store.token)).body.customer;
    expect(Object.keys((await get(`/customers/${id}`, poor)).body.data)).not.toContain('loyalty_points');
  });

  test("D249: a customer's loyalty needs customers before loyalty; tiers and rewards do not need customers", async () => {
    const neither = await world.newKey(await world.newStore(['developer_api']));
    const loyal = await world.newStore(['developer_api', 'loyalty']);
    const loyalKey = await world.newKey(loyal);
    for (const as of [neither, loyalKey]) expect(refused(await get('/customers/1/loyalty', as))).toEqual(without('Customers'));
    expect(refused(await staff('POST', '/customers/1/loyalty/earn', {}, loyal.token))).toEqual(without('Customers'));
    expect((await get('/loyalty_tiers', loyalKey)).status).toBe(200);
  });
});

describe('for staff, unwrapped', () => {
  test('D233: clerks redeem; the rest is for managers', async () => {
    const clerk = { name: 'Cleo', email: 'cleo@loyalty.example', password: 'correct horse battery', role: 'clerk' };
    await staff('POST', '/staff_users', { staff_user: clerk });
    const { token } = (await world.call('POST', '/staff_sessions', { body: { email: clerk.email, password: clerk.password } })).body;
    const id = await newCustomer('Ola');
    await staff('POST', `/customers/${id}/loyalty/earn`, { points: 30 });
    const reward = await made('/loyalty_rewards', {
      loyalty_reward: { name: 'Ten back', reward_type: 'store_credit', points_required: 30, store_credit_amount: 10 },
    });
    for (const [what, body] of [
      ['earn', { points: 1 }],
      ['adjust', { points: 1, reason: 'x' }],
    ] as const) {
      expect(refused(await staff('POST', `/customers/${id}/loyalty/${what}`, body, token))).toEqual([403, { error: texts.role }]);
    }
    const redeemed = await staff('POST', `/customers/${id}/loyalty/redeem`, { reward_id: reward.id }, token);
    expect([redeemed.status, Object.keys(redeemed.body), redeemed.body.loyalty.loyalty_points]).toEqual([200, ['loyalty'], 0]);
    const { store_credit } = (await staff('GET', `/store_credits/customer/${id}`)).body;
    expect(store_credit).toMatchObject({ balance: 10, recent_transactions: [{ transaction_type: 'reward', user_name: 'Cleo' }] });
    const again = await staff('POST', `/customers/${id}/loyalty/redeem`, { reward_id: reward.id }, token);
    const text = 'Loyalty points are not enough';
    expect(refused(again)).toEqual([422, { error: `Validation failed: ${text}`, errors: [text] }]);
  });

  test('a redeem that is sent again under its Idempotency-Key takes the points once', async () => {
    const id = await newCustomer('Pia');
    await staff('POST', `/customers/${id}/loyalty/earn`, { points: 90 });
    const reward = await made('/loyalty_rewards', {
      loyalty_reward: { name: 'Off', reward_type: 'discount', points_required: 30, discount_percentage: 5 },
    });
    const redeem = () =>
      world.call('POST', `/customers/${id}/loyalty/redeem`, {
        token: world.store.token,
        body: { reward_id: reward.id },
        headers: { 'Idempotency-Key': 'redeem-1' },
      });
    const [first, again] = [await redeem(), await redeem()];
    expect([again.text, again.headers.get('Idempotency-Replayed')]).toEqual([first.text, 'true']);
    expect((await get(`/customers/${id}/loyalty`)).body.data.loyalty_points).toBe(60);
  });

  test('what changes tiers moves customers within seconds, downwards too, and is audited', async () => {
    const id = await newCustomer('Quin');
    const top = await made('/loyalty_tiers', { loyalty_tier: { name: 'Top', level: 900 } });
    await reaches(id, 'Top');
    await staff('PATCH', `/loyalty_tiers/${top.id}`, { loyalty_tier: { name: 'Summit' } });
    await reaches(id, 'Summit');
    const deleted = await staff('DELETE', `/loyalty_tiers/${top.id}`);
    expect(refused(deleted)).toEqual([200, { success: true, message: 'Loyalty tier deleted' }]);
    await reaches(id, 'Base');
    await world.settled();
    const { audit_entries } = (await staff('GET', '/audit_entries?per_page=100')).body;
    const mine = audit_entries.filter((entry: { resource_type: string; resource_id: number }) => entry.resource_id === top.id);
    const actions = mine
      .filter(({ resource_type }: { resource_type: string }) => resource_type === 'LoyaltyTier')
      .map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['loyalty_tier.delete', 'loyalty_tier.update', 'loyalty_tier.create']);
  });
});

test('a sale at the register earns points by the tier, moves the tier, and its void takes both back', async () => {
  const store = await world.newStore();
  const token = store.token;
  const as = await world.newKey(store);
  await staff('POST', '/loyalty_tiers', { loyalty_tier: { name: 'Base', level: 1, points_multiplier: 2 } }, token);
  await staff('POST', '/loyalty_tiers', { loyalty_tier: { name: 'Gold', level: 2, minimum_lifetime_spend: 30 } }, token);
  const { product } = (await staff('POST', '/products', { product: { name: 'Lamp', price: '10.25' } }, token)).body;
  const { customer } = (await staff('POST', '/customers', { customer: { name: 'Ria' } }, token)).body;
  await world.settled();
  const sold = await staff(
    'POST',
    '/sales',
    { sale: { customer_id: customer.id, line_items: [{ product_id: product.id, quantity: 3 }] } },
    token,
  );
  expect(sold.status).toBe(201);
  await world.settled();
  const standing = async () => {
    const { data } = (await get(`/customers/${customer.id}/loyalty`, as)).body;
    return [data.loyalty_points, data.loyalty_tier, data.visit_count];
  };
  expect(await standing()).toEqual([61, 'Gold', 1]);
  expect((await staff('PATCH', `/sales/${sold.body.sale.id}`, { sale: { status: 'voided' } }, token)).status).toBe(200);
  await world.settled();
  expect(await standing()).toEqual([0, 'Base', 0]);
});
