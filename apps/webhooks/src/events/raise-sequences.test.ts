import { expect, test } from '@jest/globals';
import { events, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';
import { raiseSequences } from './raise-sequences.ts';

shareWebhooks();

const after = (sequence: number) => webhooks.query('ListEvents', `after=${sequence}`);

test('after a restore a receiver that asks for events after its last one misses none', async () => {
  await webhooks.subscribe();
  // The backup is from after the second; later events are lost, but the receiver has seen 3 and 4.
  await webhooks.publish(...events(4));
  expect((await after(0)).latest_sequence).toBe(4);
  await webhooks.rows('delete from webhooks.events where sequence > 2');
  await webhooks.rows('update webhooks.stores set last_sequence = 2 where id = 1');

  expect(await raiseSequences(webhooks.db, 1_000_000)).toBe(1);
  const later = events(2);
  await webhooks.publish(...later);
  expect((await after(4)).events).toMatchObject(later.map(({ id }) => ({ id })));
});

test('a store with a subscription and no event yet is raised too', async () => {
  await webhooks.subscribe();
  await webhooks.rows('delete from webhooks.stores');
  expect(await raiseSequences(webhooks.db, 500)).toBe(1);
  await webhooks.publish(...events(1));
  expect((await after(0)).latest_sequence).toBe(501);
});
