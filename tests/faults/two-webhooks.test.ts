/** Two webhooks processes with POSTs in flight: a wall clock that jumps, and a stop (D195, P13, P21). */
import { expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { runFile } from '../../tools/local/data-dir.ts';
import { openReceiver, type Receiver } from '../kit/receiver.ts';
import { jumpingClock } from '../kit/test-fleet.ts';
import { useFleet } from '../kit/use.ts';

const startMs = 120_000;
const events = 10;
const answerAfterMs = 4_000;
const endedWithinMs = 60_000;

describeWithKafka('Two processes of webhooks', () => {
  let receiver: Receiver;
  const world = useFleet(async (opened) => {
    receiver = await opened(openReceiver({ answerAfterMs }));
    return { besides: { webhooks: 1 }, entry: (app) => [...jumpingClock, runFile(app)], env: receiver.env };
  });

  const newKey = () => world.newKey({ scopes: ['webhooks:manage', 'products:write'] });

  /** In one request, so that their events reach webhooks together: one by one takes longer than the receiver does on a busy machine. */
  async function createProducts(key: string, count: number): Promise<void> {
    const products = Array.from({ length: count }, (_, n) => ({ sku: `${key.slice(-8)}-${n}`, name: `Tea ${n}` }));
    const answer = await world.call('POST', '/products/bulk_upsert', { key, body: { products } });
    expect(answer).toMatchObject({ status: 200, body: { data: { created: count } } });
  }

  const ping = (key: string, subscription: number) => world.call('POST', `/webhook_subscriptions/${subscription}/test`, { key });

  async function deliveries(subscription: number): Promise<string[]> {
    const { rows } = await world.database.query<{ state: string }>(
      'select state from webhooks.deliveries where subscription_id = $1 order by state',
      [subscription],
    );
    return rows.map(({ state }) => state);
  }

  test(
    'a wall clock five minutes ahead ends no lease: every POST goes out once',
    async () => {
      const { key } = await newKey();
      const { id: subscription } = await world.subscribe(key, `${receiver.url}/in`, ['product.created']);
      await createProducts(key, events);
      await until(() => receiver.hooks.length === events, endedWithinMs);
      world.fleet.member('webhooks-2').signal('SIGUSR2');
      await until(async () => (await deliveries(subscription)).every((state) => state === 'succeeded'), endedWithinMs);
      const { rows: attempts } = await world.database.query<{ outcome: string }>('select outcome from webhooks.attempts');
      expect([receiver.hooks.length, attempts.map(({ outcome }) => outcome)]).toEqual([events, Array(events).fill('response')]);
      await world.database.query('update webhooks.subscriptions set active = false');
    },
    startMs + endedWithinMs,
  );

  test(
    'on SIGTERM they stop claiming, even in a call, finish POSTs and exit with 0',
    async () => {
      const { key } = await newKey();
      const { id: subscription } = await world.subscribe(key, `${receiver.url}/in`, ['product.created']);
      // At another host: deliveries may have all ten places of theirs (D256).
      const { id: pings } = await world.subscribe(key, `${receiver.urls[1]}/in`, ['product.deleted']);
      const before = receiver.hooks.length;
      await createProducts(key, 3 * events);
      await until(() => receiver.hooks.length === before + events, endedWithinMs);
      const pinged = ping(key, pings);
      await until(() => receiver.hooks.length === before + events + 1, endedWithinMs);
      const members = ['webhooks', 'webhooks-2'].map((name) => world.fleet.member(name));
      await Promise.all(members.map((member) => member.stop()));
      expect((await pinged).status).toBe(200);
      expect(members.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
      expect(receiver.hooks.length).toBe(before + events + 1);
      expect(await deliveries(subscription)).toEqual([...Array(2 * events).fill('pending'), ...Array(events).fill('succeeded')]);
    },
    startMs + endedWithinMs,
  );
});
