import { describe, expect, test } from '@jest/globals';
import { claimDue } from '../src/deliveries/claim.ts';
import { record } from '../src/deliveries/record.ts';
import { retryWaitsMs } from '../src/deliveries/schedule.ts';
import { fanOut } from '../src/events/fan-out.ts';
import { serviceSignature } from '../src/receivers/sign.ts';
import type { Outcome } from '../src/receivers/types.ts';
import { shareWebhooks, webhooks } from './shared-webhooks.ts';
import { event, keyCaller, type PostRequest, respond, revocation, staffCaller, waiters } from './webhooks-under-test.ts';

shareWebhooks();

const [minute, fiveMinutes, halfHour, twoHours] = [60_000, 300_000, 1_800_000, 7_200_000];
const deliveriesOf = () => webhooks.received.map(({ headers }) => headers['X-Service-Delivery']);
interface DeliveriesPage {
  deliveries: { attempt: number; outcome: string; next_attempt_at: string | null }[];
  pagination: object;
}

/** One event that fails permanently, at once. */
const failForGood = async () => {
  webhooks.state.receive = () => respond(410);
  await webhooks.publish(event());
  await webhooks.loop.drain();
};
const timeout: Outcome = { kind: 'failed', reason: 'timeout', durationMs: 10_000 };

describe('retries', () => {
  test('five attempts in all, after 1 m, 5 m, 30 m and 2 h, with identical body, id and signature', async () => {
    const { id, secret } = await webhooks.subscribe();
    webhooks.state.receive = () => respond(500);
    const sent = event();
    await webhooks.publish(sent);
    await webhooks.loop.drain();
    for (const wait of [minute, fiveMinutes, halfHour, twoHours]) {
      const before = webhooks.received.length;
      await webhooks.after(wait - 1);
      expect(webhooks.received).toHaveLength(before);
      await webhooks.after(1);
      expect(webhooks.received).toHaveLength(before + 1);
    }
    await webhooks.after(24 * 3_600_000);
    expect(webhooks.received).toHaveLength(5);
    expect(webhooks.received.map(({ headers }) => headers['X-Service-Attempt'])).toEqual(['1', '2', '3', '4', '5']);
    for (const { body, headers } of webhooks.received) {
      expect(body.equals(sent.public!)).toBe(true);
      expect(headers).toMatchObject({
        'X-Service-Delivery': sent.id,
        'X-Service-Event': 'product.updated',
        'X-Service-Sequence': '1',
        'X-Service-Signature': serviceSignature(secret, sent.public!),
        'webhook-id': sent.id,
      });
    }
    const { webhook_subscription, recent_deliveries } = await webhooks.detail(id);
    expect(webhook_subscription).toMatchObject({ failure_count: 1, active: true, last_triggered_at: '2026-11-21T12:06:00.000Z' });
    expect(recent_deliveries).toHaveLength(5);
    expect(recent_deliveries[0]).toEqual({
      id: expect.any(Number),
      event: 'product.updated',
      response_status: 500,
      duration_ms: 12,
      success: false,
      created_at: '2026-11-21T12:06:00.000Z',
    });
  });

  test('D138: the wait is measured from the end of the attempt', async () => {
    await webhooks.subscribe();
    webhooks.state.receive = () => {
      webhooks.clock.advance(10_000);
      return timeout;
    };
    await webhooks.publish(event());
    await webhooks.loop.drain();
    await webhooks.after(minute - 1);
    expect(webhooks.received).toHaveLength(1);
    await webhooks.after(1);
    expect(webhooks.received).toHaveLength(2);
  });

  test('a success ends the delivery, resets failure_count and is logged', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.rows('update webhooks.subscriptions set failure_count = 4');
    const answers = [respond(503), respond(204)];
    webhooks.state.receive = () => answers.shift()!;
    await webhooks.publish(event());
    await webhooks.loop.drain();
    await webhooks.after(minute);
    await webhooks.after(twoHours);
    expect(webhooks.received).toHaveLength(2);
    const { webhook_subscription, recent_deliveries } = await webhooks.detail(id);
    expect(webhook_subscription.failure_count).toBe(0);
    expect(recent_deliveries.map(({ response_status, success }) => [response_status, success])).toEqual([
      [204, true],
      [503, false],
    ]);
  });

  test('a blocked address is final at once, logged with status 0 and counted', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.state.receive = () => ({ kind: 'failed', reason: 'blocked', durationMs: 1 });
    await webhooks.publish(event());
    await webhooks.loop.drain();
    await webhooks.after(twoHours);
    const { webhook_subscription, recent_deliveries } = await webhooks.detail(id);
    expect(recent_deliveries).toMatchObject([{ response_status: 0, success: false }]);
    expect(webhook_subscription.failure_count).toBe(1);
  });

  test('the attempts are listed in pages, with their events and what came of them; no more is told than a client may know', async () => {
    const { id } = await webhooks.subscribe();
    const outcomes: Outcome[] = [respond(503), timeout, { kind: 'failed', reason: 'refused', durationMs: 3 }, respond(200)];
    webhooks.state.receive = () => outcomes.shift()!;
    const sent = event();
    await webhooks.publish(sent);
    await webhooks.loop.drain();
    await webhooks.after(minute);
    const page = (query: string) => webhooks.query<DeliveriesPage>('ListDeliveries', `${query}&id=${id}`);
    const { deliveries, pagination } = await page('');
    expect(pagination).toEqual({ current_page: 1, per_page: 50, total_count: 2, total_pages: 1 });
    expect(deliveries[1]).toEqual({
      id: expect.any(Number),
      event: 'product.updated',
      event_id: sent.id,
      attempt: 1,
      outcome: 'response',
      response_status: 503,
      duration_ms: expect.any(Number),
      success: false,
      created_at: expect.any(String),
      next_attempt_at: expect.any(String),
    });
    await webhooks.after(twoHours);
    await webhooks.after(twoHours);
    expect((await page('per_page=3')).deliveries.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [4, 'response'],
      [3, 'unreachable'],
      [2, 'timeout'],
    ]);
    expect((await page('per_page=3&page=2')).deliveries).toMatchObject([{ attempt: 1, next_attempt_at: null }]);
  });

  test('D152: after a PATCH of url the retry is sent to the new one', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.state.receive = () => respond(500);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    await webhooks.patch(id, { url: 'https://hooks.shop-erp.com/new' });
    await webhooks.after(minute);
    expect(webhooks.received.map(({ url }) => url)).toEqual(['https://hooks.shop-erp.com/in', 'https://hooks.shop-erp.com/new']);
  });
});

describe('disabling', () => {
  test('at the fifth final failure it is disabled and its pending retries end permanently', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.state.receive = () => respond(500);
    await webhooks.publish(event(), event());
    await webhooks.loop.drain();
    for (let failure = 1; failure <= 4; failure++) await failForGood();
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({ failure_count: 4, active: true, disabled_at: null });
    webhooks.clock.advance(1_000);
    await failForGood();
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({
      failure_count: 5,
      active: false,
      disabled_at: '2026-11-21T09:30:01.000Z',
    });
    const before = webhooks.received.length;
    await webhooks.publish(event());
    await webhooks.after(minute);
    await webhooks.patch(id, { active: true });
    await webhooks.after(twoHours);
    expect(webhooks.received).toHaveLength(before);
    expect((await webhooks.deliveries()).map(({ state }) => state)).toEqual(['skipped', 'skipped', ...Array(5).fill('failed')]);
  });

  test('D131: enabled again by PATCH it keeps the count, and the next final failure disables it again', async () => {
    const { id } = await webhooks.subscribe();
    for (let failure = 1; failure <= 5; failure++) await failForGood();
    await webhooks.patch(id, { active: true });
    await failForGood();
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({ failure_count: 6, active: false });
    await webhooks.patch(id, { active: true });
    webhooks.state.receive = () => respond(200);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({ failure_count: 0, active: true });
  });

  test('10 final failures at once disable it once and are all counted (D152)', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.state.receive = () => respond(404);
    await webhooks.publish(...Array.from({ length: 10 }, () => event()));
    await webhooks.loop.drain();
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({ failure_count: 10, active: false });
    const notices = await webhooks.query<{ webhook_notices: { kind: string }[] }>('ListNotices', '', staffCaller());
    const kinds = notices.webhook_notices.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'disabled')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'delivery_exhausted')).toHaveLength(10);
    expect(kinds).toEqual(expect.arrayContaining(['failing_60', 'failing_80']));
  });

  test('the staff reset enables it with a count of 0; what was skipped stays so (D152)', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.state.receive = () => respond(500);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    for (let failure = 1; failure <= 5; failure++) await failForGood();
    const { webhook_subscription } = await webhooks.id<{ webhook_subscription: object }>('ResetSubscription', id, staffCaller());
    expect(webhook_subscription).toMatchObject({ active: true, failure_count: 0, disabled_at: null, deliverable: true });
    const before = webhooks.received.length;
    await webhooks.after(twoHours);
    expect(webhooks.received).toHaveLength(before);
  });
});

describe('a revoked or expired key', () => {
  test('a revoked key: nothing starts any more, retries included; active stays true (Delivery 6)', async () => {
    const { id } = await webhooks.subscribe();
    const other = await webhooks.subscribe({}, keyCaller({ actor: { keyId: 13 } }));
    webhooks.state.receive = () => respond(500);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    await webhooks.text('RevokeKey', { key_id: 12, revoked_at_ms: webhooks.clock.now().getTime() }, staffCaller());
    webhooks.received.length = 0;
    await webhooks.publish(event());
    await webhooks.after(minute);
    // Only the other key's: its retry and the new event.
    expect(webhooks.received).toHaveLength(2);
    const monitor = await webhooks.query<{ webhook_subscriptions: object[] }>('ListMonitor', '', staffCaller());
    expect(monitor.webhook_subscriptions).toMatchObject([
      { id: other.id, deliverable: true },
      { id, active: true, deliverable: false, failure_count: 0, api_key: { id: 12, name: 'Till sync' } },
    ]);
  });

  test('the event of a revocation has the same effect as the call, for a gateway that died in between', async () => {
    await webhooks.subscribe();
    const revoked = revocation({ key_id: 12, revoked_at: '2026-11-21T09:30:00.000Z' });
    await webhooks.publish(revoked, revoked);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect(webhooks.received).toEqual([]);
  });

  test('a subscription created during the revocation of its key receives nothing', async () => {
    await webhooks.text('RevokeKey', { key_id: 12, revoked_at_ms: 1 }, staffCaller());
    await webhooks.subscribe();
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect(webhooks.received).toEqual([]);
  });

  test('a key that expires receives nothing from that exact millisecond on', async () => {
    const expiresAt = webhooks.clock.now().getTime() + minute;
    await webhooks.subscribe({}, keyCaller({ actor: { keyExpiresAtMs: expiresAt } }));
    webhooks.state.receive = () => respond(500);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    await webhooks.after(minute - 1);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect(webhooks.received).toHaveLength(2);
    await webhooks.publish(event());
    await webhooks.after(1);
    expect(webhooks.received).toHaveLength(2);
    expect((await webhooks.deliveries()).map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped']);
  });

  test('D189: 40 revocations during running deliveries: no POST starts after the answer', async () => {
    for (let round = 0; round < 40; round++) {
      const caller = keyCaller({ actor: { keyId: 100 + round } });
      const { id } = await webhooks.subscribe({ url: `https://hooks.shop-erp.com/${round}` }, caller);
      await webhooks.publish(...Array.from({ length: 30 }, () => event()));
      const draining = webhooks.loop.drain();
      await webhooks.text('RevokeKey', { key_id: 100 + round, revoked_at_ms: 1 }, staffCaller());
      const atAnswer = webhooks.received.filter(({ url }) => url.endsWith(`/${round}`)).length;
      await draining;
      expect(webhooks.received.filter(({ url }) => url.endsWith(`/${round}`))).toHaveLength(atAnswer);
      await webhooks.id('DeleteMonitored', id, staffCaller());
    }
  });
});

describe('order and fairness', () => {
  test('D141: the first attempts of a record are sent one by one in order, also when they fail; other records do not wait', async () => {
    await webhooks.subscribe();
    const [first, second, third] = [event({ aggregate: 'p1' }), event({ aggregate: 'p1' }), event({ aggregate: 'p1' })];
    const other = event({ aggregate: 'p2' });
    const gate = Promise.withResolvers<Outcome>();
    webhooks.state.receive = ({ headers }: PostRequest) => (headers['X-Service-Delivery'] === first.id ? gate.promise : respond(200));
    await webhooks.publish(first, second, third, other);
    const draining = webhooks.loop.drain();
    while (webhooks.received.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(deliveriesOf().sort()).toEqual([first.id, other.id].sort());
    await webhooks.publish(event({ aggregate: 'p1' }));
    gate.resolve(respond(500));
    await draining;
    const ofFirstRecord = deliveriesOf().filter((id) => id !== other.id);
    expect(ofFirstRecord.slice(0, 3)).toEqual([first.id, second.id, third.id]);
    expect(ofFirstRecord).toHaveLength(4);
    await webhooks.after(minute);
    expect(deliveriesOf().at(-1)).toBe(first.id);
  });

  test('an event fanned out while the previous one ends is neither sent early nor lost', async () => {
    await webhooks.subscribe();
    const [first, second] = [event({ aggregate: 'p1' }), event({ aggregate: 'p1' })];
    await webhooks.publish(first);
    const { claimed } = (await claimDue(webhooks.app, 0)).claims!;
    const commit = Promise.withResolvers<void>();
    const fanned = Promise.withResolvers<void>();
    const fanning = webhooks.db.unit(0, async (em) => {
      await fanOut(em, [second], webhooks.clock.now());
      fanned.resolve();
      await commit.promise;
    });
    await fanned.promise;
    let ended = false;
    const ends = claimed.map((one) => ({ claimed: one, outcome: respond(200), endedAt: webhooks.clock.now() }));
    const recording = record(webhooks.app, ends, { retryWaitsMs }).then(() => {
      ended = true;
    });
    while (!ended && (await waiters(webhooks)) === 0) await new Promise((resolve) => setImmediate(resolve));
    commit.resolve();
    await Promise.all([fanning, recording]);
    await webhooks.loop.drain();
    expect(deliveriesOf()).toEqual([second.id]);
  });

  test('P9: at most ten in flight per subscription; one that hangs delays only itself', async () => {
    const hanging = await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/hangs' });
    await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/well' });
    const gate = Promise.withResolvers<Outcome>();
    webhooks.state.receive = ({ url }: PostRequest) => (url.endsWith('/hangs') ? gate.promise : respond(200));
    await webhooks.publish(...Array.from({ length: 50 }, () => event()));
    const draining = webhooks.loop.drain();
    const well = () => webhooks.received.filter(({ url }) => url.endsWith('/well')).length;
    while (well() < 50) await new Promise((resolve) => setImmediate(resolve));
    expect(webhooks.received.filter(({ url }) => url.endsWith('/hangs'))).toHaveLength(10);
    gate.resolve(respond(200));
    await draining;
    expect(webhooks.received).toHaveLength(100);
    expect((await webhooks.detail(hanging.id)).recent_deliveries).toHaveLength(20);
  });
});
