import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Caller, encodeFixedPart, headerOf, ServiceKeys, signCaller } from '@store/rpc';
import { logNothing, testTrust } from '@store/testbed';
import { event, keyCaller, staffCaller, type WebhooksUnderTest, webhooksUnderTest } from '../../test/webhooks-under-test.ts';
import { Replicas } from '../replicas.ts';
import type { ChangedIds } from '../webhooks.ts';
import { openStreamDoor, type StreamDoor } from './stream-door.ts';
import { StreamHub } from './stream-hub.ts';

let tested: WebhooksUnderTest;
let hub: StreamHub;
let door: StreamDoor;
beforeAll(async () => {
  tested = await webhooksUnderTest();
  hub = new StreamHub(tested.app);
  door = await openStreamDoor(hub, { listen: '127.0.0.1:0', trust: testTrust(tested.clock), heartbeatMs: 20 });
});
afterAll(async () => {
  await door.stop();
  await tested.close();
});
beforeEach(() => tested.reset());

/** The header that the gateway would send. */
const signed = (caller: Caller, { keys = testTrust(tested.clock).keys, target = 'GET /stream' } = {}) =>
  headerOf(signCaller(keys, encodeFixedPart(caller), caller, target));

const askWith = (header: string | undefined, signal?: AbortSignal) =>
  fetch(`http://${door.address}/stream`, { headers: header === undefined ? {} : { 'X-Caller': header }, signal: signal ?? null });

const ask = (caller: Caller, signal?: AbortSignal) => askWith(signed(caller), signal);

/** An open stream and what it has received so far. */
async function open(caller: Caller) {
  const leaving = new AbortController();
  const response = await ask(caller, leaving.signal);
  const reader = response.body!.getReader();
  let text = '';
  return {
    response,
    until: async (wanted: string | RegExp) => {
      while (text.search(wanted) < 0) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended: ${text}`);
        text += new TextDecoder().decode(value);
      }
      return text;
    },
    close: () => leaving.abort(),
  };
}

const publishAll = () => {
  for (const changed of tested.announced.splice(0)) hub.publish(changed);
};
const secondReload = /reload.*reload.*\n\n/s;
const dataOf = (text: string, name: string) => JSON.parse(new RegExp(`event: ${name}\ndata: (.*)\n`).exec(text)![1]!);

test('D179: staff see changes and attempts of their store at once, no secret, and nothing of another store', async () => {
  const stream = await open(staffCaller());
  const other = await open(staffCaller({ storeId: 2 }));
  await stream.until('event: reload');
  const { id, secret } = await tested.subscribe();
  publishAll();
  const created = dataOf(await stream.until('event: subscription\n'), 'subscription');
  const shown = await tested.query<{ webhook_subscriptions: object[] }>('ListMonitor', '', staffCaller());
  expect(created).toEqual({ webhook_subscription: shown.webhook_subscriptions[0] });
  await tested.publish(event());
  await tested.loop.drain();
  publishAll();
  const text = await stream.until('event: attempt');
  expect(dataOf(text, 'attempt')).toEqual({
    webhook_subscription_id: id,
    delivery_attempt: expect.objectContaining({ event: 'product.updated', response_status: 200, success: true, next_attempt_at: null }),
  });
  await tested.id('DeleteSubscription', id);
  publishAll();
  const all = await stream.until('event: subscription_deleted');
  expect(dataOf(all, 'subscription_deleted').id).toBe(id);
  expect(all).not.toContain(secret);
  // Sent to all after the above, so anything sent for the other store would precede it.
  hub.reload();
  expect((await other.until(secondReload)).match(/^event: .*/gm)).toEqual(['event: reload', 'event: reload']);
  stream.close();
  other.close();
});

test('a disabled subscription is a separate event', async () => {
  const { id } = await tested.subscribe();
  tested.state.receive = () => ({ kind: 'response', status: 410, durationMs: 1 });
  for (let n = 0; n < 5; n++) await tested.publish(event());
  await tested.loop.drain();
  expect(tested.announced.flatMap(({ subscriptions = [] }) => subscriptions)).toEqual([id, id]);
});

test('heartbeats keep an idle stream open', async () => {
  const stream = await open(staffCaller());
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  await stream.until(': still here\n\n: still here');
  stream.close();
});

test('without a caller that was signed for it recently, the stream is refused', async () => {
  const stranger = new ServiceKeys([{ id: 1, secret: randomBytes(32) }], tested.clock);
  const [, part, signature] = signed(staffCaller()).split('.');
  const past = signed(staffCaller());
  tested.clock.advance(120_000);
  const headers = [
    undefined,
    '',
    'forged',
    encodeFixedPart(staffCaller()).bytes.toString('base64'),
    signed(staffCaller(), { keys: stranger }),
    signed(staffCaller(), { target: '/store.webhooks.v1.Webhooks/ListMonitor' }),
    [encodeFixedPart(staffCaller({ storeId: 2 })).bytes.toString('base64url'), part, signature].join('.'),
    past,
  ];
  for (const header of headers) {
    const response = await askWith(header);
    expect([response.status, await response.json()]).toEqual([401, { error: 'A call without its caller is refused' }]);
  }
});

test('only staff of a store are admitted, up to a limit; a watcher that leaves frees its place', async () => {
  for (const caller of [keyCaller(), staffCaller({ storeId: 0 })]) expect((await ask(caller)).status).toBe(403);
  const streams = await Promise.all(Array.from({ length: 25 }, () => open(staffCaller({ storeId: 3 }))));
  const refused = await ask(staffCaller({ storeId: 3 }));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  const another = await open(staffCaller({ storeId: 4 }));
  expect(another.response.status).toBe(200);
  for (const stream of [...streams, another]) stream.close();
  let status = 429;
  for (let look = 0; look < 3_000 && status === 429; look++) {
    const leaving = new AbortController();
    status = (await ask(staffCaller({ storeId: 3 }), leaving.signal)).status;
    leaving.abort();
  }
  expect(status).toBe(200);
});

test('D190: a process of webhooks that did not consume is notified by the one that did, which does not notify itself', async () => {
  const heard = new EventTarget();
  const wakes = { first: 0, second: 0 };
  const changed: ChangedIds[] = [];
  const listener = (name: 'first' | 'second') => ({
    onLock: () => undefined,
    onWake: () => {
      wakes[name] += 1;
      heard.dispatchEvent(new Event(`${name} woke`));
    },
    onChanges: (one: ChangedIds) => {
      changed.push(one);
      if (name === 'first') heard.dispatchEvent(new Event('first heard'));
    },
    onGap: () => heard.dispatchEvent(new Event(`${name} listens`)),
    log: logNothing,
  });
  const first = new Replicas(tested.url, { owner: 1, ...listener('first') });
  const second = new Replicas(tested.url, { owner: 2, ...listener('second') });
  const listening = Promise.all([once(heard, 'first listens'), once(heard, 'second listens')]);
  first.start();
  second.start();
  await listening;
  wakes.first = wakes.second = 0;
  const woken = once(heard, 'second woke');
  first.wake();
  await woken;
  // Sent on the same connection as the notification, and so received after it.
  const received = once(heard, 'first heard');
  first.announce({ attempts: [7], subscriptions: [5] });
  await received;
  expect(wakes).toEqual({ first: 0, second: 1 });
  expect(changed[0]).toEqual({ attempts: [7], subscriptions: [5] });
  await first.stop();
  await second.stop();
});
