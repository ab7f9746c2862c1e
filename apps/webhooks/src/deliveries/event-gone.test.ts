/** A delivery whose event is no longer in the log has nothing to send, so it ends. */
import { expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, respond } from '../../test/webhooks-under-test.ts';
import { claimDue } from './claim.ts';

shareWebhooks();

const forget = (...sequences: number[]) =>
  webhooks.db.unit(1, (em) => sql(em, 'delete from webhooks.events where store_id = $1 and sequence = any($2::bigint[])', [1, sequences]));
const states = async () => (await webhooks.deliveries()).map(({ state, held }) => (held ? 'held' : state));

test('it is skipped permanently, and the next event of its record, which waited behind it, is sent', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event({ aggregate: '7' }), event({ aggregate: '7' }), event({ aggregate: '7' }), event({ aggregate: '8' }));
  await forget(1, 2);
  expect(await states()).toEqual(['pending', 'held', 'held', 'pending']);
  await webhooks.loop.drain();
  expect(await states()).toEqual(['skipped', 'skipped', 'succeeded', 'succeeded']);
  expect(webhooks.received).toHaveLength(2);
  expect((await claimDue(webhooks.app, 0)).claims!.claimed).toEqual([]);
});

test('a retry skipped for this reason releases nothing that waits behind another event of the record', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event({ aggregate: '7' }));
  webhooks.state.receive = async () => respond(500);
  await webhooks.loop.drain();
  webhooks.state.receive = async () => respond(200);
  await webhooks.publish(event({ aggregate: '7' }), event({ aggregate: '7' }));
  await forget(1);
  await webhooks.db.unit(1, (em) =>
    sql(em, 'update webhooks.deliveries set due_at = $1 where sequence = 1 and store_id = 1', [webhooks.db.clock.now()]),
  );
  const { claimed } = (await claimDue(webhooks.app, 0)).claims!;
  expect(claimed.map(({ sequence }) => sequence)).toEqual([2]);
  expect(await states()).toEqual(['skipped', 'leased', 'held']);
});
