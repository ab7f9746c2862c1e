/** Sales move their customers' spend and visits once each, in whatever order and however often they are received. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Message, SaleFact } from '@store/events';
import type { Json } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { keyOf, staffOf } from '../../test/customers-under-test.ts';
import { customers, key, newStore, shareCustomers, storeId } from '../../test/shared-customers.ts';

shareCustomers();
beforeEach(async () => {
  await customers.publish({ ...message('store.changed', 1), internal: { store: { timeZone: 'Europe/London', features: ['customers'] } } });
});

function message(name: string, saleId: number, store = storeId): Message {
  return {
    id: randomUUID(),
    topic: 'sales.events',
    storeId: store,
    name,
    aggregate: `sale:${saleId}`,
    public: null,
    internal: null,
    actor: { type: 'user', key: null, user: { id: 7, name: 'Cleo Clerk' } },
    requestId: 'r',
    createdAt: '2026-11-20T12:00:00.000Z',
    version: 1,
  };
}

function sale(kind: 'completed' | 'voided', id: number, customerId: number | null, changes: Partial<SaleFact> = {}): Message {
  const amounts = { subtotal: '12.50', discount_amount: '0.00', total: '15.00', store_credit: '0.00' };
  const fact = { id, receipt_number: `R-${id}`, counted: true, customer_id: customerId, ...amounts, user: null, lines: [], ...changes };
  return { ...message(`sale.${kind}`, id), internal: { sale: fact } };
}

const standing = async (id: number) => {
  const { lifetime_spend, visit_count } = await customers.get(id, key);
  return [lifetime_spend, visit_count];
};
const create = async (name = 'Maya'): Promise<number> => (await customers.create({ name }, key, { force_create: true })).id;
const letters = () => customers.run<Json>("select error from customers.dead_letters where (message->>'storeId')::bigint = $1", [storeId]);

test('a completed sale adds its total and one visit; its void takes exactly that back', async () => {
  const maya = await create();
  await customers.publish(sale('completed', 1, maya), sale('completed', 2, maya, { total: '0.99' }));
  expect(await standing(maya)).toEqual(['15.99', 2]);
  await customers.publish(sale('voided', 1, maya, { total: '15.00' }));
  expect(await standing(maya)).toEqual(['0.99', 1]);
});

test('a sale that is received twice, in one batch or in two, under another event id too, counts once', async () => {
  const maya = await create();
  const first = sale('completed', 1, maya);
  await customers.publish(first, first, { ...first, id: randomUUID() });
  await customers.publish(first);
  await customers.publish({ ...first, id: randomUUID() });
  expect(await standing(maya)).toEqual(['15.00', 1]);
  for (const id of [randomUUID(), randomUUID()]) await customers.publish({ ...sale('voided', 1, maya), id });
  expect(await standing(maya)).toEqual(['0.00', 0]);
});

test('D222: a void that is received before its completion leaves a mark; the completion then counts nothing', async () => {
  const maya = await create();
  await customers.publish(sale('voided', 1, maya));
  await customers.publish(sale('completed', 1, maya));
  expect(await standing(maya)).toEqual(['0.00', 0]);
});

test('D164: the void of a sale that never counted moves nothing, nor does a sale without a customer', async () => {
  const maya = await create();
  await customers.publish(sale('voided', 1, maya, { counted: false }), sale('completed', 2, null), sale('voided', 2, null));
  expect(await standing(maya)).toEqual(['0.00', 0]);
  await customers.publish(sale('completed', 1, maya));
  expect(await standing(maya)).toEqual(['15.00', 1]);
});

describe('events', () => {
  test('D224: one customer.updated per customer and commit, with the new spend; none where nothing changed', async () => {
    const [maya, noor] = [await create('Maya'), await create('Noor')];
    customers.clock.advance(60_000);
    const batch = [sale('completed', 1, maya), sale('completed', 2, noor), sale('completed', 3, maya), sale('completed', 4, null)];
    const events = await customers.eventsOf(storeId, () => customers.publish(...batch));
    expect(events.map(({ name, body }) => [name, body.data.id, body.data.lifetime_spend, body.data.visit_count])).toEqual([
      ['customer.updated', maya, '30.00', 2],
      ['customer.updated', noor, '15.00', 1],
    ]);
    expect(events[0]!.body.data.updated_at).toBe(customers.clock.now().toISOString());
    const again = () => customers.publish(...batch.map((one) => ({ ...one, id: randomUUID() })));
    expect(await customers.eventsOf(storeId, again)).toEqual([]);
    const andBack = () => customers.publish(sale('completed', 5, maya), sale('voided', 5, maya));
    expect(await customers.eventsOf(storeId, andBack)).toEqual([]);
  });

  test('D225: an archived customer keeps what its sales add, and nobody is told', async () => {
    const maya = await create();
    await customers.archive(maya, staffOf(storeId));
    expect(await customers.eventsOf(storeId, () => customers.publish(sale('completed', 1, maya)))).toEqual([]);
    const [row] = await customers.run<Json>('select lifetime_spend, visit_count from customers.customers where id = $1', [maya]);
    expect(row).toEqual({ lifetime_spend: '15.00', visit_count: 1 });
  });
});

test("another store's customer of that id is not moved", async () => {
  const theirs = await create();
  const own = keyOf(storeId);
  newStore();
  await customers.publish(sale('completed', 1, theirs));
  expect((await customers.get(theirs, own)).lifetime_spend).toBe('0.00');
});

test.each<[string, object | null]>([
  ['no sale', null],
  ['no id', { id: '1' }],
  ['a customer that is no id', { customer_id: 'x' }],
  ['a total that is no amount', { total: 'a lot' }],
])('an event with %s goes to dead_letters, and the others of its batch are handled', async (_what, changes) => {
  const maya = await create();
  const bad = sale('completed', 1, maya, changes ?? {});
  if (changes === null) bad.internal = null;
  await customers.publish(bad, sale('completed', 2, maya));
  expect(await standing(maya)).toEqual(['15.00', 1]);
  expect(await letters()).toHaveLength(1);
});

test('any batches of completions and voids, repeated and reordered, leave the sum of the sales that were not voided', async () => {
  const received = fc.record({ sale: fc.integer({ min: 1, max: 8 }), kind: fc.constantFrom('completed' as const, 'voided' as const) });
  const batches = fc.array(fc.array(received, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
  await holds(
    fc.asyncProperty(batches, async (rounds) => {
      newStore();
      const owners = [await create('Maya'), await create('Noor')];
      const ownerOf = (id: number) => owners[id % 2]!;
      const total = (id: number) => `${id}.${id}5`;
      for (const round of rounds) {
        await customers.publish(...round.map((one) => sale(one.kind, one.sale, ownerOf(one.sale), { total: total(one.sale) })));
      }
      const all = rounds.flat();
      const counting = [...new Set(all.filter(({ kind }) => kind === 'completed').map((one) => one.sale))].filter(
        (id) => !all.some((one) => one.kind === 'voided' && one.sale === id),
      );
      for (const owner of owners) {
        const mine = counting.filter((id) => ownerOf(id) === owner);
        const spend = mine.reduce((sum, id) => sum + Math.round(Number(total(id)) * 100), 0);
        expect(await standing(owner)).toEqual([(spend / 100).toFixed(2), mine.length]);
      }
    }),
    { numRuns: 25 },
  );
});
