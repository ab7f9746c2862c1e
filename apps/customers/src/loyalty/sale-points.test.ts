/** Sales move points and tiers (D221 to D224), however they are batched, repeated or ordered. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Message } from '@store/events';
import type { Json } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { keyOf, staffOf } from '../../test/customers-under-test.ts';
import { type SaleChanges, saleMessage, storeMessage } from '../../test/messages.ts';
import { customers, key, shareCustomers, staff, storeId } from '../../test/shared-customers.ts';

shareCustomers();
beforeEach(async () => {
  await customers.publish(storeMessage(storeId, ['customers', 'loyalty']));
});

const newCustomer = async (): Promise<number> => (await customers.create({ name: 'Maya Lee' }, staff, { force_create: true })).id;
const tier = (fields: object) => customers.body('CreateLoyaltyTier', { loyalty_tier: fields }, staff);
const completed = (changes: SaleChanges) => saleMessage(storeId, 'completed', changes);
const voided = (changes: SaleChanges) => saleMessage(storeId, 'voided', changes);
const standing = async (id: number): Promise<Json> => {
  const { loyalty } = await customers.byId('GetCustomerLoyalty', id, key);
  return [loyalty.loyalty_points, loyalty.loyalty_tier, loyalty.lifetime_spend, loyalty.visit_count];
};
const ledger = (id: number) =>
  customers.run<Json>(
    `select movement_type, points, points_before, points_after, sale_id, reason, user_name from customers.loyalty_movements
     where store_id = $1 and customer_id = $2 order by id`,
    [storeId, id],
  );

test('D221: floor((subtotal − discounts) × multiplier), once per sale, and a void takes exactly that back by who voided it', async () => {
  await tier({ name: 'Base', level: 1, points_multiplier: '1.50' });
  const maya = await newCustomer();
  const sale = { id: 1, customer_id: maya, subtotal: '12.35', discount_amount: '0.36', total: '14.39' };
  const events = await customers.eventsOf(storeId, () => customers.publish(completed(sale), { ...completed(sale), id: randomUUID() }));
  // 11.99 × 1.5 = 17.985
  expect(events.map(({ name, body }) => [name, body.data.loyalty_points])).toEqual([['customer.updated', 17]]);
  await customers.publish(completed({ id: 2, customer_id: maya, subtotal: '0.66' }), voided(sale), { ...voided(sale), id: randomUUID() });
  const at = { user_name: 'Sam Hill' };
  expect(await ledger(maya)).toEqual([
    { ...at, movement_type: 'sale', points: 17, points_before: 0, points_after: 17, sale_id: 1, reason: 'R-1' },
    { ...at, movement_type: 'void', points: -17, points_before: 17, points_after: 0, sale_id: 1, reason: 'R-1' },
  ]);
});

test('D221: points may go below 0 when a sale is voided whose points were spent', async () => {
  const maya = await newCustomer();
  await customers.publish(completed({ id: 1, customer_id: maya, subtotal: '100.00' }));
  await customers.body('AdjustPoints', { points: -80, reason: 'Spent' }, staff, { id: maya });
  await customers.publish(voided({ id: 1, customer_id: maya }));
  expect((await standing(maya))[0]).toBe(-80);
  expect((await customers.body('EarnPoints', { points: 30 }, staff, { id: maya })).loyalty.loyalty_points).toBe(-50);
});

test('D221: with loyalty off a sale earns none, and none later; a void takes back what was earned before', async () => {
  const maya = await newCustomer();
  await customers.publish(completed({ id: 1, customer_id: maya }));
  await customers.publish(storeMessage(storeId, ['customers'], 2));
  await customers.publish(completed({ id: 2, customer_id: maya }));
  expect((await ledger(maya)).map(({ points }) => points)).toEqual([10]);
  await customers.publish(voided({ id: 1, customer_id: maya }), voided({ id: 2, customer_id: maya }));
  await customers.publish(storeMessage(storeId, ['customers', 'loyalty'], 3));
  expect(await standing(maya)).toEqual([0, null, '0.00', 0]);
  expect((await ledger(maya)).map(({ points }) => points)).toEqual([10, -10]);
});

test('D221: the sale says whether the plan had loyalty: a store that is not known yet loses no points, whatever topic is first', async () => {
  const unknown = storeId + 500_000;
  const theirs = staffOf(unknown);
  const { id: maya } = await customers.create({ name: 'Maya Lee' }, theirs, { force_create: true });
  const sold = (id: number, loyalty: boolean) => saleMessage(unknown, 'completed', { id, customer_id: maya, loyalty });
  const events = await customers.eventsOf(unknown, () => customers.publish(sold(1, true)));
  expect(events.map(({ body }) => body.data.loyalty_points)).toEqual([10]);
  await customers.publish(storeMessage(unknown, ['customers', 'loyalty']), sold(1, true), sold(2, false));
  await customers.publish(storeMessage(unknown, ['customers'], 2), sold(3, true));
  const { loyalty } = await customers.byId('GetCustomerLoyalty', maya, keyOf(unknown));
  expect([loyalty.loyalty_points, loyalty.visit_count]).toEqual([20, 3]);
});

test('D221, note 0145: a sale adds points up to the limit and its spend whole; its void takes back what it added, none is refused', async () => {
  const maya = await newCustomer();
  await customers.run('update customers.customers set loyalty_points = 1000000000000 - 7 where id = $1', [maya]);
  const dear = { customer_id: maya, subtotal: '999999999999.00', total: '999999999999.00' };
  await customers.publish(completed({ id: 1, ...dear }), completed({ id: 2, ...dear }), voided({ id: 2, ...dear }));
  expect(await standing(maya)).toEqual([1_000_000_000_000, null, '999999999999.00', 1]);
  await customers.publish(completed({ id: 3, ...dear }));
  expect(await standing(maya)).toEqual([1_000_000_000_000, null, '1999999999998.00', 2]);
  await customers.publish(voided({ id: 3, ...dear }), voided({ id: 1, ...dear }));
  expect(await standing(maya)).toEqual([999_999_999_993, null, '0.00', 0]);
  expect((await ledger(maya)).map(({ points }) => points)).toEqual([7, -7]);
  expect(await customers.run("select 1 from customers.dead_letters where (message->>'storeId')::bigint = $1", [storeId])).toEqual([]);
});

test('D224: a sale and its void in one batch leave their ledger rows, and nobody is told, as nothing changed', async () => {
  const maya = await newCustomer();
  const { updated_at } = await customers.get(maya, key);
  customers.clock.advance(1_000);
  const both = () => customers.publish(completed({ id: 1, customer_id: maya }), voided({ id: 1, customer_id: maya }));
  expect(await customers.eventsOf(storeId, both)).toEqual([]);
  expect((await ledger(maya)).map(({ points }) => points)).toEqual([10, -10]);
  expect((await customers.get(maya, key)).updated_at).toBe(updated_at);
});

test('D222: a void that comes before its completion earns and takes nothing', async () => {
  const maya = await newCustomer();
  await customers.publish(voided({ id: 1, customer_id: maya }));
  await customers.publish(completed({ id: 1, customer_id: maya }));
  expect(await standing(maya)).toEqual([0, null, '0.00', 0]);
  expect(await ledger(maya)).toEqual([]);
});

describe('D223: the tier', () => {
  test('rises with spend and visits, and falls with a void, each told once with what else changed', async () => {
    await tier({ name: 'Base', level: 1 });
    await tier({ name: 'Gold', level: 2, minimum_lifetime_spend: 20, minimum_visits: 2, points_multiplier: 2 });
    const maya = await newCustomer();
    const told: Json[] = [];
    for (const message of [
      completed({ id: 1, customer_id: maya, total: '30.00' }),
      completed({ id: 2, customer_id: maya }),
      completed({ id: 3, customer_id: maya }),
    ]) {
      told.push(...(await customers.eventsOf(storeId, () => customers.publish(message))));
    }
    // The sale that reaches Gold still counts by the tier that was held when it was handled.
    expect(told.map(({ body }) => [body.data.loyalty_tier, body.data.loyalty_points])).toEqual([
      ['Base', 10],
      ['Gold', 20],
      ['Gold', 40],
    ]);
    await customers.publish(voided({ id: 1, customer_id: maya }), voided({ id: 2, customer_id: maya }));
    expect(await standing(maya)).toEqual([20, 'Base', '12.00', 1]);
  });

  test('a batch is walked as if each sale came by itself', async () => {
    await tier({ name: 'Base', level: 1 });
    await tier({ name: 'Gold', level: 2, minimum_visits: 1, points_multiplier: 3 });
    const maya = await newCustomer();
    await customers.publish(completed({ id: 1, customer_id: maya }), completed({ id: 2, customer_id: maya }));
    expect(await standing(maya)).toEqual([40, 'Gold', '24.00', 2]);
  });

  test('a sale and a change of tiers at once: afterwards everybody holds the tier that is reached', async () => {
    const { rankCustomers } = await import('../loyalty-tiers/rank-customers.ts');
    const ids = await Promise.all(Array.from({ length: 6 }, newCustomer));
    await Promise.all([
      ...ids.map((id, n) => customers.publish(completed({ id: n + 1, customer_id: id }))),
      tier({ name: 'Silver', level: 1, minimum_visits: 1 }).then(() => rankCustomers(customers.app)),
    ]);
    expect(await Promise.all(ids.map(async (id) => (await standing(id))[1]))).toEqual(Array(6).fill('Silver'));
  });
});

test('an archived customer keeps counting and is told of no more (D224, D225); an unknown one, or none, moves nothing', async () => {
  const maya = await newCustomer();
  await customers.archive(maya, staff);
  const events = await customers.eventsOf(storeId, () =>
    customers.publish(
      completed({ id: 1, customer_id: maya }),
      completed({ id: 2, customer_id: 999_999 }),
      completed({ id: 3, customer_id: null }),
    ),
  );
  expect(events).toEqual([]);
  expect((await ledger(maya)).map(({ points }) => points)).toEqual([10]);
  expect(await customers.run("select 1 from customers.dead_letters where (message->>'storeId')::bigint = $1", [storeId])).toEqual([]);
});

interface Reference {
  points: number;
  cents: number;
  visits: number;
  seen: Map<number, { points: number; cents: number } | 'voided'>;
}

/** One sale after the other, by the words of D221 to D223. */
function handle(state: Reference, { kind, id, cents }: { kind: 'completed' | 'voided'; id: number; cents: number }): void {
  const before = state.seen.get(id);
  if (kind === 'completed') {
    if (before !== undefined) return;
    const multiplier = state.cents >= 3_000 && state.visits >= 2 ? 2.5 : 1;
    const points = Math.floor((cents * multiplier) / 100);
    state.seen.set(id, { points, cents });
    state.points += points;
    state.cents += cents;
    state.visits += 1;
    return;
  }
  if (before !== undefined && before !== 'voided') {
    state.points -= before.points;
    state.cents -= before.cents;
    state.visits -= 1;
  }
  state.seen.set(id, 'voided');
}

test('any sales, voids and repetitions in any batches: points, spend, visits and tier are those of one sale after the other', async () => {
  await tier({ name: 'Base', level: 1 });
  await tier({ name: 'Gold', level: 2, minimum_lifetime_spend: 30, minimum_visits: 2, points_multiplier: 2.5 });
  const step = fc.record({
    kind: fc.constantFrom('completed' as const, 'completed' as const, 'voided' as const),
    id: fc.integer({ min: 1, max: 6 }),
  });
  let runs = 0;
  await holds(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3_999 }), { minLength: 6, maxLength: 6 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      async (amounts, batches) => {
        const maya = await newCustomer();
        const base = ++runs * 100;
        const state: Reference = { points: 0, cents: 0, visits: 0, seen: new Map() };
        for (const batch of batches) {
          const messages: Message[] = batch.map(({ kind, id }) => {
            const amount = (amounts[id - 1]! / 100).toFixed(2);
            const changes = { id: base + id, customer_id: maya, subtotal: amount, total: amount };
            return kind === 'completed' ? completed(changes) : voided(changes);
          });
          await customers.publish(...messages);
          for (const { kind, id } of batch) handle(state, { kind, id, cents: amounts[id - 1]! });
        }
        const tierName = state.cents >= 3_000 && state.visits >= 2 ? 'Gold' : 'Base';
        expect(await standing(maya)).toEqual([state.points, tierName, (state.cents / 100).toFixed(2), state.visits]);
        let points = 0;
        for (const row of await ledger(maya)) {
          expect(row).toMatchObject({ points_before: points, points_after: points + row.points });
          points += row.points;
        }
        expect(points).toBe(state.points);
      },
    ),
    { numRuns: 25 },
  );
});
