import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka, testRedis } from '@store/testbed';
import { ask, type FleetWorld, openFleetWorld, until, untilMinuteIsYoung } from './fleet-world.ts';

const startMs = 120_000;
const gateways = 4;

describeWithKafka(`one process per app, four gateways${testRedis() ? '' : ' (needs Redis)'}`, () => {
  let world: FleetWorld;
  beforeAll(async () => {
    world = await openFleetWorld({ gateways });
  }, startMs);
  afterAll(() => world?.close(), startMs);

  test('what one gateway wrote the other reads, and a stock write is visible in the very next read', async () => {
    const { key } = await world.newKey();
    const made = await ask(`${world.api[0]}/products`, { method: 'POST', key, body: '{"product":{"name":"Lantern"}}' });
    expect(made.status).toBe(201);
    const { id } = (made.body as { data: { id: number } }).data;
    for (let round = 1; round <= 20; round++) {
      const body = JSON.stringify({ product_id: id, adjustment_type: 'receive', quantity_change: 1 });
      expect((await ask(`${world.api[round % gateways]}/stock_adjustments`, { method: 'POST', key, body })).status).toBe(201);
      const read = await ask(`${world.api[(round + 1) % gateways]}/products/${id}`, { key });
      expect((read.body as { data: { current_stock: number } }).data.current_stock).toBe(round);
    }
  });

  test('a change made through a key is in the audit trail soon, through Kafka (D183: within a second on a quiet machine)', async () => {
    const { id, key } = await world.newKey();
    expect((await ask(`${world.api[1]}/products`, { method: 'POST', key, body: '{"product":{"name":"Audited"}}' })).status).toBe(201);
    await until(async () => {
      const trail = await ask(`${world.api[0]}/audit_entries?key_id=${id}`, { token: world.token });
      return (trail.body as { audit_entries: unknown[] }).audit_entries.length === 1;
    }, 60_000);
  });

  test('one key is admitted exactly its limit per minute over all gateways', async () => {
    const { key } = await world.newKey({ rate_limit: 7 });
    await untilMinuteIsYoung(world.database);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => (await ask(`${world.api[n % gateways]}/products`, { key })).status),
    );
    // A cold key has 60; once a request has completed, the key's own limit of 7 applies, and the count is shared.
    const admitted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(admitted).toBeLessThanOrEqual(60);
    expect(
      await whileRedisAnswers(world, async () => {
        const warm = await world.newKey({ rate_limit: 100 });
        const first = await ask(`${world.api[0]}/products`, { key: warm.key });
        const more = await Promise.all(
          Array.from({ length: 300 }, async (_, n) => (await ask(`${world.api[n % gateways]}/products`, { key: warm.key })).status),
        );
        return [first.status, ...more].filter((status) => status === 200).length;
      }),
    ).toBe(100);
  });

  test('no request that started after a revocation answered is accepted, 100 times under load', async () => {
    for (let round = 0; round < 100; round++) {
      const { id, key } = await world.newKey();
      expect((await ask(`${world.api[1]}/key`, { key })).status).toBe(200);
      const underWay = Array.from({ length: gateways }, (_, n) => ask(`${world.api[n % gateways]}/products`, { key }));
      const revoked = await ask(`${world.api[0]}/api_keys/${id}`, { method: 'DELETE', token: world.token });
      expect(revoked.status).toBe(200);
      const after = await Promise.all(Array.from({ length: gateways }, (_, n) => ask(`${world.api[n % gateways]}/products`, { key })));
      expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      await Promise.all(underWay);
    }
  }, 120_000);
});

/** Repeats a count during which Redis answered too late on a busy machine: each process then counts for itself (D14). */
async function whileRedisAnswers<T>(world: FleetWorld, count: () => Promise<T>): Promise<T> {
  const complaints = () =>
    world.api
      .map((_, n) => world.log(n === 0 ? 'gateway' : `gateway-${n + 1}`))
      .join('')
      .split('Redis').length;
  for (let tries = 1; ; tries++) {
    await untilMinuteIsYoung(world.database);
    const before = complaints();
    const counted = await count();
    if (complaints() === before || tries === 3) return counted;
    // The breaker tries Redis again after a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}
