import { expect, test } from '@jest/globals';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, respond, staffCaller } from '../../test/webhooks-under-test.ts';
import { forgetOld } from './forget-old.ts';

shareWebhooks();

const dayMs = 24 * 3_600_000;
const counts = async () => {
  const [row] = await webhooks.rows<Record<string, number>>(
    `select (select count(*)::int from webhooks.events) as events, (select count(*)::int from webhooks.deliveries) as deliveries,
       (select count(*)::int from webhooks.attempts) as attempts, (select count(*)::int from webhooks.notices) as notices,
       (select count(*)::int from webhooks.subscription_secrets) as secrets, (select count(*)::int from webhooks.subscriptions) as subscriptions`,
  );
  return row!;
};

test('attempts and notices are deleted after 30 days, events and deliveries a day later; younger ones stay', async () => {
  await webhooks.subscribe();
  webhooks.state.receive = () => respond(410);
  await webhooks.publish(event());
  await webhooks.loop.drain();
  webhooks.clock.advance(30 * dayMs);
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ events: 1, deliveries: 1, attempts: 1, notices: 1 });
  webhooks.clock.advance(1);
  await webhooks.publish(event({ createdAt: webhooks.clock.now().toISOString() }));
  await webhooks.loop.drain();
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ events: 2, deliveries: 2, attempts: 1, notices: 1 });
  webhooks.clock.advance(dayMs);
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ events: 1, deliveries: 1, attempts: 1, notices: 1, subscriptions: 1, secrets: 1 });
});

test('a rotated secret stays for its overlap and as long as a delivery that uses it is pending', async () => {
  const { id } = await webhooks.subscribe();
  webhooks.state.receive = () => respond(500);
  await webhooks.publish(event());
  await webhooks.loop.drain();
  await webhooks.id('RotateSecret', id, staffCaller());
  webhooks.clock.advance(dayMs + 1);
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ secrets: 2 });
  webhooks.state.receive = () => respond(200);
  await webhooks.loop.drain();
  expect(webhooks.received).toHaveLength(2);
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ secrets: 1 });
});

test("a deleted subscription's row is removed after its deliveries", async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.publish(event());
  await webhooks.loop.drain();
  await webhooks.id('DeleteSubscription', id);
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ subscriptions: 1, deliveries: 1 });
  webhooks.clock.advance(31 * dayMs + 1);
  await forgetOld(webhooks.db);
  expect(await counts()).toMatchObject({ subscriptions: 0, deliveries: 0 });
});
