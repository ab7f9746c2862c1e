import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { configOf } from '@store/service';
import { lockWaits } from '@store/testbed';
import { event, goodUrl, keyCaller, minute, refused, respond, shareWebhooks, until, webhooks } from '../../test/webhooks-under-test.ts';
import { eventNames } from '../events/event-names.ts';
import { webhooks as declared } from '../main.ts';

shareWebhooks();

const list = async (caller = keyCaller()) => (await webhooks.query('ListSubscriptions', '', caller)).webhook_subscriptions;
/** The errors of a refused request. */
const errorsOf = async (work: Promise<unknown>) => (await refused(work)).extra.errors;
const otherKey = keyCaller({ actor: { keyId: 13 } });

describe('POST /webhook_subscriptions', () => {
  test('answers with the subscription and, only here, its secret', async () => {
    const wanted = { url: goodUrl, events: ['sale.completed', 'product.updated', 'sale.completed'] };
    const { webhook_subscription } = await webhooks.body('CreateSubscription', { webhook_subscription: wanted });
    const shown = { id: expect.any(Number), url: goodUrl, events: ['sale.completed', 'product.updated'] };
    const state = { active: true, failure_count: 0, last_triggered_at: null, disabled_at: null };
    const times = { created_at: '2026-11-21T09:30:00.000Z', updated_at: '2026-11-21T09:30:00.000Z' };
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook_subscription).toEqual({ ...shown, ...state, ...times, secret });
    expect(await webhooks.subscription(webhook_subscription.id)).not.toHaveProperty('secret');
    expect((await list())[0]).not.toHaveProperty('secret');
  });

  test('stores the secret encrypted and bound to its row, and nowhere else', async () => {
    const { secret } = await webhooks.subscribe();
    const hidden = secret.slice('whsec_'.length);
    const [row] = await webhooks.rows(
      `select (select json_agg(k)::text from webhooks.subscription_secrets k) || (select json_agg(s)::text from webhooks.subscriptions s)
         || (select json_agg(o)::text from webhooks.outbox o) as all`,
    );
    expect(row.all).not.toContain(hidden);
    expect(row.all).toContain('v1|1|');
    expect(JSON.stringify(webhooks.lines)).not.toContain(hidden);
  });

  test('with an Idempotency-Key is answered with the same secret, stored sealed (D185)', async () => {
    const caller = keyCaller({ idempotency: { key: 'once', hash: Buffer.from('h') } });
    const first = await webhooks.subscribe({}, caller);
    const again = await webhooks.subscribe({}, caller);
    expect(again).toEqual(first);
    expect(await list()).toHaveLength(1);
    const [row] = await webhooks.rows('select answer from webhooks.idempotency');
    expect(row.answer.toString()).not.toContain(first.secret);
    expect(row.answer.toString()).toMatch(/^v1\|/);
  });

  test('outside production the refusal of an address names the setting that allows it', async () => {
    const setting = ' (on your own machine, start with WEBHOOK_ALLOW_CIDRS and name the receiver by its IP address)';
    const refusals = [
      ['https://127.0.0.1:9000/', `Url must not resolve to a private or reserved address${setting}`],
      ['https://localhost:9000/', `Url must have a public host name${setting}`],
      ['http://hooks.shop-erp.com/', 'Url must be an HTTPS URL'],
    ];
    webhooks.app.isProduction = false;
    for (const [url, text] of refusals) expect(await errorsOf(webhooks.subscribe({ url }))).toEqual([text]);
  });

  test.each([
    ['a host that does not resolve', 'https://gone.shop-erp.com/', 'Url host could not be resolved'],
    ['a private address', 'https://private.shop-erp.com/', 'Url must not resolve to a private or reserved address'],
    ['a private address as text', 'https://127.0.0.1:9000/', 'Url must not resolve to a private or reserved address'],
  ])('%s is a 422 `Validation failed`', async (_name, url, error) => {
    const problem = await refused(webhooks.subscribe({ url }));
    expect(problem).toMatchObject({ status: 422, message: 'Validation failed', extra: { errors: [error] } });
    expect(await list()).toEqual([]);
  });

  test('every event of the table can be subscribed to', async () => {
    expect((await webhooks.subscribe({ events: [...eventNames] })).events).toEqual([...eventNames]);
  });

  test('"At most 25 subscriptions per store", disabled and revoked ones included', async () => {
    for (let number = 0; number < 24; number++) {
      const { id } = await webhooks.subscribe({}, number % 2 ? keyCaller() : otherKey);
      if (number === 1) await webhooks.patch(id, { active: false });
    }
    await webhooks.revokeKey(13);
    // Of 20 at once one succeeds: inserts wait until all have come this far, so without the lock each would have counted 24.
    const callers = Array.from({ length: 20 }, (_, number) => keyCaller({ actor: { keyId: 20 + (number % 3) } }));
    let creating: Promise<unknown>[] = [];
    await webhooks.db.unit(0, async (em) => {
      await sql(em, 'lock table webhooks.subscriptions in share row exclusive mode');
      creating = callers.map((caller) => webhooks.subscribe({}, caller));
      await lockWaits(webhooks.db, 20, Promise.allSettled(creating));
    });
    const outcomes = await Promise.allSettled(creating);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    const errors = ['Webhook subscriptions are limited to 25 per store'];
    expect(failed!.reason).toMatchObject({ message: 'Validation failed', extra: { errors } });
    await webhooks.subscribe({}, keyCaller({ storeId: 2 }));
    await webhooks.id('DeleteSubscription', (await list())[0]!.id);
    await webhooks.subscribe();
  });
});

describe('ownership of a subscription', () => {
  test('the list is newest first', async () => {
    const ids = [(await webhooks.subscribe()).id, (await webhooks.subscribe()).id, (await webhooks.subscribe()).id];
    expect((await list()).map(({ id }: { id: number }) => id)).toEqual(ids.reverse());
  });
});

describe('PATCH /webhook_subscriptions/:id', () => {
  test('changes only what is sent; read-only fields are ignored', async () => {
    const before = await webhooks.subscribe();
    webhooks.clock.advance(1_000);
    const readOnly = { secret: 'x', failure_count: 4, id: 99, disabled_at: '2020-01-01', created_at: '2020-01-01', store_id: 2 };
    const after = await webhooks.patch(before.id, { events: ['sale.voided'], ...readOnly });
    const { secret: _shownOnce, ...shown } = before;
    expect(after).toEqual({ ...shown, events: ['sale.voided'], updated_at: '2026-11-21T09:30:01.000Z' });
  });

  test.each([
    [{ url: 'https://private.shop-erp.com/' }, 'Url must not resolve to a private or reserved address'],
    [{ url: null }, "Url can't be blank"],
    [{ url: '' }, "Url can't be blank"],
    [{ events: null }, 'Events must be a list of event names'],
    [{ events: null, active: true }, 'Events must be a list of event names'],
    [{ events: Array.from({ length: 51 }, () => 'sale.voided') }, 'Events is too long (maximum is 50)'],
    [{ active: null }, 'Active must be true or false'],
    [{ events: [] }, "Events can't be blank"],
    [{ active: 'maybe' }, 'Active must be true or false'],
  ])('checks again: %j is a 422', async (changes, error) => {
    const { id } = await webhooks.subscribe();
    expect(await refused(webhooks.patch(id, changes))).toMatchObject({ message: 'Validation failed', extra: { errors: [error] } });
    expect(await refused(webhooks.patch(id, {}))).toMatchObject({ status: 400 });
  });

  test('D131: active true clears disabled_at and keeps failure_count', async () => {
    const { id } = await webhooks.subscribe();
    expect(await webhooks.patch(id, { active: 'false' })).toMatchObject({ active: false, disabled_at: null });
    await webhooks.rows(`update webhooks.subscriptions set failure_count = 5, disabled_at = '2026-11-21T09:00:00Z' where id = $1`, [id]);
    expect(await webhooks.patch(id, { active: true })).toMatchObject({ active: true, disabled_at: null, failure_count: 5 });
  });

  test('without changes emits nothing; a change is audited with the changed fields', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.patch(id, { url: goodUrl, active: true });
    await webhooks.patch(id, { active: false });
    const audits = await webhooks.rows(`select internal->'audit' as audit from webhooks.outbox order by id`);
    const change = { action: 'webhook_subscription.update', resource_id: id, before: { active: true }, after: { active: false } };
    expect(audits).toMatchObject([{ audit: { action: 'webhook_subscription.create', before: null } }, { audit: change }]);
  });
});

test('D127: DELETE answers success and cancels pending deliveries', async () => {
  const { id } = await webhooks.subscribe();
  webhooks.answer(500);
  await webhooks.deliver(event());
  expect(await webhooks.id('DeleteSubscription', id)).toEqual({ success: true, message: 'Webhook subscription deleted' });
  await webhooks.after(minute);
  expect(webhooks.received).toHaveLength(1);
  expect(await webhooks.deliveries()).toMatchObject([{ state: 'skipped' }]);
  expect(await refused(webhooks.detail(id))).toMatchObject({ status: 404 });
  expect(await refused(webhooks.id('DeleteSubscription', id))).toMatchObject({ status: 404 });
  expect(await webhooks.rows('select from webhooks.subscription_secrets')).toEqual([]);
});

describe('the test ping', () => {
  test('is a signed POST at once, not logged and not counted (D180)', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.rows('update webhooks.subscriptions set failure_count = 3');
    const answer = { success: true, status_code: 200, message: 'The endpoint answered with 200' };
    expect(await webhooks.id('TestSubscription', id)).toEqual(answer);
    const [ping] = webhooks.received;
    const told = { event: 'webhook.test', created_at: '2026-11-21T09:30:00.000Z', data: { message: expect.any(String) } };
    expect(JSON.parse(ping!.body.toString())).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...told });
    expect(Object.keys(ping!.headers).sort().join(' ')).toBe(
      'Content-Type User-Agent X-Service-Event X-Service-Signature webhook-id webhook-signature webhook-timestamp',
    );
    expect(ping!.headers['X-Service-Event']).toBe('webhook.test');
    const { webhook_subscription, recent_deliveries } = await webhooks.detail(id);
    expect(webhook_subscription).toMatchObject({ failure_count: 3, last_triggered_at: null });
    expect(recent_deliveries).toEqual([]);
  });

  test('D132: any answer is a 200 with the result; allowed while disabled', async () => {
    const { id } = await webhooks.subscribe();
    await webhooks.patch(id, { active: false });
    webhooks.answer(500);
    const answer = { success: false, status_code: 500, message: 'The endpoint answered with 500' };
    expect(await webhooks.id('TestSubscription', id)).toEqual(answer);
  });

  test.each([
    ['timeout', ': the endpoint did not answer in time'],
    ['tls', ': TLS failed, or the certificate was not accepted'],
    ...(['refused', 'reset', 'dns', 'blocked', 'not_https'] as const).map((reason) => [reason, ''] as const),
  ] as const)('D132: a failure by %s is a 422 that names what its owner can mend', async (reason, more) => {
    const { id } = await webhooks.subscribe();
    webhooks.answer({ kind: 'failed', reason, durationMs: 3 });
    const { status, extra } = await refused(webhooks.id('TestSubscription', id));
    expect(status).toBe(422);
    expect(extra.body).toEqual({ success: false, status_code: 0, message: `The test delivery could not be made${more}` });
  });

  test('counts among the POSTs in flight, and is refused without a free slot', async () => {
    const { id } = await webhooks.subscribe();
    webhooks.app.limiter = webhooks.newLimiter(2);
    const { loop } = webhooks;
    const gates = webhooks.gates();
    const pinging = webhooks.id('TestSubscription', id);
    await until(() => gates.length === 1);
    const draining = webhooks.deliver(event(), event(), event());
    await until(() => gates.length === 2);
    expect(loop.inFlight).toBe(1);
    // A process with two slots allows one ping; the answer is that of any other ping that could not be made.
    expect((await refused(webhooks.id('TestSubscription', id))).extra.body).toMatchObject({ status_code: 0 });
    gates[0]!.resolve(respond(200));
    expect(await pinging).toMatchObject({ success: true });
    gates[1]!.resolve(respond(200));
    await until(() => gates.length === 4);
    expect(loop.inFlight).toBe(2);
    await refused(webhooks.id('TestSubscription', id));
    expect(gates).toHaveLength(4);
    for (const gate of gates) gate.resolve(respond(200));
    await draining;
  });
});

describe('PUBLIC_URL', () => {
  const ownHost = (url: string) =>
    configOf(declared, { DATABASE_URL: 'postgres://x', SECRET_KEYS: `1:${Buffer.alloc(32).toString('base64')}`, PUBLIC_URL: url })
      .PUBLIC_URL;

  test('refuses urls at its host and port when saved and changed, in any spelling', async () => {
    webhooks.app.ownHost = ownHost('https://Hooks.Shop-Erp.com/api/v1');
    const elsewhere = await webhooks.subscribe({ url: 'https://hooks.shop-erp.com:8443/in' });
    const errors = ['Url must not be this API itself'];
    for (const url of [goodUrl, 'https://HOOKS.shop-erp.com.:443/api/v1/products', 'https://hooks.shop-erp.com']) {
      expect(await errorsOf(webhooks.subscribe({ url }))).toEqual(errors);
      expect(await errorsOf(webhooks.patch(elsewhere.id, { url }))).toEqual(errors);
    }
    webhooks.app.ownHost = ownHost('');
    expect(webhooks.app.ownHost).toBeUndefined();
  });

  test('that is no URL stops the start', () => {
    expect(ownHost('http://api.store.example:3000')).toEqual({ host: 'api.store.example', port: 3000 });
    for (const url of ['api.store.example', 'ftp://api.store.example']) expect(() => ownHost(url)).toThrow(/PUBLIC_URL must be https/);
  });
});
