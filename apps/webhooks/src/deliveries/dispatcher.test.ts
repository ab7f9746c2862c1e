import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { event, respond, staffCaller, type WebhooksUnderTest, webhooksUnderTest } from '../../test/webhooks-under-test.ts';
import type { Outcome } from '../receivers/types.ts';
import type { Webhooks } from '../webhooks.ts';
import { Dispatcher } from './dispatcher.ts';
import { retryWaitsMs } from './schedule.ts';

let webhooks: WebhooksUnderTest;
beforeAll(async () => {
  webhooks = await webhooksUnderTest();
});
afterAll(() => webhooks.close());
beforeEach(() => webhooks.reset());

const options = { retryWaitsMs };
/** The database, with a count of its units. */
function counted() {
  let units = 0;
  const unit: Webhooks['db']['unit'] = (...asked) => {
    units += 1;
    return webhooks.db.unit(...asked);
  };
  return { db: { ...webhooks.db, unit }, units: () => units };
}
const until = async (claim: () => boolean | Promise<boolean>) => {
  while (!(await claim())) await new Promise((resolve) => setImmediate(resolve));
};

test('a woken dispatcher delivers at once; stopped, it finishes and records attempts in flight and claims nothing more', async () => {
  await webhooks.subscribe();
  const loop = new Dispatcher(webhooks.app, { ...options, pollMs: 60_000 });
  loop.start();
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => gate.promise;
  await webhooks.publish(...Array.from({ length: 12 }, () => event()));
  loop.wake();
  await until(() => webhooks.received.length === 10);
  const stopped = loop.stop();
  gate.resolve(respond(200));
  await stopped;
  expect(webhooks.received).toHaveLength(10);
  const states = (await webhooks.deliveries()).map(({ state }) => state).sort();
  expect(states).toEqual([...Array(2).fill('pending'), ...Array(10).fill('succeeded')]);
});

test('P21: once a stop begins nothing is claimed, while attempts in flight end and are recorded', async () => {
  await webhooks.subscribe();
  const loop = new Dispatcher(webhooks.app, { ...options, pollMs: 5 });
  loop.start();
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => gate.promise;
  await webhooks.publish(...Array.from({ length: 12 }, () => event()));
  await until(() => webhooks.received.length === 10);
  loop.stopClaiming();
  gate.resolve(respond(200));
  const succeeded = async () => (await webhooks.deliveries()).filter(({ state }) => state === 'succeeded').length;
  await until(async () => (await succeeded()) === 10);
  await webhooks.publish(event());
  for (let poll = 0; poll < 20; poll++) await new Promise((resolve) => setTimeout(resolve, 5));
  await loop.stop();
  expect([webhooks.received.length, await succeeded()]).toEqual([10, 10]);
});

test('without a notification the poll finds what is due', async () => {
  await webhooks.subscribe();
  const loop = new Dispatcher(webhooks.app, { ...options, pollMs: 5 });
  loop.start();
  await webhooks.publish(event());
  await until(() => webhooks.received.length === 1);
  await loop.stop();
});

test('a database that fails for a while loses no delivery, no attempt and no result', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event(), event());
  let failures = 6;
  const db: Webhooks['db'] = {
    ...webhooks.db,
    unit: (storeId, work) => {
      failures -= 1;
      return failures % 2 === 1 && failures > 0 ? Promise.reject(new Error('connection lost')) : webhooks.db.unit(storeId, work);
    },
  };
  await new Dispatcher({ ...webhooks.app, db }, options).drain();
  expect(webhooks.received).toHaveLength(2);
  expect(await webhooks.deliveries()).toMatchObject([
    { state: 'succeeded', attempts: 1 },
    { state: 'succeeded', attempts: 1 },
  ]);
});

test('P13: the lease of an attempt in flight is renewed, so that no other process claims it', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => gate.promise;
  const loop = new Dispatcher(webhooks.app, { ...options, renewEveryMs: 5, pollMs: 5 });
  loop.start();
  await until(() => webhooks.received.length === 1);
  webhooks.clock.advance(29_000);
  const renewed = `select from webhooks.deliveries where state = 'leased' and lease_until = '2026-11-21T09:30:59Z'`;
  await until(async () => (await webhooks.rows(renewed)).length === 1);
  webhooks.clock.advance(29_000);
  await webhooks.newDispatcher().drain();
  expect(webhooks.received).toHaveLength(1);
  gate.resolve(respond(200));
  await loop.stop();
  expect(await webhooks.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
});

test('D189: a revocation waits for attempts that have started, a second at most', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => gate.promise;
  const draining = webhooks.loop.drain();
  await until(() => webhooks.received.length === 1);
  let answered = false;
  const revoking = webhooks.text('RevokeKey', { key_id: 12, revoked_at_ms: 1 }, staffCaller()).then(() => {
    answered = true;
  });
  await until(async () => (await webhooks.rows('select from webhooks.subscriptions where key_revoked_at is not null')).length === 1);
  expect(answered).toBe(false);
  gate.resolve(respond(200));
  await revoking;
  await draining;
  const hanging = Promise.withResolvers<Outcome>();
  webhooks.state.receive = () => hanging.promise;
  await webhooks.rows('update webhooks.subscriptions set key_revoked_at = null');
  await webhooks.publish(event());
  const second = webhooks.loop.drain();
  await until(() => webhooks.received.length === 2);
  const startedAt = performance.now();
  await webhooks.text('RevokeKey', { key_id: 12, revoked_at_ms: 1 }, staffCaller());
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  hanging.resolve(respond(500));
  await second;
  await webhooks.after(60_000);
  expect(webhooks.received).toHaveLength(2);
});

test('a claim follows where something may be due, and not after each end', async () => {
  await webhooks.subscribe();
  const { db, units } = counted();
  const gates: PromiseWithResolvers<Outcome>[] = [];
  webhooks.state.receive = () => {
    gates.push(Promise.withResolvers<Outcome>());
    return gates.at(-1)!.promise;
  };
  const succeeded = async () => (await webhooks.deliveries()).filter(({ state }) => state === 'succeeded').length;
  await webhooks.publish(event(), event(), event());
  const loop = new Dispatcher({ ...webhooks.app, db }, { ...options, pollMs: 600_000 });
  loop.start();
  for (let ended = 1; ended <= 3; ended++) {
    await until(() => gates.length === 3);
    gates[ended - 1]!.resolve(respond(200));
    await until(async () => (await succeeded()) === ended);
  }
  // The sweep of the start, the claim, and the record of each end.
  expect(units()).toBeLessThanOrEqual(5);
  await loop.stop();
});

test('without a poll, an end makes room for the eleventh delivery, and for the one that waits behind it', async () => {
  await webhooks.subscribe();
  const loop = new Dispatcher(webhooks.app, { ...options, pollMs: 600_000 });
  await webhooks.publish(...Array.from({ length: 12 }, () => event()));
  await webhooks.publish(event({ aggregate: 'one' }));
  await webhooks.publish(event({ aggregate: 'one' }));
  loop.start();
  await until(() => webhooks.received.length === 14);
  await loop.stop();
  expect((await webhooks.deliveries()).map(({ state }) => state)).toEqual(Array(14).fill('succeeded'));
});

test('a backlog of one subscription is claimed in the transactions that record the ends before it', async () => {
  await webhooks.subscribe();
  await webhooks.publish(...Array.from({ length: 40 }, () => event()));
  const { db, units } = counted();
  const gates: PromiseWithResolvers<Outcome>[] = [];
  webhooks.state.receive = () => {
    gates.push(Promise.withResolvers<Outcome>());
    return gates.at(-1)!.promise;
  };
  const loop = new Dispatcher({ ...webhooks.app, db }, { ...options, pollMs: 600_000 });
  loop.start();
  for (let ten = 1; ten <= 4; ten++) {
    await until(() => gates.length === ten * 10);
    for (const gate of gates.slice(-10)) gate.resolve(respond(200));
  }
  await until(async () => (await webhooks.deliveries()).every(({ state }) => state === 'succeeded'));
  await loop.stop();
  // The sweep of the start, the first claim, and one for each ten that ended; the last of them finds that nothing is left.
  expect(units()).toBeLessThanOrEqual(7);
});
