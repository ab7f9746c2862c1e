/** Sales move spend, visits, points and tiers (D221 to D224), however they are batched, repeated or ordered. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { SaleFact } from '@store/events';
import { type Json, saleMessage, storeMessage } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { customers, keyOf, newCustomer, newStore, shareCustomers, staff, staffOf, storeId } from '../../test/customers-under-test.ts';
import { rankCustomers } from '../loyalty-tiers/rank-customers.ts';

shareCustomers(['customers', 'loyalty']);

type Changes = Partial<SaleFact>;
const completed = (id: number, customer_id: number | null, changes: Changes = {}) =>
  saleMessage(storeId, 'completed', { id, customer_id, ...changes });
const voided = (id: number, customer_id: number | null, changes: Changes = {}) =>
  saleMessage(storeId, 'voided', { id, customer_id, ...changes });
const standing = async (id: number) => {
  const { loyalty_points, loyalty_tier, lifetime_spend, visit_count } = await customers.loyalty(id);
  return [loyalty_points, loyalty_tier, lifetime_spend, visit_count];
};
const ledger = (id: number) =>
  customers.run<Json>(
    `select movement_type, points, points_before, points_after, sale_id, reason, user_name from customers.loyalty_movements
     where store_id = $1 and customer_id = $2 order by id`,
    [storeId, id],
  );
const moved = async (id: number) => (await ledger(id)).map(({ points }) => points);
const emitted = (work: () => Promise<unknown>) => customers.eventsOf(storeId, work);

test('D221: floor((subtotal − discounts) × multiplier) once per sale; a void undoes it', async () => {
  await customers.tier({ name: 'Base', level: 1, points_multiplier: '1.50' });
  const maya = await newCustomer();
  const amounts = { subtotal: '12.35', discount_amount: '0.36', total: '14.39' };
  const [sale, gone] = [completed(1, maya, amounts), voided(1, maya, amounts)];
  const events = await emitted(() => customers.publish(sale, sale, { ...sale, id: randomUUID() }));
  // 11.99 × 1.5 = 17.985
  expect(events.map(({ name, body }) => [name, body.data.loyalty_points])).toEqual([['customer.updated', 17]]);
  await customers.publish(completed(2, maya, { subtotal: '0.66' }), gone, { ...gone, id: randomUUID() });
  const at = { sale_id: 1, reason: 'R-1', user_name: 'Sam Hill' };
  expect(await ledger(maya)).toEqual([
    { ...at, movement_type: 'sale', points: 17, points_before: 0, points_after: 17 },
    { ...at, movement_type: 'void', points: -17, points_before: 17, points_after: 0 },
  ]);
});

test('D221: points go below 0 when a sale is voided whose points were spent', async () => {
  const maya = await newCustomer();
  await customers.publish(completed(1, maya, { subtotal: '100.00' }));
  await customers.body('AdjustPoints', { points: -80, reason: 'Spent' }, staff, { id: maya });
  await customers.publish(voided(1, maya));
  expect((await standing(maya))[0]).toBe(-80);
  expect((await customers.body('EarnPoints', { points: 30 }, staff, { id: maya })).loyalty.loyalty_points).toBe(-50);
});

test('D221: with loyalty off a sale never earns; a void takes back what was earned', async () => {
  const maya = await newCustomer();
  await customers.publish(completed(1, maya));
  await customers.publish(storeMessage(storeId, ['customers'], 2));
  await customers.publish(completed(2, maya));
  expect(await moved(maya)).toEqual([10]);
  await customers.publish(voided(1, maya), voided(2, maya));
  await customers.publish(storeMessage(storeId, ['customers', 'loyalty'], 3));
  expect(await standing(maya)).toEqual([0, null, '0.00', 0]);
  expect(await moved(maya)).toEqual([10, -10]);
});

test('D221: the sale says whether the plan had loyalty, also for a store not known yet', async () => {
  const unknown = storeId + 500_000;
  const maya = await newCustomer(staffOf(unknown));
  const sold = (id: number, loyalty: boolean) => saleMessage(unknown, 'completed', { id, customer_id: maya, loyalty });
  const events = await customers.eventsOf(unknown, () => customers.publish(sold(1, true)));
  expect(events.map(({ body }) => body.data.loyalty_points)).toEqual([10]);
  await customers.publish(storeMessage(unknown, ['customers', 'loyalty']), sold(1, true), sold(2, false));
  await customers.publish(storeMessage(unknown, ['customers'], 2), sold(3, true));
  expect(await customers.loyalty(maya, keyOf(unknown))).toMatchObject({ loyalty_points: 20, visit_count: 3 });
});

test('D221, note 0145: points stop at the limit, spend does not; a void undoes the sum', async () => {
  const maya = await newCustomer();
  await customers.run('update customers.customers set loyalty_points = 1000000000000 - 7 where id = $1', [maya]);
  const dear = { subtotal: '999999999999.00', total: '999999999999.00' };
  await customers.publish(completed(1, maya, dear), completed(2, maya, dear), voided(2, maya, dear));
  expect(await standing(maya)).toEqual([1_000_000_000_000, null, '999999999999.00', 1]);
  await customers.publish(completed(3, maya, dear));
  expect(await standing(maya)).toEqual([1_000_000_000_000, null, '1999999999998.00', 2]);
  await customers.publish(voided(3, maya, dear), voided(1, maya, dear));
  expect(await standing(maya)).toEqual([999_999_999_993, null, '0.00', 0]);
  expect(await moved(maya)).toEqual([7, -7]);
  expect(await customers.letters()).toEqual([]);
});

test('D224: one customer.updated per customer and commit, none if nothing changed', async () => {
  const [maya, noor] = [await newCustomer(), await newCustomer()];
  customers.clock.advance(60_000);
  const batch = [completed(1, maya), completed(2, noor), completed(3, maya), completed(4, null)];
  const events = await emitted(() => customers.publish(...batch));
  expect(events.map(({ name, body }) => [name, body.data.id, body.data.lifetime_spend, body.data.visit_count])).toEqual([
    ['customer.updated', maya, '24.00', 2],
    ['customer.updated', noor, '12.00', 1],
  ]);
  const { updated_at } = await customers.get(maya);
  expect(updated_at).toBe(customers.clock.now().toISOString());
  customers.clock.advance(60_000);
  expect(await emitted(() => customers.publish(...batch.map((one) => ({ ...one, id: randomUUID() }))))).toEqual([]);
  expect(await emitted(() => customers.publish(completed(5, maya), voided(5, maya)))).toEqual([]);
  expect(await moved(maya)).toEqual([10, 10, 10, -10]);
  expect((await customers.get(maya)).updated_at).toBe(updated_at);
});

test('D222: a void that comes before its completion earns and takes nothing', async () => {
  const maya = await newCustomer();
  await customers.publish(voided(1, maya));
  await customers.publish(completed(1, maya));
  expect(await standing(maya)).toEqual([0, null, '0.00', 0]);
  expect(await ledger(maya)).toEqual([]);
});

test('D164: voiding a sale that never counted, or without a customer, moves nothing', async () => {
  const maya = await newCustomer();
  await customers.publish(voided(1, maya, { counted: false }), completed(2, null), voided(2, null));
  expect(await standing(maya)).toEqual([0, null, '0.00', 0]);
  await customers.publish(completed(1, maya));
  expect(await standing(maya)).toEqual([10, null, '12.00', 1]);
});

describe('D223: the tier', () => {
  test('rises with spend and visits, falls with a void, each in the one event', async () => {
    await customers.tier({ name: 'Base', level: 1 });
    await customers.tier({ name: 'Gold', level: 2, minimum_lifetime_spend: 20, minimum_visits: 2, points_multiplier: 2 });
    const maya = await newCustomer();
    const events: Json[] = [];
    for (const message of [completed(1, maya, { total: '30.00' }), completed(2, maya), completed(3, maya)])
      events.push(...(await emitted(() => customers.publish(message))));
    // The sale that reaches Gold still counts by the tier that was held when it was handled.
    expect(events.map(({ body }) => [body.data.loyalty_tier, body.data.loyalty_points])).toEqual([
      ['Base', 10],
      ['Gold', 20],
      ['Gold', 40],
    ]);
    await customers.publish(voided(1, maya), voided(2, maya));
    expect(await standing(maya)).toEqual([20, 'Base', '12.00', 1]);
  });

  test('a sale and a change of tiers at once: everybody ends on the tier they reached', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => newCustomer()));
    await Promise.all([
      ...ids.map((id, n) => customers.publish(completed(n + 1, id))),
      customers.tier({ name: 'Silver', level: 1, minimum_visits: 1 }).then(() => rankCustomers(customers.app)),
    ]);
    expect(await Promise.all(ids.map(async (id) => (await standing(id))[1]))).toEqual(Array(6).fill('Silver'));
  });
});

test('D224, D225: an archived customer counts without events; an unknown one does not', async () => {
  const maya = await newCustomer();
  await customers.archive(maya);
  expect(await emitted(() => customers.publish(completed(1, maya), completed(2, 999_999), completed(3, null)))).toEqual([]);
  expect(await moved(maya)).toEqual([10]);
  const [row] = await customers.run<Json>('select lifetime_spend, visit_count from customers.customers where id = $1', [maya]);
  expect(row).toEqual({ lifetime_spend: '12.00', visit_count: 1 });
  expect(await customers.letters()).toEqual([]);
});

test("another store's customer of that id is not moved", async () => {
  const [theirs, own] = [await newCustomer(), keyOf(storeId)];
  newStore();
  await customers.publish(completed(1, theirs));
  expect((await customers.get(theirs, own)).lifetime_spend).toBe('0.00');
});

test.each<[string, object | null]>([
  ['no sale', null],
  ['no id', { id: '1' }],
  ['a customer that is no id', { customer_id: 'x' }],
  ['a total that is no amount', { total: 'a lot' }],
])('an event with %s goes to dead_letters, and the others of its batch are handled', async (_what, changes) => {
  const maya = await newCustomer();
  const bad = { ...completed(1, maya, changes ?? {}), ...(changes === null && { internal: null }) };
  await customers.publish(bad, completed(2, maya));
  expect(await standing(maya)).toEqual([10, null, '12.00', 1]);
  expect(await customers.letters()).toHaveLength(1);
});

interface Reference {
  points: number;
  cents: number;
  visits: number;
  seen: Map<number, { points: number; cents: number } | 'voided'>;
}
const reachesGold = ({ cents, visits }: Reference) => cents >= 3_000 && visits >= 2;

/** One sale after the other, by the words of D221 to D223. */
function handle(state: Reference, kind: 'completed' | 'voided', id: number, cents: number): void {
  const before = state.seen.get(id);
  const move = (sign: number, by: { points: number; cents: number }) => {
    state.points += sign * by.points;
    state.cents += sign * by.cents;
    state.visits += sign;
  };
  if (kind === 'voided') {
    if (before !== undefined && before !== 'voided') move(-1, before);
    state.seen.set(id, 'voided');
  } else if (before === undefined) {
    const added = { points: Math.floor((cents * (reachesGold(state) ? 2.5 : 1)) / 100), cents };
    state.seen.set(id, added);
    move(1, added);
  }
}

test('any sales, voids and repetitions in any batches end as one sale after the other', async () => {
  await customers.tier({ name: 'Base', level: 1 });
  await customers.tier({ name: 'Gold', level: 2, minimum_lifetime_spend: 30, minimum_visits: 2, points_multiplier: 2.5 });
  const step = fc.record({
    kind: fc.constantFrom('completed' as const, 'completed' as const, 'voided' as const),
    id: fc.integer({ min: 0, max: 7 }),
  });
  let runs = 0;
  await holds(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3_999 }), { minLength: 8, maxLength: 8 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      async (amounts, batches) => {
        const base = ++runs * 100;
        const owners = await Promise.all(
          [0, 1].map(async () => ({ id: await newCustomer(), state: { points: 0, cents: 0, visits: 0, seen: new Map() } as Reference })),
        );
        // Most sales are of one customer, so that its tier moves.
        const ownerOf = (id: number) => owners[id % 4 === 3 ? 1 : 0]!;
        for (const batch of batches) {
          const messages = batch.map(({ kind, id }) => {
            const amount = (amounts[id]! / 100).toFixed(2);
            return (kind === 'completed' ? completed : voided)(base + id, ownerOf(id).id, { subtotal: amount, total: amount });
          });
          await customers.publish(...messages);
          for (const { kind, id } of batch) handle(ownerOf(id).state, kind, id, amounts[id]!);
        }
        for (const { id, state } of owners) {
          const tier = reachesGold(state) ? 'Gold' : 'Base';
          expect(await standing(id)).toEqual([state.points, tier, (state.cents / 100).toFixed(2), state.visits]);
          let points = 0;
          for (const row of await ledger(id)) {
            expect(row).toMatchObject({ points_before: points, points_after: points + row.points });
            points += row.points;
          }
          expect(points).toBe(state.points);
        }
      },
    ),
    { numRuns: 25 },
  );
});
