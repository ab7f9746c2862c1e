import { expect, test } from '@jest/globals';
import { consume } from '@store/events';
import { event, events, minute, respond, revocation, shareWebhooks, until, webhooks } from '../../test/webhooks-under-test.ts';
import { consumeEvents } from '../consume-events.ts';
import type { Webhooks } from '../webhooks.ts';
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import { retryWaitsMs } from './schedule.ts';

shareWebhooks();

const succeeded = async () => (await webhooks.states()).filter((state) => state === 'succeeded').length;
/** Milliseconds; a timer accepts little more. */
const never = 2_000_000_000;

/** A dispatcher, the consumer that claims through it, and their units and notifications. */
function dispatching(options: Partial<DispatcherOptions> = {}) {
  const counts = { units: 0, wakes: 0 };
  const unit: Webhooks['db']['unit'] = async (...asked) => {
    const answer = await webhooks.db.unit(...asked);
    counts.units += 1;
    return answer;
  };
  const wake = () => {
    counts.wakes += 1;
    dispatcher.wake();
  };
  const app: Webhooks = { ...webhooks.app, db: { ...webhooks.db, unit }, wake };
  const dispatcher = new Dispatcher(app, { retryWaitsMs, pollMs: never, ...options });
  const handle = consume({ db: app.db, log: app.log, ...consumeEvents({ ...app, dispatcher }) });
  return { counts, dispatcher, publish: (...messages: Parameters<typeof handle>[0]) => handle(messages) };
}

/** As `dispatching`, started, after its first claim. */
async function dispatched() {
  const started = dispatching();
  started.dispatcher.start();
  await until(() => started.counts.units === 1);
  started.counts.units = 0;
  return started;
}

test('an event is sent after the one transaction that adds it, without a notification', async () => {
  await webhooks.subscribe();
  await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/other' });
  const { counts, dispatcher, publish } = await dispatched();
  const gates = webhooks.gates();
  await publish(event());
  await until(() => gates.length === 2);
  expect(counts).toEqual({ units: 1, wakes: 0 });
  expect(await webhooks.rows('select from webhooks.attempts where ended_at is null')).toHaveLength(2);
  for (const gate of gates) gate.resolve(respond(200));
  await until(async () => (await succeeded()) === 2);
  await dispatcher.stop();
});

test("without a poll, an end starts the eleventh delivery and the record's next event", async () => {
  await webhooks.subscribe();
  const { dispatcher, publish } = dispatching();
  await webhooks.publish(...events(12));
  dispatcher.start();
  const order = events(3, { aggregate: 'same' });
  await publish(order[0]!);
  await publish(...order.slice(1));
  await publish(...events(12));
  await until(() => webhooks.received.length === 27);
  const ofRecord = webhooks.headers('X-Service-Delivery').filter((id) => order.some((one) => one.id === id));
  expect(ofRecord).toEqual(order.map(({ id }) => id));
  await dispatcher.stop();
  expect(await succeeded()).toBe(27);
});

test('while another process claims, the dispatchers are notified after the commit', async () => {
  await webhooks.subscribe();
  const { counts, dispatcher, publish } = await dispatched();
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

test('P21: once a stop begins nothing is claimed, and attempts in flight are recorded', async () => {
  await webhooks.subscribe();
  const { dispatcher, counts, publish } = dispatching({ pollMs: 5 });
  dispatcher.start();
  const gates = webhooks.gates();
  // Without a notification the poll finds what is due.
  await webhooks.publish(...events(12));
  await until(() => gates.length === 10);
  dispatcher.stopClaiming();
  gates[0]!.resolve(respond(200));
  await until(async () => (await succeeded()) === 1);
  const before = counts.wakes;
  await publish(event());
  expect(counts.wakes).toBe(before + 1);
  for (let poll = 0; poll < 20; poll++) await new Promise((resolve) => setTimeout(resolve, 5));
  const stopped = dispatcher.stop();
  for (const gate of gates) gate.resolve(respond(200));
  await stopped;
  expect([gates.length, await succeeded()]).toEqual([10, 10]);
});

test('nothing is claimed with an event for a key that the same batch revokes', async () => {
  const { dispatcher, publish } = await dispatched();
  await webhooks.subscribe();
  await publish(event(), revocation({ key_id: 12, revoked_at: '2026-11-21T09:29:00.000Z' }));
  expect(await webhooks.states()).toEqual(['skipped']);
  await dispatcher.stop();
  expect(webhooks.received).toEqual([]);
});

test('a database that fails for a while loses no delivery, no attempt and no result', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event(), event());
  let failures = 6;
  const unit: Webhooks['db']['unit'] = (storeId, work) => {
    failures -= 1;
    return failures % 2 === 1 && failures > 0 ? Promise.reject(new Error('connection lost')) : webhooks.db.unit(storeId, work);
  };
  await webhooks.newDispatcher({ db: { ...webhooks.db, unit } }).drain();
  expect(webhooks.received).toHaveLength(2);
  expect(await webhooks.deliveries()).toMatchObject(Array(2).fill({ state: 'succeeded', attempts: 1 }));
});

test('P13: the lease of an attempt in flight is renewed: no other process claims it', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const gates = webhooks.gates();
  const { dispatcher } = dispatching({ renewEveryMs: 5, pollMs: 5 });
  dispatcher.start();
  await until(() => gates.length === 1);
  webhooks.clock.advance(29_000);
  const renewed = `select from webhooks.deliveries where state = 'leased' and lease_until = '2026-11-21T09:30:59Z'`;
  await until(async () => (await webhooks.rows(renewed)).length === 1);
  webhooks.clock.advance(29_000);
  await webhooks.newDispatcher().drain();
  expect(gates).toHaveLength(1);
  gates[0]!.resolve(respond(200));
  await dispatcher.stop();
  expect(await webhooks.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
});

test('D189: a revocation waits for attempts that have started, a second at most', async () => {
  await webhooks.subscribe();
  const gates = webhooks.gates();
  const draining = webhooks.deliver(event());
  await until(() => gates.length === 1);
  let answered = false;
  const revoking = webhooks.revokeKey().then(() => {
    answered = true;
  });
  await until(async () => (await webhooks.rows('select from webhooks.subscriptions where key_revoked_at is not null')).length === 1);
  expect(answered).toBe(false);
  gates[0]!.resolve(respond(200));
  await revoking;
  await draining;
  await webhooks.rows('update webhooks.subscriptions set key_revoked_at = null');
  const second = webhooks.deliver(event());
  await until(() => gates.length === 2);
  const startedAt = performance.now();
  await webhooks.revokeKey();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  gates[1]!.resolve(respond(500));
  await second;
  await webhooks.after(minute);
  expect(gates).toHaveLength(2);
});

test('a claim follows where something may be due, and not after each end', async () => {
  await webhooks.subscribe();
  const gates = webhooks.gates();
  await webhooks.publish(...events(3));
  const { counts, dispatcher } = dispatching();
  dispatcher.start();
  for (let ended = 1; ended <= 3; ended++) {
    await until(() => gates.length === 3);
    gates[ended - 1]!.resolve(respond(200));
    await until(async () => (await succeeded()) === ended);
  }
  // The claim and the record of each end.
  expect(counts.units).toBeLessThanOrEqual(4);
  await dispatcher.stop();
});

test('a backlog of one subscription is claimed while its results are recorded', async () => {
  await webhooks.subscribe();
  await webhooks.publish(...events(40));
  const gates = webhooks.gates();
  const { counts, dispatcher } = dispatching();
  dispatcher.start();
  for (let ten = 1; ten <= 4; ten++) {
    await until(() => gates.length === ten * 10);
    for (const gate of gates.slice(-10)) gate.resolve(respond(200));
  }
  await until(async () => (await succeeded()) === 40);
  await dispatcher.stop();
  // The first claim, and one for each ten that ended; the last of them finds that nothing is left.
  expect(counts.units).toBeLessThanOrEqual(6);
});
