import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { describeWithKafka, testRedis } from '@store/testbed';
import { type FleetWorld, untilMinuteIsYoung } from '../kit/fleet-world.ts';
import { send } from '../kit/http.ts';
import { useFleet } from '../kit/use.ts';

const gateways = 4;

describeWithKafka(`one process per app, four gateways${testRedis() ? '' : ' (needs Redis)'}`, () => {
  const world = useFleet({ gateways });

  test('what one gateway wrote the other reads, and stock in the very next read', async () => {
    const { key } = await world.newKey();
    const created = await world.call('POST', '/products', { key, body: { product: { name: 'Lantern' } } });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    for (let round = 1; round <= 20; round++) {
      const body = { product_id: id, adjustment_type: 'receive', quantity_change: 1 };
      expect((await send('POST', `${world.api[round % gateways]}/stock_adjustments`, { key, body })).status).toBe(201);
      const read = await send('GET', `${world.api[(round + 1) % gateways]}/products/${id}`, { key });
      expect(read.body.data.current_stock).toBe(round);
    }
  });

  test('one key is admitted exactly its limit per minute over all gateways', async () => {
    const { key } = await world.newKey({ rate_limit: 7 });
    await untilMinuteIsYoung(world.database);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => (await send('GET', `${world.api[n % gateways]}/products`, { key })).status),
    );
    // A cold key has 60; once a request has completed, the key's own limit of 7 applies, and the count is shared.
    const admitted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(admitted).toBeLessThanOrEqual(60);
    expect(
      await whileRedisAnswers(world, async () => {
        const warm = await world.newKey({ rate_limit: 100 });
        const first = await world.call('GET', '/products', { key: warm.key });
        const more = await Promise.all(
          Array.from({ length: 300 }, async (_, n) => (await send('GET', `${world.api[n % gateways]}/products`, { key: warm.key })).status),
        );
        return [first.status, ...more].filter((status) => status === 200).length;
      }),
    ).toBe(100);
  });

  test('no request that started after a revocation is accepted, 100 times under load', async () => {
    for (let round = 0; round < 100; round++) {
      const { id, key } = await world.newKey();
      expect((await send('GET', `${world.api[1]}/key`, { key })).status).toBe(200);
      const underWay = Array.from({ length: gateways }, (_, n) => send('GET', `${world.api[n % gateways]}/products`, { key }));
      const revoked = await world.call('DELETE', `/api_keys/${id}`, { token: world.token });
      expect(revoked.status).toBe(200);
      const after = await Promise.all(
        Array.from({ length: gateways }, (_, n) => send('GET', `${world.api[n % gateways]}/products`, { key })),
      );
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
    await wait(1_500);
  }
}
