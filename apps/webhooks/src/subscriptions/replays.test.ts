import { describe, expect, test } from '@jest/globals';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, keyCaller, type PostRequest, refused, respond, staffCaller } from '../../test/webhooks-under-test.ts';
import { serviceSignature } from '../receivers/sign.ts';

shareWebhooks();

const minute = 60_000;
const deliveriesOf = () => webhooks.received.map(({ headers }) => headers['X-Service-Delivery']);
/** One event that fails permanently, at once. */
const failForGood = async () => {
  webhooks.state.receive = () => respond(410);
  await webhooks.publish(event());
  await webhooks.loop.drain();
};

describe('replay and resend', () => {
  test('D178: everything after a sequence is sent again, with its original bytes and id', async () => {
    const { id, secret } = await webhooks.subscribe();
    await webhooks.publish(event(), event({ name: 'product.deleted' }), event(), event());
    await webhooks.loop.drain();
    const first = [...webhooks.received];
    webhooks.received.length = 0;
    const answer = await webhooks.body('ReplaySubscription', { after_seq: 1 }, keyCaller(), { id: String(id) });
    expect(answer).toEqual({ replayed: 2, from_sequence: 3, to_sequence: 4 });
    await webhooks.loop.drain();
    expect(webhooks.received.map(({ body }) => body.toString())).toEqual(first.slice(1).map(({ body }) => body.toString()));
    expect(webhooks.received[0]!.headers['X-Service-Signature']).toBe(serviceSignature(secret, webhooks.received[0]!.body));
    expect(await webhooks.body('ReplaySubscription', { after_seq: 4 }, keyCaller(), { id: String(id) })).toEqual({
      replayed: 0,
      from_sequence: null,
      to_sequence: null,
    });
  });

  test('events can be selected by id; unknown ids are ignored', async () => {
    const { id } = await webhooks.subscribe();
    const [a, b] = [event(), event()];
    await webhooks.publish(a, b);
    await webhooks.loop.drain();
    webhooks.received.length = 0;
    const ids = [b.id, '00000000-0000-4000-8000-0000000000ff'];
    expect(await webhooks.body('ReplaySubscription', { event_ids: ids }, keyCaller(), { id: String(id) })).toEqual({
      replayed: 1,
      from_sequence: 2,
      to_sequence: 2,
    });
    await webhooks.loop.drain();
    expect(deliveriesOf()).toEqual([b.id]);
  });

  test.each([
    [{}, 400, undefined],
    [{ after_seq: 'x' }, 422, ['After seq must be a valid sequence']],
    [{ after_seq: -1 }, 422, ['After seq must be a valid sequence']],
    [{ after_seq: {} }, 422, ['After seq must be a valid sequence']],
    [{ event_ids: [] }, 422, ["Event ids can't be blank"]],
    [{ event_ids: ['x'] }, 422, ['Event ids must be a list of event ids']],
    [{ event_ids: 'x' }, 422, ['Event ids must be a list of event ids']],
    [{ after_seq: 1, event_ids: ['00000000-0000-4000-8000-0000000000ff'] }, 422, ['After seq and event ids cannot be sent together']],
  ])('the body %j is a %i', async (body, status, errors) => {
    const { id } = await webhooks.subscribe();
    const problem = await refused(webhooks.body('ReplaySubscription', body, keyCaller(), { id: String(id) }));
    expect(problem.status).toBe(status);
    if (errors) expect(problem.extra.errors).toEqual(errors);
  });

  test('D140: a replay that fails permanently is not counted, one that succeeds resets the count', async () => {
    const { id } = await webhooks.subscribe();
    await failForGood();
    for (let round = 0; round < 4; round++) {
      await webhooks.body('ReplaySubscription', { after_seq: 0 }, keyCaller(), { id: String(id) });
      await webhooks.loop.drain();
    }
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({ failure_count: 1, active: true });
    webhooks.state.receive = () => respond(200);
    await webhooks.body('ReplaySubscription', { after_seq: 0 }, keyCaller(), { id: String(id) });
    await webhooks.loop.drain();
    expect((await webhooks.detail(id)).webhook_subscription.failure_count).toBe(0);
  });

  test('D140, point 9: five failed replays end the rest and refuse others for ten minutes or until a success; events go on', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.publish(...Array.from({ length: 30 }, () => event()), event({ aggregate: 'same' }), event({ aggregate: 'same' }));
    await webhooks.loop.drain();
    const replay = () => webhooks.body('ReplaySubscription', { after_seq: 0 }, keyCaller(), { id: String(id) });
    const stopped = { message: 'Validation failed', extra: { errors: [expect.stringMatching(/^The last 5 replays failed/)] } };
    const failedReplay = async () => {
      webhooks.received.length = 0;
      webhooks.state.receive = () => respond(404);
      await replay();
      await webhooks.publish(event({ aggregate: 'same' }));
      webhooks.state.receive = () => respond(webhooks.received.length > 12 ? 503 : 404);
      await webhooks.loop.drain();
    };
    await failedReplay();
    // Ten were under way when the fifth failed, and the new event waited behind a replay of its record.
    expect(webhooks.received.length).toBeLessThan(25);
    expect((await webhooks.deliveries()).filter(({ state }) => state === 'skipped').length).toBeGreaterThan(10);
    expect((await webhooks.deliveries()).filter(({ held }) => held)).toEqual([]);
    expect((await webhooks.detail(id)).webhook_subscription).toMatchObject({ active: true });
    expect(await refused(replay())).toMatchObject(stopped);
    webhooks.clock.advance(600_000 - 1);
    expect(await refused(replay())).toMatchObject(stopped);
    webhooks.clock.advance(1);
    await failedReplay();
    expect(await refused(replay())).toMatchObject(stopped);
    webhooks.state.receive = () => respond(200);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect(await replay()).toMatchObject({ from_sequence: 1 });
  });

  test('pending deliveries are not multiplied by repeated calls', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.publish(event());
    await webhooks.loop.drain();
    const replay = () => webhooks.body<{ replayed: number }>('ReplaySubscription', { after_seq: 0 }, keyCaller(), { id: String(id) });
    expect([(await replay()).replayed, (await replay()).replayed, (await replay()).replayed]).toEqual([1, 0, 0]);
  });

  test('an inactive subscription cannot be replayed to', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.patch(id, { active: false });
    const problem = await refused(webhooks.body('ReplaySubscription', { after_seq: 0 }, keyCaller(), { id: String(id) }));
    expect(problem).toMatchObject({ message: 'Validation failed', extra: { errors: ['Webhook subscription is not active'] } });
  });

  test('D156: staff see attempt, outcome and event of a delivery, and send it again; for another store it is a 404', async () => {
    const { id } = await webhooks.subscribe();
    await failForGood();
    const monitor = await webhooks.id<{ recent_deliveries: { delivery_id: number }[] }>('GetMonitor', id, staffCaller());
    const delivery = monitor.recent_deliveries[0]!.delivery_id;
    const eventId = webhooks.received[0]!.headers['X-Service-Delivery'];
    expect(monitor.recent_deliveries[0]).toMatchObject({ attempt: 1, outcome: 'response', event_id: eventId });
    webhooks.state.receive = () => respond(200);
    expect(await webhooks.id('ResendDelivery', delivery, staffCaller())).toMatchObject({ success: true });
    await webhooks.loop.drain();
    expect(webhooks.received).toHaveLength(2);
    expect(webhooks.received[1]!.body.equals(webhooks.received[0]!.body)).toBe(true);
    expect(await refused(webhooks.id('ResendDelivery', delivery, staffCaller({ storeId: 2 })))).toMatchObject({ status: 404 });
  });
});

describe('rotation (D135)', () => {
  const signatures = (request: PostRequest) => request.headers['webhook-signature']!.split(' ').length;

  test('a delivery keeps its secret on every attempt; a new one has the new secret; the overlap lasts 24 hours', async () => {
    const { id, secret: old } = await webhooks.subscribe();
    webhooks.state.receive = () => respond(500);
    const early = event();
    await webhooks.publish(early);
    await webhooks.loop.drain();
    const rotated = await webhooks.id<{ secret: string; webhook_subscription: object }>('RotateSecret', id, staffCaller());
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(old);
    expect(rotated.webhook_subscription).not.toHaveProperty('secret');
    await webhooks.after(minute);
    expect(webhooks.received.map(({ headers }) => headers['X-Service-Signature'])).toEqual(
      Array(2).fill(serviceSignature(old, early.public!)),
    );
    expect(webhooks.received.map(signatures)).toEqual([1, 2]);
    webhooks.state.receive = () => respond(200);
    const late = event();
    await webhooks.publish(late);
    await webhooks.loop.drain();
    expect(webhooks.received[2]!.headers['X-Service-Signature']).toBe(serviceSignature(rotated.secret, late.public!));
    expect(signatures(webhooks.received[2]!)).toBe(2);
    webhooks.clock.advance(24 * 3_600_000);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect(signatures(webhooks.received.at(-1)!)).toBe(1);
  });

  test('reveal_secret shows the current secret, and each access is audited', async () => {
    const { id, secret } = await webhooks.subscribe();
    expect(await webhooks.id('RevealSecret', id, staffCaller())).toEqual({ secret });
    const rotated = await webhooks.id<{ secret: string }>('RotateSecret', id, staffCaller());
    expect(await webhooks.id('RevealSecret', id, staffCaller())).toEqual({ secret: rotated.secret });
    const audits = await webhooks.rows<{ action: string }>(
      `select internal->'audit'->>'action' as action from webhooks.outbox order by id`,
    );
    expect(audits.map(({ action }) => action.split('.')[1])).toEqual(['create', 'reveal_secret', 'rotate_secret', 'reveal_secret']);
    expect(await refused(webhooks.id('RevealSecret', id, staffCaller({ storeId: 2 })))).toMatchObject({ status: 404 });
  });
});
