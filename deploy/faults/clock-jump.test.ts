/** The wall clock of one of two webhooks processes is set five minutes ahead while POSTs of both are on their way (D195, P13). */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { openReceiver, type Receiver } from '../journeys/receiver.ts';
import { repository } from '../local/data-dir.ts';
import { ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';

const startMs = 120_000;
const events = 10;
const answerAfterMs = 4_000;
const endedWithinMs = 60_000;

describeWithKafka('A wall clock that jumps', () => {
  let receiver: Receiver;
  let world: FleetWorld;
  beforeAll(async () => {
    receiver = await openReceiver({ answerAfterMs });
    const app = (name: string) => [
      '--import',
      path.join(repository, 'deploy/faults/jumping-clock.ts'),
      path.join(repository, 'apps', name, 'src/run.ts'),
    ];
    world = await openFleetWorld({ besides: { webhooks: 1 }, entry: app, env: receiver.env });
  }, startMs);
  afterAll(async () => {
    await world?.close();
    await receiver?.close();
  }, startMs);

  test(
    'ends no lease: every POST on its way goes out once, and every delivery has one attempt',
    async () => {
      const { key } = await world.newKey({ scopes: ['webhooks:manage', 'products:write'] });
      const subscription = JSON.stringify({ webhook_subscription: { url: `${receiver.url}/in`, events: ['product.created'] } });
      expect((await ask(`${world.api[0]}/webhook_subscriptions`, { method: 'POST', key, body: subscription })).status).toBe(201);
      for (let n = 0; n < events; n++) {
        const body = JSON.stringify({ product: { name: `Tea ${n}` } });
        expect((await ask(`${world.api[0]}/products`, { method: 'POST', key, body })).status).toBe(201);
      }
      await until(() => receiver.hooks.length === events, endedWithinMs);
      world.fleet.member('webhooks-2').signal('SIGUSR2');
      const ended = async () =>
        (await world.database.query(`select from webhooks.deliveries where state = 'succeeded'`)).rowCount === events;
      await until(ended, endedWithinMs);
      const { rows: attempts } = await world.database.query<{ outcome: string }>('select outcome from webhooks.attempts');
      expect([receiver.hooks.length, attempts.map(({ outcome }) => outcome)]).toEqual([events, Array(events).fill('response')]);
    },
    startMs + endedWithinMs,
  );
});
