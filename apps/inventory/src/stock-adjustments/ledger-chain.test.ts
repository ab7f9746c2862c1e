import { expect, test } from '@jest/globals';
import { rerunsOf } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { inventory, keyOf, shareInventory } from '../../test/inventory-under-test.ts';
import type { AdjustmentRow } from './stock-adjustment.ts';

let storeId = 400;

shareInventory();

type Move =
  | { kind: 'adjust'; type: string; by: string }
  | { kind: 'count'; to: string }
  | { kind: 'set' | 'add' | 'subtract'; amount: string };

const places = (text: number): string => (text / 1_000).toFixed(3);
const amount = fc.integer({ min: 1, max: 50_000 }).map(places);
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    kind: fc.constant('adjust' as const),
    type: fc.constantFrom('receive', 'damage', 'count'),
    by: fc
      .integer({ min: -50_000, max: 50_000 })
      .filter((value) => value !== 0)
      .map(places),
  }),
  fc.record({ kind: fc.constant('count' as const), to: amount }),
  fc.record({ kind: fc.constantFrom('set' as const, 'add' as const, 'subtract' as const), amount }),
);

async function apply(step: Move, productId: number, store: number): Promise<void> {
  const caller = keyOf(store);
  if (step.kind === 'adjust') {
    await inventory.adjust({ product_id: productId, adjustment_type: step.type, quantity_change: step.by }, caller);
  } else if (step.kind === 'count') {
    await inventory.adjust({ product_id: productId, adjustment_type: 'inventory', counted_quantity: step.to }, caller);
  } else {
    await inventory.bulk({ product_ids: [productId], updates: { stock_adjustment: { type: step.kind, amount: step.amount } } }, caller);
  }
}

/** What the same move makes of thousandths, worked out apart from the code under test. */
function model(stock: number, step: Move): number {
  const value = (text: string) => Math.round(Number(text) * 1_000);
  if (step.kind === 'adjust') return stock + value(step.by);
  if (step.kind === 'count') return value(step.to);
  if (step.kind === 'set') return value(step.amount);
  if (step.kind === 'add') return stock + value(step.amount);
  return stock <= 0 ? stock : Math.max(0, stock - value(step.amount));
}

type ChainRow = Pick<AdjustmentRow, 'quantity_before' | 'quantity_change' | 'quantity_after'>;

/** The product's rows in the order they were written, checked link by link; returns where the chain ends. */
async function walkChain(store: number, productId: number): Promise<{ rows: number; end: number; breaks: number }> {
  const rows = await inventory.db.read<ChainRow>(
    `select quantity_before, quantity_change, quantity_after from inventory.stock_adjustments
     where store_id = $1 and product_id = $2 order by created_at, id`,
    [store, productId],
  );
  const thousandths = (text: string) => Math.round(Number(text) * 1_000);
  let stock = 0;
  let breaks = 0;
  for (const row of rows) {
    if (thousandths(row.quantity_before) !== stock) breaks += 1;
    if (thousandths(row.quantity_before) + thousandths(row.quantity_change) !== thousandths(row.quantity_after)) breaks += 1;
    stock = thousandths(row.quantity_after);
  }
  return { rows: rows.length, end: stock, breaks };
}

test('whatever is done: before + change = after, rows form one chain, stock is its end', async () => {
  await holds(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (steps) => {
      storeId += 1;
      const productId = storeId;
      inventory.catalog.products.set(productId, { storeId, name: 'Tea' });
      for (const step of steps) await apply(step, productId, storeId);
      const { end, breaks } = await walkChain(storeId, productId);
      expect(breaks).toBe(0);
      expect(end).toBe(steps.reduce(model, 0));
      expect(Math.round((await inventory.stockOf(storeId, productId)) * 1_000)).toBe(end);
    }),
    { numRuns: 40 },
  );
});

/** `writers` at once, each with `writes` moves of every kind spread over the products. */
async function writeAtOnce(store: number, productIds: number[], writers: number, writes: number): Promise<void> {
  const kinds: ((n: number) => Move)[] = [
    () => ({ kind: 'add', amount: '1.5' }),
    () => ({ kind: 'subtract', amount: '2' }),
    (n) => ({ kind: 'set', amount: String(n + 1) }),
    () => ({ kind: 'adjust', type: 'damage', by: '-0.001' }),
    (n) => ({ kind: 'count', to: String(n) }),
  ];
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < writes; n++) {
        await apply(kinds[(writer + n) % kinds.length]!(n), productIds[(writer + n) % productIds.length]!, store);
      }
    }),
  );
}

test.each([1, 3])('P24: 50 writers on %i product(s) break no chain, lose no event, never deadlock', async (products) => {
  storeId += 1;
  const productIds = Array.from({ length: products }, (_, index) => storeId * 10 + index);
  for (const id of productIds) inventory.catalog.products.set(id, { storeId, name: 'Tea' });
  expect(await rerunsOf(inventory.db, () => writeAtOnce(storeId, productIds, 50, 6))).toBe(0);
  let rows = 0;
  for (const id of productIds) {
    const chain = await walkChain(storeId, id);
    expect(chain.breaks).toBe(0);
    expect(Math.round((await inventory.stockOf(storeId, id)) * 1_000)).toBe(chain.end);
    rows += chain.rows;
  }
  const events = await inventory.events(storeId);
  expect(events).toHaveLength(rows);
  expect(new Set(events.map((event) => event.body!.resource_id)).size).toBe(rows);
  expect((await inventory.list('', keyOf(storeId))).pagination.total_count).toBe(rows);
  // Events of one product left in the order of its chain, so that the last one carries the last version.
  for (const id of productIds) {
    const versions = events.flatMap((event) => (event.aggregate === `product:${id}` ? [event.internal.stock?.version] : []));
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  }
});

test('bulk updates of the same products in opposite orders never deadlock', async () => {
  storeId += 1;
  const store = storeId;
  const ids = Array.from({ length: 40 }, (_, index) => store * 100 + index);
  for (const id of ids) inventory.catalog.products.set(id, { storeId: store, name: 'Tea' });
  const updates = Array.from({ length: 20 }, (_, n) => () => {
    const order = n % 2 === 0 ? ids : [...ids].reverse();
    return inventory.bulk({ product_ids: order, updates: { stock_adjustment: { type: 'add', amount: 1 } } }, keyOf(store));
  });
  expect(await rerunsOf(inventory.db, () => Promise.all(updates.map((update) => update())))).toBe(0);
  for (const id of ids) expect(await inventory.stockOf(store, id)).toBe(20);
});
