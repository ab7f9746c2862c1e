/** total_count of the unfiltered list is kept, not counted (D192): it must still be exact. */
import { expect, test } from '@jest/globals';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { keyOf, staffOf } from '../../test/catalog-under-test.ts';
import { catalog, shareCatalog } from '../../test/shared-catalog.ts';
import { foldOnce } from './fold-totals.ts';

let storeId = 0;

shareCatalog();

type Step =
  | { do: 'create'; active: boolean }
  | { do: 'upsert'; sku: number; active: boolean }
  | { do: 'activate' | 'deactivate' | 'delete' | 'restore' | 'nest' | 'lift'; nth: number }
  | { do: 'fold' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), active: fc.boolean() }),
  fc.record({ do: fc.constant('upsert' as const), sku: fc.integer({ min: 0, max: 3 }), active: fc.boolean() }),
  fc.record({
    do: fc.constantFrom(
      'activate' as const,
      'deactivate' as const,
      'delete' as const,
      'restore' as const,
      'nest' as const,
      'lift' as const,
    ),
    nth: fc.nat(5),
  }),
  fc.constant({ do: 'fold' as const }),
);

/** Refusals (a deleted product, a taken sku) are expected among random steps; only totals are checked. */
async function play(step: Step, ids: number[], first: number): Promise<void> {
  const staff = staffOf(storeId);
  if (step.do === 'fold') return foldOnce(catalog.db);
  if (step.do === 'create') ids.push((await catalog.product({ name: 'n', active: step.active }, staff)).id);
  else if (step.do === 'upsert') {
    await catalog.body('BulkUpsert', { products: [{ sku: `s${step.sku}`, name: 'n', active: step.active }] }, staff);
  } else {
    const id = ids[step.nth % Math.max(ids.length, 1)];
    if (id === undefined) return;
    const change = (product: object) => catalog.body('UpdateProduct', { product }, staff, { id });
    if (step.do === 'activate' || step.do === 'deactivate') await change({ active: step.do === 'activate' });
    else if (step.do === 'nest') await change({ parent_id: first });
    else if (step.do === 'lift') await change({ parent_id: null });
    else await catalog.call(step.do === 'delete' ? 'DeleteProduct' : 'RestoreProduct', { id: String(id) }, staff);
  }
}

test('D43: it equals count(*) after any concurrent creates, deletes, restores, moves and switches', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 4, maxLength: 24 }),
    fc.integer({ min: 1, max: 6 }),
    async (steps, width) => {
      storeId += 1;
      const first = (await catalog.product({ name: 'first' }, keyOf(storeId))).id;
      const ids: number[] = [];
      for (let from = 0; from < steps.length; from += width) {
        await Promise.allSettled(steps.slice(from, from + width).map((each) => play(each, ids, first)));
      }
      const [counted] = await catalog.run<{ n: string }>(
        'select count(*) as n from catalog.products where store_id = $1 and active and deleted_at is null and parent_id is null',
        [storeId],
      );
      expect((await catalog.list('', keyOf(storeId))).pagination.total_count).toBe(Number(counted!.n));
    },
  );
  await holds(property, { numRuns: 40 });
  expect(catalog.lines).toEqual([]);
});

test('folding keeps the sum and leaves one row', async () => {
  storeId += 1;
  for (let n = 0; n < 40; n++) await catalog.product({ name: `n${n}` }, keyOf(storeId));
  const rows = () => catalog.run('select delta from catalog.product_totals where store_id = $1', [storeId]);
  expect((await rows()).length).toBe(40);
  await Promise.all([foldOnce(catalog.db), foldOnce(catalog.db)]);
  expect((await rows()).length).toBe(1);
  expect((await catalog.list('', keyOf(storeId))).pagination.total_count).toBe(40);
});

test('only an update that lists or unlists a product calls the trigger of the total: a change of stock does not', async () => {
  storeId += 1;
  await catalog.product({ name: 'n' }, keyOf(storeId));
  const explained = async (change: string) =>
    JSON.stringify(await catalog.run(`explain (analyze, costs off) update catalog.products set ${change} where store_id = $1`, [storeId]));
  expect(await explained('stock = stock + 1, updated_at = now()')).not.toMatch(/count_updated/);
  expect(await explained('active = false')).toMatch(/count_updated/);
  expect((await catalog.list('', keyOf(storeId))).pagination.total_count).toBe(0);
});
