/** Many writes at once, each with an Idempotency-Key, and all of them repeated (P17, D185): none fails for lack of a connection. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Asked, ask, type FleetWorld } from './fleet-world.ts';
import { statuses } from './load.ts';

const startMs = 120_000;
const count = 500;
/** Both bursts together stay below the cold limit of 60 requests a minute. */
const perKey = 25;

/** The tests of bursts, in a world that other tests have opened: starting one takes longer than a burst. */
export const describeBursts = (opened: () => FleetWorld) =>
  describe('a burst', () => {
    let world: FleetWorld;
    let keys: string[];
    let products: number[];
    beforeAll(async () => {
      world = opened();
      keys = await Promise.all(Array.from({ length: count / perKey }, async () => (await world.newKey()).key));
      products = await Promise.all(
        keys.map(async (key) => {
          const made = await ask(`${world.api[0]}/products`, { method: 'POST', key, body: '{"product":{"name":"Burst"}}' });
          return (made.body as { data: { id: number } }).data.id;
        }),
      );
    }, startMs);

    /** All of them at once. */
    async function burst(path: string, method: string, bodyOf: (n: number) => object): Promise<Asked[]> {
      const startedAtMs = performance.now();
      const asked = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          ask(`${world.api[0]}${path}`, {
            method,
            key: keys[Math.floor(n / perKey)],
            body: JSON.stringify(bodyOf(n)),
            idempotencyKey: `${path}-${n}`,
          }),
        ),
      );
      if (process.env.FAULT_REPORT)
        console.error(path, statuses(asked.map((one) => ({ ...one, atMs: 0 }))), performance.now() - startedAtMs);
      return asked;
    }
    const productOf = (n: number) => products[n % products.length];
    const statusesOf = (asked: Asked[]) => [...new Set(asked.map(({ status }) => status))];
    const dataOf = (asked: Asked[]) => asked.map(({ body }) => (body as { data: unknown }).data);

    test.each([
      [
        'POST',
        '/stock_adjustments',
        201,
        (n: number) => ({ product_id: productOf(n), adjustment_type: 'receive', quantity_change: n + 1 }),
      ],
      ['POST', '/products', 201, (n: number) => ({ product: { name: `Burst ${n}` } })],
      [
        'PATCH',
        '/products/bulk_update',
        200,
        (n: number) => ({ product_ids: [productOf(n)], updates: { price: n + 1, current_stock: n + 1 } }),
      ],
    ] as const)(
      `of ${count} writes, %s %s, and of as many repetitions: each is done once and answered, none with a 5xx`,
      async (method, path, status, bodyOf) => {
        const first = await burst(path, method, bodyOf);
        expect(statusesOf(first)).toEqual([status]);
        const again = await burst(path, method, bodyOf);
        expect(statusesOf(again)).toEqual([status]);
        expect(dataOf(again)).toEqual(dataOf(first));
        // The cold limit of each key is counted per minute.
        keys = await Promise.all(Array.from({ length: count / perKey }, async () => (await world.newKey()).key));
      },
      startMs,
    );

    test('of 500 duplicates of one write that is under way: all get its answer', async () => {
      const warm = (await world.newKey()).key;
      await ask(`${world.api[0]}/key`, { key: warm });
      const body = JSON.stringify({ product_id: products[0], adjustment_type: 'receive', quantity_change: 1, reason: 'Once' });
      const send = () => ask(`${world.api[0]}/stock_adjustments`, { method: 'POST', key: warm, body, idempotencyKey: 'one-of-all' });
      const asked = await Promise.all(Array.from({ length: count }, send));
      expect(statusesOf(asked)).toEqual([201]);
      expect(new Set(dataOf(asked).map((data) => JSON.stringify(data))).size).toBe(1);
      const { rowCount } = await world.database.query(`select from inventory.stock_adjustments where reason = 'Once'`);
      expect(rowCount).toBe(1);
    });
  });
