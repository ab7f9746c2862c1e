/** A stock write is visible in the next read, and stays above zero under concurrency (P24). */
import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const keys: string[] = [];
// Ten keys, so that 1,000 trials stay below every key's limit; each completes a request first.
for (let n = 0; n < 10; n++) {
  const key = await world.newKey(world.store);
  await world.call('GET', '/key', { key });
  keys.push(key);
}

const newProduct = async (name: string) =>
  (await world.call('POST', '/products', { key: keys[0]!, body: { product: { name } } })).body.data.id;
const stockOf = async (key: string, id: number) => (await world.call('GET', `/products/${id}`, { key })).body.data.current_stock;

test('1,000 trials of a stock write and the very next read: none stale', async () => {
  const stale: unknown[] = [];
  const lane = async (key: string, n: number) => {
    const id = await newProduct(`Trial ${n}`);
    let stock = 0;
    for (let trial = 0; trial < 100; trial++) {
      if (trial % 3 === 2) {
        const body = { product_ids: [id], updates: { stock_adjustment: { type: 'add', amount: 1 } } };
        await world.call('PATCH', '/products/bulk_update', { key, body });
        stock += 1;
      } else {
        const body = { product_id: id, adjustment_type: 'receive', quantity_change: 2 };
        await world.call('POST', '/stock_adjustments', { key, body });
        stock += 2;
      }
      const seen = await stockOf(key, id);
      if (seen !== stock) stale.push({ n, trial, stock, seen });
    }
  };
  await Promise.all(keys.map(lane));
  expect(stale).toEqual([]);
}, 180_000);

test('P24: subtract of bulk_update never goes below zero, 20 at once', async () => {
  const id = await newProduct('Floor');
  await world.call('POST', '/stock_adjustments', {
    key: keys[0]!,
    body: { product_id: id, adjustment_type: 'receive', quantity_change: 10 },
  });
  const body = { product_ids: [id], updates: { stock_adjustment: { type: 'subtract', amount: 3 } } };
  await Promise.all(Array.from({ length: 20 }, (_, n) => world.call('PATCH', '/products/bulk_update', { key: keys[n % 10]!, body })));
  const { data } = (await world.call('GET', `/stock_adjustments?product_id=${id}`, { key: keys[0]! })).body;
  expect(Math.min(...data.map((row: { quantity_after: number }) => row.quantity_after))).toBe(0);
  expect(await stockOf(keys[0]!, id)).toBe(0);
});
