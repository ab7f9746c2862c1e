/** A webhooks process that dies with ten POSTs of a subscription in flight delays the subscription only briefly (P13). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { openReceiver, type Receiver } from '../journeys/receiver.ts';
import { ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';

const startMs = 120_000;
/** Of one subscription: the most that it may have in flight. */
const slots = 10;
const events = 30;
/** Five seconds until the process counts as dead, plus time to notice and to send on a busy machine; a lease lasts thirty. */
const sentAgainWithinMs = 25_000;

describeWithKafka('webhooks', () => {
  let receiver: Receiver;
  let world: FleetWorld;
  beforeAll(async () => {
    receiver = await openReceiver();
    world = await openFleetWorld({ env: receiver.env, besides: { webhooks: 1 } });
  }, startMs);
  afterAll(async () => {
    await world?.close();
    await receiver?.close();
  }, startMs);

  test(
    'both processes killed with every slot of a subscription in flight: one that comes back sends all of it before a lease ends, under the same numbers',
    async () => {
      const { key } = await world.newKey({ scopes: ['webhooks:manage', 'products:write'] });
      const body = JSON.stringify({ webhook_subscription: { url: `${receiver.url}/busy`, events: ['product.created'] } });
      const { body: made } = await ask(`${world.api[0]}/webhook_subscriptions`, { method: 'POST', key, body });
      const { id } = (made as { data: { id: number } }).data;
      receiver.answer = () => undefined;
      const products = Array.from({ length: events }, (_, n) => ({ sku: `busy-${n}`, name: `Busy ${n}` }));
      await ask(`${world.api[0]}/products/bulk_upsert`, { method: 'POST', key, body: JSON.stringify({ products }) });
      await until(() => receiver.hooks.length === slots, startMs);
      // Messages still in Kafka would wait until the group notices the dead members.
      const fannedOut = () => world.database.query('select from webhooks.deliveries where subscription_id = $1', [id]);
      await until(async () => (await fannedOut()).rowCount === events, startMs);
      const held = new Set(receiver.hooks.map(({ headers }) => headers['x-service-delivery']));
      const [one, other] = [world.fleet.member('webhooks'), world.fleet.member('webhooks-2')];
      await Promise.all([one.kill(), other.kill()]);
      receiver.answer = () => ({ status: 200 });
      const killedAtMs = performance.now();
      one.start();
      const again = () => new Set(receiver.hooks.slice(slots).map(({ headers }) => headers['x-service-delivery']));
      await until(() => again().size === events, 60_000);
      const sentAgainMs = performance.now() - killedAtMs;
      if (process.env.FAULT_REPORT) console.error('dead leases', { sentAgainMs });
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
