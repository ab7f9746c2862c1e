/** average_cost and cost: what receipts make of them, whatever order and number the events come in. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ReceiptFact, ReceivedLine } from '@store/events';
import { testMessage } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { catalog, key, keyOf, shareCatalog, staff, staffOf, storeId, updateProduct } from '../../test/catalog-under-test.ts';

let lastId = 1_000;
let versions = 1_000;
shareCatalog();

const nextId = () => ++lastId;
const newProduct = async (fields: object = {}): Promise<number> =>
  (await catalog.product({ name: `Product ${nextId()}`, ...fields }, staff)).id;

const line = (product_id: number | null, fields: Partial<ReceivedLine> = {}): ReceivedLine => ({
  line_id: nextId(),
  product_id,
  quantity: '1.000',
  unit_cost: '1.00',
  landed_cost: fields.unit_cost === undefined ? '1.00' : fields.unit_cost,
  received_at: '2026-11-21T00:00:00.000Z',
  ...fields,
});

function receiptOf(lines: ReceivedLine[]) {
  const version = ++versions;
  const receipt: ReceiptFact = { order_id: 1, order_number: 'PO-1', number: version, user: null, moved: [], lines };
  const order = { name: 'purchase_order.receipt', aggregate: 'purchase_order:1' };
  return testMessage('purchasing', { storeId, ...order, internal: { receipt }, version });
}

const arrive = (...lines: ReceivedLine[]): Promise<void> => catalog.publish(receiptOf(lines));

const costsOf = async (id: number) => {
  const { cost, average_cost } = await catalog.get(id, key);
  return { cost, average_cost };
};

test('D168: average_cost is weighted by quantity, cost is the latest landed cost', async () => {
  const id = await newProduct();
  expect(await costsOf(id)).toEqual({ cost: undefined, average_cost: undefined });
  await arrive(
    line(id, { quantity: '10.000', unit_cost: '1.00', landed_cost: '1.25', received_at: '2026-11-21T10:00:00.000Z' }),
    line(id, { quantity: '5.000', unit_cost: '2.00', landed_cost: '2.10', received_at: '2026-11-21T09:00:00.000Z' }),
  );
  expect(await costsOf(id)).toEqual({ cost: '1.25', average_cost: '1.33' });
});

test('D246: lines without a cost, a quantity or a product do not count', async () => {
  const id = await newProduct();
  const late = '2026-11-22T00:00:00.000Z';
  await arrive(
    line(id, { unit_cost: '3.00', landed_cost: '3.00' }),
    line(id, { quantity: '9.000', unit_cost: null, landed_cost: null, received_at: late }),
    line(id, { quantity: '0.000', unit_cost: '9.00', landed_cost: '9.00', received_at: late }),
    line(null, { unit_cost: '9.00' }),
  );
  expect(await costsOf(id)).toEqual({ cost: '3.00', average_cost: '3.00' });
});

test('D60: a batch that changes costs and stock emits one product.updated', async () => {
  const id = await newProduct();
  const arrived = receiptOf([line(id, { unit_cost: '3.00', landed_cost: '3.00' })]);
  const stocked = { ...receiptOf([]), topic: 'inventory.events', internal: { stock: { product_id: id, stock: '5.000', version: 1 } } };
  const events = await catalog.eventsOf(storeId, () => catalog.publish(arrived, stocked));
  expect(events.map(({ name, aggregate, body }) => [name, aggregate, body.data.current_stock])).toEqual([
    ['product.updated', `product:${id}`, 5],
  ]);
  expect(await costsOf(id)).toEqual({ cost: '3.00', average_cost: '3.00' });
});

interface State {
  product: 0 | 1 | null;
  quantity: number;
  cost: number | null;
  received: number;
}
const state: fc.Arbitrary<State> = fc.record({
  product: fc.constantFrom(0 as const, 1 as const, null),
  quantity: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_999_999 })),
  cost: fc.option(fc.integer({ min: 0, max: 9_999_999 })),
  received: fc.integer({ min: 0, max: 5 }),
});
const decimal = (units: number, scale: number) => {
  const digits = String(units).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};
const receivedAt = (day: number) => `2026-12-0${day + 1}T00:00:00.000Z`;

/** Worked out apart from the code under test: the last state of each line, whole thousandths and cents, one rounding. */
function expected(lines: { id: number; states: State[] }[], product: 0 | 1) {
  const counted = lines.flatMap(({ id, states }) => {
    const last = states.at(-1)!;
    return last.product === product && last.quantity > 0 && last.cost !== null ? [{ id, ...last, cost: last.cost }] : [];
  });
  if (counted.length === 0) return { cost: undefined, average_cost: undefined };
  let [worth, quantity] = [0n, 0n];
  for (const one of counted) {
    worth += BigInt(one.quantity) * BigInt(one.cost);
    quantity += BigInt(one.quantity);
  }
  const whole = worth / quantity;
  const isHalf = 2n * (worth - whole * quantity) >= quantity;
  const latest = counted.sort((a, b) => a.received - b.received || a.id - b.id).at(-1)!;
  return { average_cost: decimal(Number(isHalf ? whole + 1n : whole), 2), cost: decimal(latest.cost + 7, 2) };
}

test('costs are the same exact decimals for receipts in any order, repeated or late', async () => {
  const histories = fc.array(fc.array(state, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  await holds(
    fc.asyncProperty(histories, fc.infiniteStream(fc.nat()), async (all, random) => {
      const products = [await newProduct(), await newProduct()];
      const lines = all.map((states) => ({ id: nextId(), states }));
      const events = lines.flatMap(({ id, states }) =>
        states.map(({ product, quantity, cost, received }) =>
          receiptOf([
            {
              line_id: id,
              product_id: product === null ? null : products[product]!,
              quantity: decimal(quantity, 3),
              unit_cost: cost === null ? null : decimal(cost, 2),
              landed_cost: cost === null ? null : decimal(cost + 7, 2),
              received_at: receivedAt(received),
            },
          ]),
        ),
      );
      const draw = () => random.next().value as number;
      // Some come twice, as another event or the same one; then all of them in any order, in batches of any size.
      const doubled = events.flatMap((event) =>
        draw() % 3 === 0 ? [event, { ...event, id: draw() % 2 ? event.id : randomUUID() }] : [event],
      );
      const shuffled = doubled.map((event) => ({ event, at: draw() })).sort((a, b) => a.at - b.at);
      for (let from = 0; from < shuffled.length; ) {
        const size = 1 + (draw() % 4);
        await catalog.publish(...shuffled.slice(from, from + size).map(({ event }) => event));
        from += size;
      }
      for (const product of [0, 1] as const) expect(await costsOf(products[product]!)).toEqual(expected(lines, product));
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('ten consumers at once with receipts of one product lose none', async () => {
  const id = await newProduct();
  const lines = Array.from({ length: 40 }, (_, n) => line(id, { quantity: '1.000', unit_cost: decimal(100 + n, 2) }));
  await Promise.all(lines.map((one) => arrive(one)));
  expect((await costsOf(id)).average_cost).toBe('1.20');
});

test('D246: a cost written by hand holds until a later receipt, and after its removal', async () => {
  catalog.clock.set('2026-11-21T12:00:00.000Z');
  const id = await newProduct({ cost: '5.00' });
  const at = (received_at: string, cost: string) => line(id, { unit_cost: cost, landed_cost: cost, received_at });
  await arrive(at('2026-11-21T11:00:00.000Z', '1.00'));
  expect(await costsOf(id)).toEqual({ cost: '5.00', average_cost: '1.00' });
  const later = at('2026-11-21T13:00:00.000Z', '3.00');
  await arrive(later);
  expect(await costsOf(id)).toEqual({ cost: '3.00', average_cost: '2.00' });
  catalog.clock.set('2026-11-21T14:00:00.000Z');
  await updateProduct(id, { cost: '6.00' });
  expect((await costsOf(id)).cost).toBe('6.00');
  // An invoice for what came before the writing changes the average alone.
  await arrive({ ...later, unit_cost: '4.00', landed_cost: '4.00' });
  expect(await costsOf(id)).toEqual({ cost: '6.00', average_cost: '2.50' });
  const last = at('2026-11-21T15:00:00.000Z', '7.00');
  await arrive(last);
  expect((await costsOf(id)).cost).toBe('7.00');
  await arrive({ ...last, quantity: '0.000' });
  expect((await costsOf(id)).cost).toBe('6.00');
});

test('D246: bulk_upsert writes a cost by hand as well, where it differs', async () => {
  catalog.clock.set('2026-11-21T12:00:00.000Z');
  const sku = `SKU-${nextId()}`;
  const id = await newProduct({ sku, cost: '5.00' });
  await arrive(line(id, { unit_cost: '3.00', landed_cost: '3.00', received_at: '2026-11-21T13:00:00.000Z' }));
  catalog.clock.set('2026-11-21T14:00:00.000Z');
  const upsert = (cost: string) => catalog.body('BulkUpsert', { products: [{ sku, cost }] }, key);
  await upsert('3.00');
  expect((await costsOf(id)).cost).toBe('3.00');
  await upsert('2.00');
  expect((await costsOf(id)).cost).toBe('2.00');
});

test('a change of costs emits product.updated without costs, a repetition nothing', async () => {
  catalog.clock.set('2026-11-21T12:00:00.000Z');
  const id = await newProduct();
  catalog.clock.set('2026-11-21T12:30:00.000Z');
  const event = receiptOf([line(id, { unit_cost: '3.00' })]);
  const events = await catalog.eventsOf(storeId, () => catalog.publish(event));
  expect(events.map(({ name, aggregate }) => [name, aggregate])).toEqual([['product.updated', `product:${id}`]]);
  expect(events[0]!.text).not.toMatch(/cost/);
  expect((await catalog.get(id, key)).updated_at).toBe('2026-11-21T12:30:00.000Z');
  expect(await catalog.eventsOf(storeId, () => catalog.publish({ ...event, id: randomUUID() }))).toEqual([]);
});

test('costs are shown to costs:read only, and kept on deleted products silently', async () => {
  const id = await newProduct();
  await arrive(line(id, { unit_cost: '3.00' }));
  const blind = await catalog.get(id, keyOf(storeId, { scopes: new Set(['products:read']) }));
  expect(Object.keys(blind).filter((name) => name.includes('cost'))).toEqual([]);
  await catalog.byId('DeleteProduct', id, staff);
  expect(await catalog.eventsOf(storeId, () => arrive(line(id, { unit_cost: '5.00' })))).toEqual([]);
  await catalog.byId('RestoreProduct', id, staff);
  expect((await costsOf(id)).average_cost).toBe('4.00');
});

test('D268: a unit cost of four decimals counts whole in the average', async () => {
  const id = await newProduct();
  await arrive(
    line(id, { quantity: '1000.000', unit_cost: '0.0125', landed_cost: '0.01' }),
    line(id, { quantity: '1000.000', unit_cost: '0.0174', landed_cost: '0.02' }),
  );
  expect((await costsOf(id)).average_cost).toBe('0.01');
  await arrive(line(id, { quantity: '1.000', unit_cost: '0.0550', landed_cost: '0.06' }));
  expect((await costsOf(id)).average_cost).toBe('0.01');
  await arrive(line(id, { quantity: '9.000', unit_cost: '0.0271', landed_cost: '0.03' }));
  expect((await costsOf(id)).average_cost).toBe('0.02');
});

test('another store’s product gets no costs from the store’s receipts', async () => {
  const theirs = (await catalog.product({ name: 'Theirs' }, staffOf(storeId + 1000))).id;
  await arrive(line(theirs, { unit_cost: '3.00' }));
  expect((await catalog.get(theirs, keyOf(storeId + 1000))).average_cost).toBeUndefined();
});

test('a delivery of 1,000 lines takes a bounded number of statements', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => newProduct()));
  const lines = Array.from({ length: 1_000 }, (_, n) => line(ids[n % 20]!));
  expect(await catalog.statementsOf(() => arrive(...lines))).toBeLessThan(20);
  expect(await costsOf(ids[0]!)).toEqual({ cost: '1.00', average_cost: '1.00' });
});

test.each([
  ['no lines', { lines: undefined }],
  ['a quantity that is none', { lines: [line(1, { quantity: 'many' })] }],
  ['a negative cost', { lines: [line(1, { unit_cost: '-1.00' })] }],
  ['a line without an id', { lines: [{ ...line(1), line_id: null }] }],
])('%s waits in dead_letters, and the next receipt is handled', async (_, changes) => {
  const id = await newProduct();
  const bad = receiptOf([]);
  Object.assign(bad.internal!.receipt!, changes);
  await catalog.publish(bad, receiptOf([line(id)]));
  expect((await costsOf(id)).average_cost).toBe('1.00');
  const letters = await catalog.db.read('select 1 from catalog.dead_letters where event_id = $1', [bad.id]);
  expect(letters).toHaveLength(1);
});
