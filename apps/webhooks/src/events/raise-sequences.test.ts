import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { event, keyCaller, type WebhooksUnderTest, webhooksUnderTest } from '../../test/webhooks-under-test.ts';
import { raiseSequences } from './raise-sequences.ts';

let webhooks: WebhooksUnderTest;
beforeAll(async () => {
  webhooks = await webhooksUnderTest();
});
afterAll(() => webhooks?.close());

interface Page {
  events: { sequence: number; id: string }[];
  latest_sequence: number;
}
const after = (sequence: number) => webhooks.query<Page>('ListEvents', `after=${sequence}`, keyCaller({ storeId: 1 }));

test('after a restore a receiver that asks for events after its last one misses none', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event(), event());
  // The backup is from here; later events are lost, but the receiver has seen 3 and 4.
  await webhooks.publish(event(), event());
  expect((await after(0)).latest_sequence).toBe(4);
  await webhooks.rows('delete from webhooks.events where sequence > 2');
  await webhooks.rows('update webhooks.stores set last_sequence = 2 where id = 1');

  expect(await raiseSequences(webhooks.db, 1_000_000)).toBe(1);
  const [first, second] = [event(), event()];
  await webhooks.publish(first, second);
  expect((await after(4)).events.map(({ id }) => id)).toEqual([first.id, second.id]);
});

test('a store with a subscription and no event yet is raised too', async () => {
  await webhooks.reset();
  await webhooks.subscribe();
  await webhooks.rows('delete from webhooks.stores');
  expect(await raiseSequences(webhooks.db, 500)).toBe(1);
  await webhooks.publish(event());
  expect((await after(0)).latest_sequence).toBe(501);
});
