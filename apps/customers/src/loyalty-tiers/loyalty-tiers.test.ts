/** Tiers as staff keep them, and customers who move between them when they change. */
import { describe, expect, test } from '@jest/globals';
import { type Json, storeMessage } from '@store/testbed';
import { customers, key, keyOf, shareCustomers, staff, storeId } from '../../test/customers-under-test.ts';
import { rankCustomers } from './rank-customers.ts';

shareCustomers(['customers', 'loyalty']);

const tierId = async (tier: object): Promise<number> => (await customers.tier(tier)).id;
const change = (id: number, tier: object, caller = staff): Promise<Json> =>
  customers.body('UpdateLoyaltyTier', { loyalty_tier: tier }, caller, { id });
const names = async (query = '', caller = key): Promise<string[]> =>
  (await customers.query('ListLoyaltyTiers', query, caller)).loyalty_tiers.map(({ name }: Json) => name);
const customerAt = async (spend: string, visits: number): Promise<number> => {
  const { id } = await customers.create({ name: 'Maya' }, staff, { force_create: true });
  await customers.run('update customers.customers set lifetime_spend = $2, visit_count = $3 where id = $1', [id, spend, visits]);
  return id;
};
const tierOf = async (id: number) => (await customers.get(id)).loyalty_tier;

describe('GET /loyalty_tiers', () => {
  test('spec: "returns active tiers ordered by level", of this store; staff see all', async () => {
    for (const [name, level] of Object.entries({ Gold: 3, Bronze: 1, Silver: 2 })) await customers.tier({ name, level });
    await customers.tier({ name: 'Retired', level: 4, active: false });
    expect(await names()).toEqual(['Bronze', 'Silver', 'Gold']);
    expect(await names('', keyOf(storeId + 500))).toEqual([]);
    expect(await names('all=true', staff)).toEqual(['Bronze', 'Silver', 'Gold', 'Retired']);
    expect(await names('all=true')).toEqual(['Bronze', 'Silver', 'Gold']);
  });

  test('D44: a store has at most 500 tiers', async () => {
    await customers.run(
      `insert into customers.loyalty_tiers (store_id, name, level, minimum_lifetime_spend, minimum_visits, discount_percentage,
         points_multiplier, free_delivery, early_access_sales, benefits_list, active, created_at, updated_at)
       select $1, 't' || n, n, 0, 0, 0, 1, false, false, '[]', true, now(), now() from generate_series(1, 510) n`,
      [storeId],
    );
    expect(await names()).toHaveLength(500);
  });
});

describe('what staff write', () => {
  test('a loyalty tier has every field, in the order of the specification', async () => {
    const tier = {
      name: ' Gold ',
      level: 3,
      description: 'Best',
      color: '#fc0',
      minimum_lifetime_spend: 500,
      minimum_visits: '10',
      discount_percentage: '5',
      points_multiplier: 1.5,
      free_delivery: true,
      early_access_sales: 'true',
      benefits_description: 'Many',
      benefits_list: ['Coffee', 'Parking'],
    };
    const { text } = await customers.answer('CreateLoyaltyTier', { loyalty_tier: tier }, staff);
    const { id } = JSON.parse(text).loyalty_tier;
    const full =
      `{"id":${id},"name":"Gold","level":3,"description":"Best","color":"#fc0","minimum_lifetime_spend":"500.00","minimum_visits":10,` +
      '"discount_percentage":"5.00","points_multiplier":"1.50","free_delivery":true,"early_access_sales":true,' +
      '"benefits_description":"Many","benefits_list":["Coffee","Parking"]}';
    expect(text).toBe(`{"loyalty_tier":${full}}`);
    expect((await customers.call('ListLoyaltyTiers', {}, key)).text).toBe(`{"loyalty_tiers":[${full}]}`);
  });

  test('Loyalty tier: with nothing optional, blanks are null and sums are zero', async () => {
    const { text } = await customers.answer('CreateLoyaltyTier', { loyalty_tier: { name: 'Base', level: 0 } }, staff);
    expect(text).toBe(
      `{"loyalty_tier":{"id":${JSON.parse(text).loyalty_tier.id},"name":"Base","level":0,"description":null,"color":null,` +
        '"minimum_lifetime_spend":"0.00","minimum_visits":0,"discount_percentage":"0.00","points_multiplier":"1.00",' +
        '"free_delivery":false,"early_access_sales":false,"benefits_description":null,"benefits_list":[]}}',
    );
  });

  test('benefits are kept as they were written', async () => {
    const benefits_list = ['NULL', 'null', 'Free, fast\ndelivery', 'a\tb', ' Coffee ', '{"x": "\\"}'];
    const id = await tierId({ name: 'Odd', level: 9, benefits_list });
    expect((await change(id, { benefits_list })).loyalty_tier.benefits_list).toEqual(benefits_list);
  });

  test('a change keeps what was not sent, empties a list, is audited; repeated is none', async () => {
    const id = await tierId({ name: 'Gold', level: 3, benefits_list: ['Coffee'], color: 'gold' });
    const [event] = await customers.eventsOf(storeId, () => change(id, { benefits_list: [], description: 'x' }));
    const before = { description: null, benefits_list: ['Coffee'] };
    const audit = { action: 'loyalty_tier.update', before, after: { description: 'x', benefits_list: [] } };
    expect(event).toMatchObject({ name: 'loyalty_tier.updated', body: null, audit });
    expect((await change(id, { level: 3 })).loyalty_tier).toMatchObject({ color: 'gold', benefits_list: [], description: 'x' });
    expect(await customers.eventsOf(storeId, () => change(id, { level: 3 }))).toEqual([]);
  });
});

describe('D223: customers hold the highest level whose two minimums are met', () => {
  test('a new tier, new minimum, rename and deletion move customers, each with one event', async () => {
    const [small, large] = [await customerAt('100.00', 1), await customerAt('600.00', 12)];
    const silver = await tierId({ name: 'Silver', level: 2, minimum_lifetime_spend: 100 });
    const gold = await tierId({ name: 'Gold', level: 3, minimum_lifetime_spend: 500, minimum_visits: 10 });
    const moves = async () => {
      const events = await customers.eventsOf(storeId, () => rankCustomers(customers.app));
      return events.map(({ name, body }) => [name, body.data.id, body.data.loyalty_tier]);
    };
    expect(await moves()).toEqual([
      ['customer.updated', small, 'Silver'],
      ['customer.updated', large, 'Gold'],
    ]);
    expect(await moves()).toEqual([]);
    await change(gold, { name: 'Platinum' });
    expect(await moves()).toEqual([['customer.updated', large, 'Platinum']]);
    await change(gold, { minimum_visits: 13 });
    expect(await moves()).toEqual([['customer.updated', large, 'Silver']]);
    await change(gold, { minimum_lifetime_spend: 100, minimum_visits: 0 });
    expect(await moves()).toEqual([
      ['customer.updated', small, 'Platinum'],
      ['customer.updated', large, 'Platinum'],
    ]);
    await change(gold, { active: false });
    expect((await moves()).map(([, , tier]) => tier)).toEqual(['Silver', 'Silver']);
    await customers.byId('DeleteLoyaltyTier', silver, staff);
    expect((await moves()).map(([, , tier]) => tier)).toEqual([undefined, undefined]);
    expect(await names()).toEqual([]);
  });

  test('more customers than one batch holds are all moved, archived ones not', async () => {
    await customers.run(
      `insert into customers.customers (store_id, name, customer_code, created_at, updated_at, archived_at)
       select $1, 'n', 'C' || (20000 + n), now(), now(), case when n > 1100 then now() end from generate_series(1, 1105) n`,
      [storeId],
    );
    await customers.tier({ name: 'Base', level: 1 });
    const events = await customers.eventsOf(storeId, () => rankCustomers(customers.app));
    expect(new Set(events.map(({ aggregate }) => aggregate)).size).toBe(1100);
    expect(events).toHaveLength(1100);
    const placed = "select 1 from customers.customers where store_id = $1 and loyalty_tier = 'Base'";
    expect(await customers.run(placed, [storeId])).toHaveLength(1100);
    expect(await customers.run('select 1 from customers.tier_changes where store_id = $1', [storeId])).toEqual([]);
  });

  test('a new customer begins on the tier that asks for nothing', async () => {
    await customers.tier({ name: 'Base', level: 1 });
    await customers.tier({ name: 'Second', level: 2, minimum_visits: 1 });
    expect(await tierOf((await customers.create({ name: 'New' }, staff)).id)).toBe('Base');
  });

  test('without loyalty in the plan customers are placed and nobody is told (D147)', async () => {
    const id = await customerAt('0', 0);
    await customers.publish(storeMessage(storeId, ['customers'], 2));
    await customers.tier({ name: 'Base', level: 1 });
    expect(await customers.eventsOf(storeId, () => rankCustomers(customers.app))).toEqual([]);
    expect(await tierOf(id)).toBe('Base');
  });

  test('customers created while a tier is written are on the tier in force after both', async () => {
    const created = await Promise.all([
      customers.tier({ name: 'Base', level: 1 }),
      ...Array.from({ length: 8 }, (_, n) => customers.create({ name: `N${n}` }, staff)),
    ]);
    await rankCustomers(customers.app);
    expect(await Promise.all(created.slice(1).map(({ id }: Json) => tierOf(id)))).toEqual(Array(8).fill('Base'));
  });
});
