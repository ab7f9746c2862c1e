/** A delivery whose event is no longer in the log has nothing to send, so it ends. */
import { expect, test } from '@jest/globals';
import { event, events, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';
import { claimDue } from './claim.ts';

shareWebhooks();

const forget = (...sequences: number[]) =>
  webhooks.rows('delete from webhooks.events where store_id = 1 and sequence = any($1::bigint[])', [sequences]);
const states = async () => (await webhooks.deliveries()).map(({ state, held }) => (held ? 'held' : state));
const claim = async () => (await claimDue(webhooks.app, 0)).claims!.claimed;

test('it is skipped permanently, and the next event of its record is sent', async () => {
  await webhooks.subscribe();
  await webhooks.publish(...events(3, { aggregate: '7' }), event({ aggregate: '8' }));
  await forget(1, 2);
  expect(await states()).toEqual(['pending', 'held', 'held', 'pending']);
  await webhooks.loop.drain();
  expect(await states()).toEqual(['skipped', 'skipped', 'succeeded', 'succeeded']);
  expect(webhooks.received).toHaveLength(2);
  expect(await claim()).toEqual([]);
});

test('a retry skipped so releases nothing that waits behind another event', async () => {
  await webhooks.subscribe();
  webhooks.answer(500);
  await webhooks.deliver(event({ aggregate: '7' }));
  webhooks.answer(200);
  await webhooks.publish(...events(2, { aggregate: '7' }));
  await forget(1);
  await webhooks.rows('update webhooks.deliveries set due_at = $1 where sequence = 1 and store_id = 1', [webhooks.clock.now()]);
  expect((await claim()).map(({ sequence }) => sequence)).toEqual([2]);
  expect(await states()).toEqual(['skipped', 'leased', 'held']);
});
