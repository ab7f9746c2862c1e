import { describe, expect, test } from '@jest/globals';
import {
  event,
  events,
  hour,
  keyCaller,
  minute,
  type PostRequest,
  refused,
  respond,
  shareWebhooks,
  webhooks,
} from '../../test/webhooks-under-test.ts';
import { serviceSignature } from '../receivers/sign.ts';

shareWebhooks();

const unknownId = '00000000-0000-4000-8000-0000000000ff';

describe('replay and resend', () => {
  test('D178: everything after a sequence is sent again, with its original bytes and id', async () => {
    const { id, secret } = await webhooks.subscribe();
    await webhooks.deliver(event(), event({ name: 'product.deleted' }), event(), event());
    const first = webhooks.received.splice(0);
    expect(await webhooks.replay(id, { after_seq: 1 })).toEqual({ replayed: 2, from_sequence: 3, to_sequence: 4 });
    await webhooks.loop.drain();
    expect(webhooks.received.map(({ body }) => body.toString())).toEqual(first.slice(1).map(({ body }) => body.toString()));
    expect(webhooks.received[0]!.headers['X-Service-Signature']).toBe(serviceSignature(secret, webhooks.received[0]!.body));
    expect(await webhooks.replay(id, { after_seq: 4 })).toEqual({ replayed: 0, from_sequence: null, to_sequence: null });
  });

  test('events can be selected by id; unknown and pending ones are ignored', async () => {
    const { id } = await webhooks.subscribe();
    const [a, b] = [event(), event()];
    await webhooks.deliver(a, b);
    webhooks.received.length = 0;
    const body = { event_ids: [b.id, unknownId] };
    expect(await webhooks.replay(id, body)).toEqual({ replayed: 1, from_sequence: 2, to_sequence: 2 });
    for (let again = 0; again < 2; again++) expect(await webhooks.replay(id, body)).toMatchObject({ replayed: 0 });
    await webhooks.loop.drain();
    expect(webhooks.headers('X-Service-Delivery')).toEqual([b.id]);
  });

  test('D185: repeated under its key a replay sends once', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.deliver(event());
    const once = keyCaller({ idempotency: { key: 'replay-1', hash: Buffer.alloc(32) } });
    for (let time = 0; time < 2; time++) {
      await webhooks.replay(id, { after_seq: 0 }, once);
      await webhooks.loop.drain();
    }
    expect(webhooks.received).toHaveLength(2);
  });

  test.each([
    [{}, 400, undefined],
    [{ after_seq: 'x' }, 422, ['After seq must be a valid sequence']],
    [{ after_seq: -1 }, 422, ['After seq must be a valid sequence']],
    [{ after_seq: {} }, 422, ['After seq must be a valid sequence']],
    [{ event_ids: [] }, 422, ["Event ids can't be blank"]],
    [{ event_ids: ['x'] }, 422, ['Event ids must be a list of event ids']],
    [{ event_ids: 'x' }, 422, ['Event ids must be a list of event ids']],
    [{ after_seq: 1, event_ids: [unknownId] }, 422, ['After seq and event ids cannot be sent together']],
  ])('the body %j is a %i', async (body, status, errors) => {
    const problem = await refused(webhooks.replay((await webhooks.subscribe()).id, body));
    expect(problem.status).toBe(status);
    if (errors) expect(problem.extra.errors).toEqual(errors);
  });

  test('D140: a replay that fails is not counted, one that succeeds resets the count', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.answer(410);
    await webhooks.deliver(event());
    for (let round = 0; round < 4; round++) {
      await webhooks.replay(id);
      await webhooks.loop.drain();
    }
    expect(await webhooks.subscription(id)).toMatchObject({ failure_count: 1, active: true });
    webhooks.answer(200);
    await webhooks.replay(id);
    await webhooks.loop.drain();
    expect((await webhooks.subscription(id)).failure_count).toBe(0);
  });

  test('D140, point 9: five failed replays end others for ten minutes or until a success', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.deliver(...events(30), ...events(2, { aggregate: 'same' }));
    const stopped = { message: 'Validation failed', extra: { errors: [expect.stringMatching(/^The last 5 replays failed/)] } };
    const failedReplay = async () => {
      webhooks.received.length = 0;
      webhooks.answer(404);
      await webhooks.replay(id);
      await webhooks.publish(event({ aggregate: 'same' }));
      webhooks.state.receive = () => respond(webhooks.received.length > 12 ? 503 : 404);
      await webhooks.loop.drain();
    };
    await failedReplay();
    // Ten were under way when the fifth failed, and the new event waited behind a replay of its record.
    expect(webhooks.received.length).toBeLessThan(25);
    const deliveries = await webhooks.deliveries();
    expect(deliveries.filter(({ state }) => state === 'skipped').length).toBeGreaterThan(10);
    expect(deliveries.filter(({ held }) => held)).toEqual([]);
    expect(await webhooks.subscription(id)).toMatchObject({ active: true });
    expect(await refused(webhooks.replay(id))).toMatchObject(stopped);
    webhooks.clock.advance(10 * minute - 1);
    expect(await refused(webhooks.replay(id))).toMatchObject(stopped);
    webhooks.clock.advance(1);
    await failedReplay();
    expect(await refused(webhooks.replay(id))).toMatchObject(stopped);
    webhooks.answer(200);
    await webhooks.deliver(event());
    expect(await webhooks.replay(id)).toMatchObject({ from_sequence: 1 });
  });

  test('an inactive subscription cannot be replayed to', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.patch(id, { active: false });
    const errors = ['Webhook subscription is not active'];
    expect(await refused(webhooks.replay(id))).toMatchObject({ message: 'Validation failed', extra: { errors } });
  });

  test('D156: staff see a delivery and send it again', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.answer(410, 200);
    await webhooks.deliver(event());
    const [attempt] = (await webhooks.staff('GetMonitor', id)).recent_deliveries;
    expect(attempt).toMatchObject({ attempt: 1, outcome: 'response', event_id: webhooks.headers('X-Service-Delivery')[0] });
    expect(await webhooks.staff('ResendDelivery', attempt.delivery_id)).toMatchObject({ success: true });
    await webhooks.loop.drain();
    expect(webhooks.received).toHaveLength(2);
    expect(webhooks.received[1]!.body.equals(webhooks.received[0]!.body)).toBe(true);
  });
});

describe('rotation (D135)', () => {
  const signatures = (request: PostRequest) => request.headers['webhook-signature']!.split(' ').length;

  test('a delivery keeps its secret, a new one has the new; both sign for 24 hours', async () => {
    const { id, secret: old } = await webhooks.subscribe();
    webhooks.answer(500, 500, 200);
    const [early, late] = [event(), event()];
    await webhooks.deliver(early);
    const rotated = await webhooks.staff('RotateSecret', id);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(old);
    expect(rotated.webhook_subscription).not.toHaveProperty('secret');
    await webhooks.after(minute);
    await webhooks.deliver(late);
    const [first, second] = [serviceSignature(old, early.public!), serviceSignature(rotated.secret, late.public!)];
    expect(webhooks.headers('X-Service-Signature')).toEqual([first, first, second]);
    webhooks.clock.advance(24 * hour);
    await webhooks.publish(event());
    await webhooks.loop.drain();
    expect(webhooks.received.slice(0, 3).map(signatures)).toEqual([1, 2, 2]);
    expect(signatures(webhooks.received.at(-1)!)).toBe(1);
  });

  test('reveal_secret shows the current secret, and each access is audited', async () => {
    const { id, secret } = await webhooks.subscribe();
    expect(await webhooks.staff('RevealSecret', id)).toEqual({ secret });
    const rotated = await webhooks.staff('RotateSecret', id);
    expect(await webhooks.staff('RevealSecret', id)).toEqual({ secret: rotated.secret });
    const audits = await webhooks.rows(`select internal->'audit'->>'action' as action from webhooks.outbox order by id`);
    expect(audits).toEqual(
      ['create', 'reveal_secret', 'rotate_secret', 'reveal_secret'].map((verb) => ({ action: `webhook_subscription.${verb}` })),
    );
  });
});
