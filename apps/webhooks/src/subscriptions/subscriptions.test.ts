import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, goodUrl, keyCaller, refused, respond, type SubscriptionJson, untilWaiting } from '../../test/webhooks-under-test.ts';
import { Room } from '../deliveries/room.ts';
import { eventNames } from '../events/event-names.ts';
import type { Outcome } from '../receivers/types.ts';

shareWebhooks();

const list = (caller = keyCaller()) =>
  webhooks
    .query<{ webhook_subscriptions: SubscriptionJson[] }>('ListSubscriptions', '', caller)
    .then((answer) => answer.webhook_subscriptions);
const otherKey = keyCaller({ actor: { keyId: 13 } });

describe('POST /webhook_subscriptions', () => {
  test('answers with the subscription and, only here, its secret', async () => {
    const text = await webhooks.text(
      'CreateSubscription',
      { webhook_subscription: { url: goodUrl, events: ['sale.completed', 'product.updated', 'sale.completed'] } },
      keyCaller(),
    );
    const { webhook_subscription } = JSON.parse(text);
    expect(webhook_subscription).toEqual({
      id: expect.any(Number),
      url: goodUrl,
      events: ['sale.completed', 'product.updated'],
      active: true,
      failure_count: 0,
      last_triggered_at: null,
      disabled_at: null,
      created_at: '2026-11-21T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(Object.keys((await webhooks.detail(webhook_subscription.id)).webhook_subscription)).not.toContain('secret');
    expect(Object.keys((await list())[0]!)).not.toContain('secret');
  });

  test('stores the secret encrypted and bound to its row; audit and events do not contain it', async () => {
    const { secret } = await webhooks.subscribe();
    const hidden = secret.slice('whsec_'.length);
    const [row] = await webhooks.rows<{ all: string }>(
      `select (select json_agg(k)::text from webhooks.subscription_secrets k) || (select json_agg(s)::text from webhooks.subscriptions s)
         || (select json_agg(o)::text from webhooks.outbox o) as all`,
    );
    expect(row!.all).not.toContain(hidden);
    expect(row!.all).toContain('v1|1|');
    expect(JSON.stringify(webhooks.lines)).not.toContain(hidden);
  });

  test('with an Idempotency-Key is answered with the same secret, which is stored sealed (D185)', async () => {
    const caller = keyCaller({ idempotency: { key: 'once', hash: Buffer.from('h') } });
    const first = await webhooks.subscribe({}, caller);
    const again = await webhooks.subscribe({}, caller);
    expect(again).toEqual(first);
    expect(await list()).toHaveLength(1);
    const [row] = await webhooks.rows<{ answer: Buffer }>('select answer from webhooks.idempotency');
    expect(row!.answer.toString()).not.toContain(first.secret);
    expect(row!.answer.toString()).toMatch(/^v1\|/);
  });

  test('outside production the refusal of a private address or a name such as localhost names the setting that allows it', async () => {
    const setting = ' (on your own machine, start with WEBHOOK_ALLOW_CIDRS and name the receiver by its IP address)';
    const refusals = [
      ['https://127.0.0.1:9000/', `Url must not resolve to a private or reserved address${setting}`],
      ['https://localhost:9000/', `Url must have a public host name${setting}`],
      ['http://hooks.shop-erp.com/', 'Url must be an HTTPS URL'],
    ];
    webhooks.app.isProduction = false;
    try {
      for (const [url, text] of refusals) {
        expect((await refused(webhooks.subscribe({ url }))).extra.errors).toEqual([text]);
      }
    } finally {
      webhooks.app.isProduction = true;
    }
    expect((await refused(webhooks.subscribe({ url: 'https://127.0.0.1:9000/' }))).extra.errors).toEqual([
      'Url must not resolve to a private or reserved address',
    ]);
  });

  test.each([
    ['a host that does not resolve', { url: 'https://gone.shop-erp.com/', events: ['sale.completed'] }, ['Url host could not be resolved']],
    [
      'a host with a private address',
      { url: 'https://private.shop-erp.com/', events: ['sale.completed'] },
      ['Url must not resolve to a private or reserved address'],
    ],
  ])('%s is a 422 `Validation failed`', async (_name, wanted, errors) => {
    const problem = await refused(webhooks.body('CreateSubscription', { webhook_subscription: wanted }));
    expect(problem).toMatchObject({ status: 422, message: 'Validation failed' });
    expect([...(problem.extra.errors as string[])].sort()).toEqual([...errors].sort());
    expect(await list()).toEqual([]);
  });

  test('every event of the table can be subscribed to', async () => {
    expect((await webhooks.subscribe({ events: [...eventNames] })).events).toEqual([...eventNames]);
  });

  test('"At most 25 subscriptions per store": of 20 at once at 24 one succeeds, for any caller; disabled ones and those of revoked keys count', async () => {
    for (let number = 0; number < 24; number++) {
      const { id } = await webhooks.subscribe({}, number % 2 ? keyCaller() : otherKey);
      if (number === 1) await webhooks.patch(id, { active: false });
    }
    await webhooks.text('RevokeKey', { key_id: 13, revoked_at_ms: 1 }, keyCaller());
    // Inserts wait until all requests have come this far: without the lock, each would have counted 24.
    const commit = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = webhooks.db.unit(0, async (em) => {
      await sql(em, 'lock table webhooks.subscriptions in share row exclusive mode');
      locked.resolve();
      await commit.promise;
    });
    await locked.promise;
    const creating = Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => webhooks.subscribe({}, keyCaller({ actor: { keyId: 20 + (number % 3) } }))),
    );
    await untilWaiting(webhooks, 20).finally(() => commit.resolve());
    await holding;
    const outcomes = await creating;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(failed!.reason).toMatchObject({
      message: 'Validation failed',
      extra: { errors: ['Webhook subscriptions are limited to 25 per store'] },
    });
    await webhooks.subscribe({}, keyCaller({ storeId: 2 }));
    await webhooks.id('DeleteSubscription', (await list())[0]!.id);
    await webhooks.subscribe();
  });
});

describe('ownership of a subscription', () => {
  test('only the creating key sees it; for another key, another store and an unknown id it is the same 404', async () => {
    const { id } = await webhooks.subscribe();
    const verbs = ['GetSubscription', 'DeleteSubscription', 'TestSubscription'];
    for (const caller of [otherKey, keyCaller({ storeId: 2 })]) {
      for (const rpc of verbs)
        expect(await refused(webhooks.id(rpc, id, caller))).toMatchObject({ status: 404, message: 'Webhook subscription not found' });
      expect(await refused(webhooks.patch(id, { active: false }, caller))).toMatchObject({ status: 404 });
      expect(await refused(webhooks.body('ReplaySubscription', { after_seq: 0 }, caller, { id: String(id) }))).toMatchObject({
        status: 404,
      });
      expect(await list(caller)).toEqual([]);
    }
    for (const unknown of ['0', 'x', '9007199254740993', String(id + 1)]) {
      expect(await refused(webhooks.id('GetSubscription', unknown))).toMatchObject({
        status: 404,
        message: 'Webhook subscription not found',
      });
    }
    expect(await list()).toHaveLength(1);
  });

  test('the list is newest first', async () => {
    const ids = [(await webhooks.subscribe()).id, (await webhooks.subscribe()).id, (await webhooks.subscribe()).id];
    expect((await list()).map(({ id }) => id)).toEqual(ids.reverse());
  });
});

describe('PATCH /webhook_subscriptions/:id', () => {
  test('changes only what is sent; read-only fields are ignored', async () => {
    const before = await webhooks.subscribe();
    webhooks.clock.advance(1_000);
    const after = await webhooks.patch(before.id, {
      events: ['sale.voided'],
      secret: 'x',
      failure_count: 4,
      id: 99,
      disabled_at: '2020-01-01',
      created_at: '2020-01-01',
      store_id: 2,
    });
    const { secret: _shownOnce, ...shown } = before;
    expect(after).toEqual({ ...shown, events: ['sale.voided'], updated_at: '2026-11-21T09:30:01.000Z' });
  });

  test('checks the url and the events again', async () => {
    const { id } = await webhooks.subscribe();
    const refusals: [Record<string, unknown>, string][] = [
      [{ url: 'https://private.shop-erp.com/' }, 'Url must not resolve to a private or reserved address'],
      [{ url: null }, "Url can't be blank"],
      [{ url: '' }, "Url can't be blank"],
      [{ events: null }, 'Events must be a list of event names'],
      [{ events: null, active: true }, 'Events must be a list of event names'],
      [{ events: Array.from({ length: 51 }, () => 'sale.voided') }, 'Events is too long (maximum is 50)'],
      [{ active: null }, 'Active must be true or false'],
      [{ events: [] }, "Events can't be blank"],
      [{ active: 'maybe' }, 'Active must be true or false'],
    ];
    for (const [changes, error] of refusals) {
      expect(await refused(webhooks.patch(id, changes))).toMatchObject({ message: 'Validation failed', extra: { errors: [error] } });
    }
    expect(await refused(webhooks.body('UpdateSubscription', { webhook_subscription: {} }, keyCaller(), { id: String(id) }))).toMatchObject(
      {
        status: 400,
      },
    );
  });

  test('D131: active false leaves disabled_at null, active true clears it and keeps failure_count', async () => {
    const { id } = await webhooks.subscribe();
    expect(await webhooks.patch(id, { active: 'false' })).toMatchObject({ active: false, disabled_at: null });
    await webhooks.rows(`update webhooks.subscriptions set failure_count = 5, disabled_at = '2026-11-21T09:00:00Z' where id = $1`, [id]);
    expect(await webhooks.patch(id, { active: true })).toMatchObject({ active: true, disabled_at: null, failure_count: 5 });
  });

  test('without changes emits nothing; a change is audited with the changed fields', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.patch(id, { url: goodUrl, active: true });
    await webhooks.patch(id, { active: false });
    const rows = await webhooks.rows<{ internal: { audit: object } }>('select internal from webhooks.outbox order by id');
    expect(rows.map(({ internal }) => internal.audit)).toEqual([
      expect.objectContaining({ action: 'webhook_subscription.create', before: null }),
      expect.objectContaining({
        action: 'webhook_subscription.update',
        resource_id: id,
        before: { active: true },
        after: { active: false },
      }),
    ]);
  });
});

test('D127: DELETE answers success, cancels pending deliveries, and the subscription is gone', async () => {
  const { id } = await webhooks.subscribe();
  webhooks.state.receive = () => respond(500);
  await webhooks.publish(event());
  await webhooks.loop.drain();
  expect(await webhooks.id('DeleteSubscription', id)).toEqual({ success: true, message: 'Webhook subscription deleted' });
  await webhooks.after(60_000);
  expect(webhooks.received).toHaveLength(1);
  expect(await webhooks.deliveries()).toMatchObject([{ state: 'skipped' }]);
  expect(await refused(webhooks.detail(id))).toMatchObject({ status: 404 });
  expect(await refused(webhooks.id('DeleteSubscription', id))).toMatchObject({ status: 404 });
  expect(await webhooks.rows('select from webhooks.subscription_secrets')).toEqual([]);
});

describe('the test ping', () => {
  test('is a signed POST at once, without a delivery header, not logged and not counted (D180)', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.rows('update webhooks.subscriptions set failure_count = 3');
    expect(await webhooks.id('TestSubscription', id)).toEqual({
      success: true,
      status_code: 200,
      message: 'The endpoint answered with 200',
    });
    const [ping] = webhooks.received;
    expect(JSON.parse(ping!.body.toString())).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'webhook.test',
      created_at: '2026-11-21T09:30:00.000Z',
      data: { message: expect.any(String) },
    });
    expect(Object.keys(ping!.headers).sort()).toEqual([
      'Content-Type',
      'User-Agent',
      'X-Service-Event',
      'X-Service-Signature',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
    expect(ping!.headers['X-Service-Event']).toBe('webhook.test');
    const { webhook_subscription, recent_deliveries } = await webhooks.detail(id);
    expect(webhook_subscription).toMatchObject({ failure_count: 3, last_triggered_at: null });
    expect(recent_deliveries).toEqual([]);
  });

  test('D132: any answer is a 200 with the result; allowed while disabled', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.patch(id, { active: false });
    webhooks.state.receive = () => respond(500);
    expect(await webhooks.id('TestSubscription', id)).toEqual({
      success: false,
      status_code: 500,
      message: 'The endpoint answered with 500',
    });
  });

  test.each([
    ['timeout', ': the endpoint did not answer in time'],
    ['tls', ': TLS failed, or the certificate was not accepted'],
    ...(['refused', 'reset', 'dns', 'blocked', 'not_https'] as const).map((reason) => [reason, ''] as const),
  ] as const)('D132: that fails with %s is a 422 with the same keys; only what its owner can mend is told', async (reason, more) => {
    const { id } = await webhooks.subscribe();
    webhooks.state.receive = () => ({ kind: 'failed', reason, durationMs: 3 });
    const { status, extra } = await refused(webhooks.id('TestSubscription', id));
    expect(status).toBe(422);
    expect(extra.body).toEqual({ success: false, status_code: 0, message: `The test delivery could not be made${more}` });
  });

  test('counts among the POSTs in flight: deliveries get the remaining slots, and without a free slot it is refused', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.app.room = new Room(2);
    const { loop } = webhooks;
    const held: PromiseWithResolvers<Outcome>[] = [];
    webhooks.state.receive = () => {
      held.push(Promise.withResolvers<Outcome>());
      return held.at(-1)!.promise;
    };
    const until = async (posts: number) => {
      while (held.length < posts) await new Promise((resolve) => setImmediate(resolve));
    };
    const pinging = webhooks.id('TestSubscription', id);
    await until(1);
    await webhooks.publish(event(), event(), event());
    const draining = loop.drain();
    await until(2);
    expect(loop.inFlight).toBe(1);
    // A process with two slots allows one ping; the answer is that of any other ping that could not be made.
    expect((await refused(webhooks.id('TestSubscription', id))).extra.body).toMatchObject({ status_code: 0 });
    held[0]!.resolve(respond(200));
    expect(await pinging).toMatchObject({ success: true });
    held[1]!.resolve(respond(200));
    await until(4);
    expect(loop.inFlight).toBe(2);
    await refused(webhooks.id('TestSubscription', id));
    expect(held).toHaveLength(4);
    for (const one of held) one.resolve(respond(200));
    await draining;
  });
});
