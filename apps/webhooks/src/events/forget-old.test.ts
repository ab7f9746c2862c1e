import { expect, test } from '@jest/globals';
import { event, hour, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';
import { forgetOld } from './forget-old.ts';

shareWebhooks();

const day = 24 * hour;
/** How many rows are left after so long. */
async function left(ms: number) {
  webhooks.clock.advance(ms);
  await forgetOld(webhooks.db);
  const tables = ['events', 'deliveries', 'attempts', 'notices', 'subscriptions', 'subscription_secrets'];
  const [row] = await webhooks.rows(`select ${tables.map((name) => `(select count(*)::int from webhooks.${name}) as ${name}`).join(', ')}`);
  return row;
}

test('attempts and notices go after 30 days, events and deliveries a day later', async () => {
  await webhooks.subscribe();
  webhooks.answer(410);
  await webhooks.deliver(event());
  expect(await left(30 * day)).toMatchObject({ events: 1, deliveries: 1, attempts: 1, notices: 1 });
  webhooks.clock.advance(1);
  await webhooks.deliver(event({ createdAt: webhooks.clock.now().toISOString() }));
  expect(await left(0)).toMatchObject({ events: 2, deliveries: 2, attempts: 1, notices: 1 });
  const young = { events: 1, deliveries: 1, attempts: 1, notices: 1, subscriptions: 1, subscription_secrets: 1 };
  expect(await left(day)).toMatchObject(young);
});

test('a rotated secret stays for its overlap, and while a pending delivery uses it', async () => {
  const { id } = await webhooks.subscribe();
  webhooks.answer(500, 200);
  await webhooks.deliver(event());
  await webhooks.staff('RotateSecret', id);
  expect(await left(day + 1)).toMatchObject({ subscription_secrets: 2 });
  await webhooks.loop.drain();
  expect(webhooks.received).toHaveLength(2);
  expect(await left(0)).toMatchObject({ subscription_secrets: 1 });
});

test("a deleted subscription's row is removed after its deliveries", async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.deliver(event());
  await webhooks.id('DeleteSubscription', id);
  expect(await left(0)).toMatchObject({ subscriptions: 1, deliveries: 1 });
  expect(await left(31 * day + 1)).toMatchObject({ subscriptions: 0, deliveries: 0 });
});
