import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { consume } from '@store/events';
import { event, respond, revocation, type WebhooksUnderTest, webhooksUnderTest } from '../../test/webhooks-under-test.ts';
import { consumeEvents } from '../consume-events.ts';
import type { Outcome } from '../receivers/types.ts';
import type { Webhooks } from '../webhooks.ts';
import { claimDue } from './claim.ts';
import { Dispatcher } from './dispatcher.ts';
import { retryWaitsMs } from './schedule.ts';

let webhooks: WebhooksUnderTest;
beforeAll(async () => {
  webhooks = await webhooksUnderTest();
});
afterAll(() => webhooks.close());
beforeEach(() => webhooks.reset());

const until = async (claim: () => boolean | Promise<boolean>) => {
  while (!(await claim())) await new Promise((resolve) => setImmediate(resolve));
};

/** Milliseconds; a timer accepts little more. */
const never = 2_000_000_000;

/** A dispatcher without a poll, and what it and its consumer cost after its start. */
async function dispatching(changes: Partial<Webhooks> = {}) {
  const counts = { units: 0, wakes: 0 };
  const db: Webhooks['db'] = {
    ...webhooks.db,
    unit: async (...asked) => {
      const answer = await webhooks.db.unit(...asked);
      counts.units += 1;
      return answer;
    },
  };
  const wake = () => {
    counts.wakes += 1;
    dispatcher.wake();
  };
  const app: Webhooks = { ...webhooks.app, db, wake, ...changes };
  const dispatcher = new Dispatcher(app, { retryWaitsMs, pollMs: never });
  const handle = consume({ db, log: app.log, ...consumeEvents({ ...app, dispatcher }) });
  dispatcher.start();
  // Its start claims what is due; a sweep would follow a poll.
  await until(() => counts.units === 1);
  counts.units = 0;
  return { counts, dispatcher, publish: (...messages: Parameters<typeof handle>[0]) => handle(messages) };
}

const states = async () => (await webhooks.deliveries()).map(({ state }) => state);

test('an event is sent after the one transaction that adds it, and no dispatcher is notified', async () => {
  await webhooks.subscribe();
  await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/other' });
  const { counts, dispatcher, publish } = await dispatching();
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => gate.promise;
  await publish(event());
  await until(() => webhooks.received.length === 2);
  expect([counts.units, counts.wakes]).toEqual([1, 0]);
  expect(await webhooks.rows('select from webhooks.attempts where ended_at is null')).toHaveLength(2);
  gate.resolve(respond(200));
  await until(async () => (await states()).every((state) => state === 'succeeded'));
  await dispatcher.stop();
});

test('events of one record are sent one after the other, and what does not fit into a subscription follows the ends before it', async () => {
  await webhooks.subscribe();
  const { dispatcher, publish } = await dispatching();
  const order = ['a', 'b', 'c'].map(() => event({ aggregate: 'same' }));
  await publish(order[0]!);
  await publish(...order.slice(1));
  await publish(...Array.from({ length: 14 }, () => event()));
  await until(() => webhooks.received.length === 17);
  const sent = webhooks.received.map(({ headers }) => headers['X-Service-Delivery']);
  expect(sent.filter((id) => order.some((one) => one.id === id))).toEqual(order.map(({ id }) => id));
  await dispatcher.stop();
  expect(await states()).toEqual(Array(17).fill('succeeded'));
});

test('while another process claims, the dispatchers are notified after the commit', async () => {
  await webhooks.subscribe();
  const { counts, dispatcher, publish } = await dispatching();
  const claimed = Promise.withResolvers<void>();
  const held = webhooks.db.unit(0, async (em) => {
    await em.getConnection().execute(`select pg_advisory_xact_lock(hashtext('webhooks.claim'))`, [], 'all', em.getTransactionContext());
    await claimed.promise;
  });
  await until(async () => (await webhooks.rows(`select from pg_locks where locktype = 'advisory' and granted`)).length > 0);
  await publish(event());
  expect(counts.wakes).toBe(1);
  expect(webhooks.received).toEqual([]);
  claimed.resolve();
  await held;
  await until(() => webhooks.received.length === 1);
  await dispatcher.stop();
});

test('P21: once a stop begins nothing is claimed with an event; nor for a key that the same batch revokes', async () => {
  const { dispatcher, counts, publish } = await dispatching();
  await webhooks.subscribe();
  await publish(event(), revocation({ key_id: 12, revoked_at: '2026-11-21T09:29:00.000Z' }));
  expect(await states()).toEqual(['skipped']);
  await webhooks.rows('update webhooks.subscriptions set key_revoked_at = null');
  dispatcher.stopClaiming();
  const before = counts.wakes;
  await publish(event());
  expect(counts.wakes).toBe(before + 1);
  expect(await states()).toEqual(['skipped', 'pending']);
  await dispatcher.stop();
  expect(webhooks.received).toEqual([]);
});

test('a crash between the commit and the POST leaves a lease, which another process takes over', async () => {
  await webhooks.subscribe();
  let dies = true;
  const { dispatcher, publish } = await dispatching({
    post: async (request) => {
      if (dies) throw new Error('the process is gone');
      return webhooks.app.post(request);
    },
  });
  await publish(event());
  expect(await webhooks.deliveries()).toMatchObject([{ state: 'leased', attempts: 0 }]);
  await dispatcher.stop();
  dies = false;
  expect((await claimDue(webhooks.app, 0)).claims!.claimed).toEqual([]);
  await webhooks.after(30_000);
  await until(async () => {
    await webhooks.loop.drain();
    return (await states())[0] === 'succeeded';
  });
  expect(webhooks.received.map(({ headers }) => headers['X-Service-Attempt'])).toEqual(['1']);
});
