import { describe, expect, test } from '@jest/globals';
import { lockWaits } from '@store/testbed';
import { claimDue } from '../src/deliveries/claim.ts';
import { recordResults } from '../src/deliveries/record.ts';
import { retryWaitsMs } from '../src/deliveries/schedule.ts';
import { fanOut } from '../src/events/fan-out.ts';
import { serviceSignature } from '../src/receivers/sign.ts';
import type { Outcome } from '../src/receivers/types.ts';
import {
  event,
  events,
  failed,
  hour,
  keyCaller,
  minute,
  type PostRequest,
  respond,
  revocation,
  shareWebhooks,
  staffCaller,
  until,
  webhooks,
} from './webhooks-under-test.ts';

shareWebhooks();

/** Events that fail permanently, at once, one after the other. */
const failForGood = async (count = 1) => {
  webhooks.answer(410);
  for (let failure = 0; failure < count; failure++) await webhooks.deliver(event());
};

describe('retries', () => {
  test("D138: five attempts with the same bytes, each its wait after the last one's end", async () => {
    const { id, secret } = await webhooks.subscribe();
    webhooks.state.receive = () => {
      webhooks.clock.advance(10_000);
      return respond(500);
    };
    const sent = event();
    await webhooks.deliver(sent);
    for (const wait of [minute, 5 * minute, 30 * minute, 2 * hour]) {
      const before = webhooks.received.length;
      await webhooks.after(wait - 1);
      expect(webhooks.received).toHaveLength(before);
      await webhooks.after(1);
      expect(webhooks.received).toHaveLength(before + 1);
    }
    await webhooks.after(24 * hour);
    expect(webhooks.headers('X-Service-Attempt')).toEqual(['1', '2', '3', '4', '5']);
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
    expect(webhook_subscription).toMatchObject({ failure_count: 1, active: true, last_triggered_at: '2026-11-21T12:06:50.000Z' });
    expect(recent_deliveries).toHaveLength(5);
    const last = { id: expect.any(Number), event: 'product.updated', created_at: '2026-11-21T12:06:40.000Z' };
    expect(recent_deliveries[0]).toEqual({ ...last, response_status: 500, duration_ms: 12, success: false });
  });

  test('attempts are listed in pages, as far as a client may know what came of them', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.answer(503, failed('timeout', 10_000), failed('refused'), 200);
    const sent = event();
    await webhooks.deliver(sent);
    await webhooks.after(minute);
    const page = (query: string) => webhooks.query('ListDeliveries', `${query}&id=${id}`);
    const { deliveries, pagination } = await page('');
    expect(pagination).toEqual({ current_page: 1, per_page: 50, total_count: 2, total_pages: 1 });
    const [number, text] = [expect.any(Number), expect.any(String)];
    const first = { id: number, event: 'product.updated', event_id: sent.id, attempt: 1, created_at: text, next_attempt_at: text };
    expect(deliveries[1]).toEqual({ ...first, outcome: 'response', response_status: 503, duration_ms: number, success: false });
    await webhooks.after(2 * hour);
    await webhooks.after(2 * hour);
    expect((await page('per_page=3')).deliveries).toMatchObject([
      { attempt: 4, outcome: 'response', response_status: 200 },
      { attempt: 3, outcome: 'unreachable', response_status: 0 },
      { attempt: 2, outcome: 'timeout', response_status: 0 },
    ]);
    expect((await page('per_page=3&page=2')).deliveries).toMatchObject([{ attempt: 1, next_attempt_at: null }]);
  });

  test('D152: after a PATCH of url the retry is sent to the new one', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.answer(500);
    await webhooks.deliver(event());
    await webhooks.patch(id, { url: 'https://hooks.shop-erp.com/new' });
    await webhooks.after(minute);
    expect(webhooks.received.map(({ url }) => url)).toEqual(['https://hooks.shop-erp.com/in', 'https://hooks.shop-erp.com/new']);
  });
});

describe('disabling', () => {
  test('at the fifth final failure it is disabled and its pending retries end', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.answer(500);
    await webhooks.deliver(event(), event());
    await failForGood(4);
    expect(await webhooks.subscription(id)).toMatchObject({ failure_count: 4, active: true, disabled_at: null });
    webhooks.clock.advance(1_000);
    await failForGood();
    expect(await webhooks.subscription(id)).toMatchObject({ failure_count: 5, active: false, disabled_at: '2026-11-21T09:30:01.000Z' });
    const before = webhooks.received.length;
    await webhooks.publish(event());
    await webhooks.after(minute);
    // D152: what was skipped stays so, also after a reset by staff, which begins the count at 0.
    const { webhook_subscription } = await webhooks.staff('ResetSubscription', id);
    expect(webhook_subscription).toMatchObject({ active: true, failure_count: 0, disabled_at: null, deliverable: true });
    await webhooks.after(2 * hour);
    expect(webhooks.received).toHaveLength(before);
    expect(await webhooks.states()).toEqual(['skipped', 'skipped', ...Array(5).fill('failed')]);
  });

  test('10 final failures at once disable it once and are all counted (D152)', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.answer(404);
    await webhooks.deliver(...events(10));
    expect(await webhooks.subscription(id)).toMatchObject({ failure_count: 10, active: false });
    const kinds = (await webhooks.notices()).map(({ kind }: { kind: string }) => kind).sort();
    expect(kinds).toEqual([...Array(10).fill('delivery_exhausted'), 'disabled', 'failing_60', 'failing_80']);
  });
});

describe('a revoked or expired key', () => {
  test('a revoked key: nothing starts any more, and active stays true (Delivery 6)', async () => {
    const { id } = await webhooks.subscribe();
    const other = await webhooks.subscribe({}, keyCaller({ actor: { keyId: 13 } }));
    webhooks.answer(500);
    await webhooks.deliver(event());
    await webhooks.revokeKey(12, webhooks.clock.now().getTime());
    webhooks.received.length = 0;
    await webhooks.publish(event());
    await webhooks.after(minute);
    // Only the other key's: its retry and the new event.
    expect(webhooks.received).toHaveLength(2);
    expect((await webhooks.query('ListMonitor', '', staffCaller())).webhook_subscriptions).toMatchObject([
      { id: other.id, deliverable: true },
      { id, active: true, deliverable: false, failure_count: 0, api_key: { id: 12, name: 'Till sync' } },
    ]);
  });

  test('the event of a revocation has the effect of the call, on later subscriptions too', async () => {
    await webhooks.subscribe();
    const revoked = revocation({ key_id: 12, revoked_at: '2026-11-21T09:30:00.000Z' });
    await webhooks.publish(revoked, revoked);
    await webhooks.subscribe();
    await webhooks.deliver(event());
    expect(webhooks.received).toEqual([]);
  });

  test('a key that expires receives nothing from that exact millisecond on', async () => {
    const keyExpiresAtMs = webhooks.clock.now().getTime() + minute;
    await webhooks.subscribe({}, keyCaller({ actor: { keyExpiresAtMs } }));
    webhooks.answer(500);
    await webhooks.deliver(event());
    await webhooks.after(minute - 1);
    await webhooks.deliver(event());
    expect(webhooks.received).toHaveLength(2);
    await webhooks.publish(event());
    await webhooks.after(1);
    expect(webhooks.received).toHaveLength(2);
    expect(await webhooks.states()).toEqual(['skipped', 'skipped', 'skipped']);
  });

  test('D189: 40 revocations during running deliveries: no POST starts after the answer', async () => {
    for (let keyId = 100; keyId < 140; keyId++) {
      const { id } = await webhooks.subscribe({ url: `https://hooks.shop-erp.com/${keyId}` }, keyCaller({ actor: { keyId } }));
      await webhooks.publish(...events(30));
      const draining = webhooks.loop.drain();
      await webhooks.revokeKey(keyId);
      const atAnswer = webhooks.receivedAt(`/${keyId}`);
      await draining;
      expect(webhooks.receivedAt(`/${keyId}`)).toBe(atAnswer);
      await webhooks.staff('DeleteMonitored', id);
    }
  });
});

describe('order and fairness', () => {
  const sent = () => webhooks.headers('X-Service-Delivery');

  test('D141: first attempts of a record are sent one by one in order, also if they fail', async () => {
    await webhooks.subscribe();
    const [first, second, third] = events(3, { aggregate: 'p1' });
    const other = event({ aggregate: 'p2' });
    const gate = Promise.withResolvers<Outcome>();
    webhooks.state.receive = ({ headers }: PostRequest) => (headers['X-Service-Delivery'] === first!.id ? gate.promise : respond(200));
    await webhooks.publish(first!, second!, third!, other);
    const draining = webhooks.loop.drain();
    await until(() => webhooks.received.length >= 2);
    expect(sent().sort()).toEqual([first!.id, other.id].sort());
    await webhooks.publish(event({ aggregate: 'p1' }));
    gate.resolve(respond(500));
    await draining;
    const ofRecord = sent().filter((id) => id !== other.id);
    expect(ofRecord.slice(0, 3)).toEqual([first!.id, second!.id, third!.id]);
    expect(ofRecord).toHaveLength(4);
    await webhooks.after(minute);
    expect(sent().at(-1)).toBe(first!.id);
  });

  test('an event fanned out while the previous one ends is neither sent early nor lost', async () => {
    await webhooks.subscribe();
    const [first, second] = events(2, { aggregate: 'p1' });
    await webhooks.publish(first!);
    const { claimed } = (await claimDue(webhooks.app, 0)).claims!;
    const ends = claimed.map((one) => ({ claimed: one, outcome: respond(200), endedAt: webhooks.clock.now() }));
    let recording: Promise<unknown> = Promise.resolve();
    await webhooks.db.unit(0, async (em) => {
      await fanOut(em, [second!], webhooks.clock.now());
      recording = recordResults(webhooks.app, ends, { retryWaitsMs });
      await lockWaits(webhooks.db, 1, recording);
    });
    await recording;
    await webhooks.loop.drain();
    expect(sent()).toEqual([second!.id]);
  });

  test('P9: at most ten in flight per subscription; one that hangs delays only itself', async () => {
    const hanging = await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/hangs' });
    await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/well' });
    const gate = Promise.withResolvers<Outcome>();
    webhooks.state.receive = ({ url }: PostRequest) => (url.endsWith('/hangs') ? gate.promise : respond(200));
    await webhooks.publish(...events(50));
    const draining = webhooks.loop.drain();
    await until(() => webhooks.receivedAt('/well') === 50);
    expect(webhooks.receivedAt('/hangs')).toBe(10);
    gate.resolve(respond(200));
    await draining;
    expect(webhooks.received).toHaveLength(100);
    expect((await webhooks.detail(hanging.id)).recent_deliveries).toHaveLength(20);
  });
});
