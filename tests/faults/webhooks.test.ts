/** A webhooks process that dies with ten POSTs of a subscription in flight delays the subscription only briefly (P13). */
import { expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { eventOf, openReceiver, type Receiver } from '../kit/receiver.ts';
import { useFleet } from '../kit/use.ts';
import { report } from './load.ts';

const startMs = 120_000;
/** Of one subscription: the most that it may have in flight. */
const slots = 10;
const events = 30;
/** Five seconds until the process counts as dead, plus time to notice and to send on a busy machine; a lease lasts thirty. */
const sentAgainWithinMs = 25_000;

describeWithKafka('webhooks', () => {
  let receiver: Receiver;
  const world = useFleet(async (opened) => {
    receiver = await opened(openReceiver());
    return { env: receiver.env, besides: { webhooks: 1 } };
  });

  test(
    'both processes killed with all slots in flight: one comes back and sends all',
    async () => {
      const { key } = await world.newKey({ scopes: ['webhooks:manage', 'products:write'] });
      const { id } = await world.subscribe(key, `${receiver.url}/busy`, ['product.created']);
      receiver.answer = () => 'none';
      const products = Array.from({ length: events }, (_, n) => ({ sku: `busy-${n}`, name: `Busy ${n}` }));
      await world.call('POST', '/products/bulk_upsert', { key, body: { products } });
      await until(() => receiver.hooks.length === slots, startMs);
      // Messages still in Kafka would wait until the group notices the dead members.
      const fannedOut = () => world.database.query('select from webhooks.deliveries where subscription_id = $1', [id]);
      await until(async () => (await fannedOut()).rowCount === events, startMs);
      const held = new Set(receiver.hooks.map(eventOf));
      const [one, other] = [world.fleet.member('webhooks'), world.fleet.member('webhooks-2')];
      await Promise.all([one.kill(), other.kill()]);
      receiver.answer = () => ({ status: 200 });
      const killedAtMs = performance.now();
      one.start();
      const again = () => new Set(receiver.hooks.slice(slots).map(eventOf));
      await until(() => again().size === events, 60_000);
      const sentAgainMs = performance.now() - killedAtMs;
      report('dead leases', { sentAgainMs });
      expect(held.size).toBe(slots);
      expect([...held].filter((event) => !again().has(event))).toEqual([]);
      expect(receiver.hooks.every(({ headers }) => headers['x-service-attempt'] === '1')).toBe(true);
      const { rows } = await world.database.query(
        `select outcome, count(*)::int as n from webhooks.attempts where subscription_id = $1 and outcome = 'lost' group by 1`,
        [id],
      );
      expect(rows).toEqual([{ outcome: 'lost', n: slots }]);
      expect(sentAgainMs).toBeLessThan(sentAgainWithinMs);
    },
    startMs,
  );
});
