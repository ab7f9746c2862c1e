import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Caller, encodeFixedPart, headerOf, ServiceKeys, signCaller } from '@store/rpc';
import { logNothing, testTrust } from '@store/testbed';
import { event, events, keyCaller, shareWebhooks, staffCaller, webhooks } from '../../test/webhooks-under-test.ts';
import { type Heard, Replicas } from '../replicas.ts';
import { openStreamDoor, type StreamDoor } from './stream-door.ts';
import { StreamHub } from './stream-hub.ts';

shareWebhooks();
let hub: StreamHub;
let door: StreamDoor;
beforeAll(async () => {
  hub = new StreamHub(webhooks.app);
  door = await openStreamDoor(hub, { listen: '127.0.0.1:0', trust: testTrust(webhooks.clock), heartbeatMs: 20 });
});
afterAll(() => door.stop());

/** The header that the gateway would send. */
const signed = (caller: Caller, { keys = testTrust(webhooks.clock).keys, target = 'GET /stream' } = {}) =>
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
  for (const changed of webhooks.announced.splice(0)) hub.publish(changed);
};
const secondReload = /reload.*reload.*\n\n/s;
const dataOf = (text: string, name: string) => JSON.parse(new RegExp(`event: ${name}\ndata: (.*)\n`).exec(text)![1]!);

test('D179: staff see changes and attempts of their own store at once, and no secret', async () => {
  const stream = await open(staffCaller());
  const other = await open(staffCaller({ storeId: 2 }));
  await stream.until('event: reload');
  const { id, secret } = await webhooks.subscribe();
  publishAll();
  const created = dataOf(await stream.until('event: subscription\n'), 'subscription');
  const shown = await webhooks.query('ListMonitor', '', staffCaller());
  expect(created).toEqual({ webhook_subscription: shown.webhook_subscriptions[0] });
  await webhooks.deliver(event());
  publishAll();
  const text = await stream.until('event: attempt');
  expect(dataOf(text, 'attempt')).toEqual({
    webhook_subscription_id: id,
    delivery_attempt: expect.objectContaining({ event: 'product.updated', response_status: 200, success: true, next_attempt_at: null }),
  });
  await webhooks.id('DeleteSubscription', id);
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

test('a change of the release before, which says no store, is shown to its own alone', async () => {
  const [stream, other] = [await open(staffCaller()), await open(staffCaller({ storeId: 2 }))];
  for (const one of [stream, other]) await one.until('event: reload');
  const { id } = await webhooks.subscribe();
  hub.publish({ subscriptions: [{ id }] });
  expect(dataOf(await stream.until('event: subscription\n'), 'subscription').webhook_subscription.id).toBe(id);
  hub.reload();
  expect(await other.until(secondReload)).not.toContain('event: subscription');
  stream.close();
  other.close();
});

test('a disabled subscription is a separate event', async () => {
  const { id } = await webhooks.subscribe();
  webhooks.answer(410);
  await webhooks.deliver(...events(5));
  const key = { storeId: 1, id };
  expect(webhooks.announced.flatMap(({ subscriptions = [] }) => subscriptions)).toEqual([key, key]);
});

test('heartbeats keep an idle stream open', async () => {
  const stream = await open(staffCaller());
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  await stream.until(': still here\n\n: still here');
  stream.close();
});

test('without a caller that was signed for it recently, the stream is refused', async () => {
  const stranger = new ServiceKeys([{ id: 1, secret: randomBytes(32) }], webhooks.clock);
  const [, part, signature] = signed(staffCaller()).split('.');
  const past = signed(staffCaller());
  webhooks.clock.advance(120_000);
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

test('only staff of a store are admitted, up to a limit that leaving frees', async () => {
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

test('D190: a process that consumed notifies the others, and not itself', async () => {
  const wakes = { first: 0, second: 0 };
  const changed: Heard[] = [];
  const open = async (name: 'first' | 'second', owner: number) => {
    const heard = new EventTarget();
    const replicas = new Replicas(webhooks.url, {
      owner,
      onLock: () => undefined,
      onWake: () => {
        wakes[name] += 1;
        heard.dispatchEvent(new Event('wake'));
      },
      onChanges: (one) => {
        changed.push(one);
        heard.dispatchEvent(new Event('changes'));
      },
      onGap: () => heard.dispatchEvent(new Event('listens')),
      log: logNothing,
    });
    const listens = once(heard, 'listens');
    replicas.start();
    await listens;
    wakes[name] = 0;
    return { replicas, heard };
  };
  const [first, second] = [await open('first', 1), await open('second', 2)];
  const woken = once(second.heard, 'wake');
  first.replicas.wake();
  await woken;
  // Sent on the same connection as the notification, and so received after it.
  const received = once(first.heard, 'changes');
  const announced = { attempts: [{ storeId: 1, id: 7 }], subscriptions: [{ storeId: 2, id: 5 }] };
  first.replicas.announce(announced);
  await received;
  expect(wakes).toEqual({ first: 0, second: 1 });
  expect(changed[0]).toEqual(announced);
  const heard = once(first.heard, 'changes');
  await webhooks.rows(`select pg_notify('webhooks_replicas', '{"wake":false,"attempts":[8],"subscriptions":[]}')`);
  await heard;
  expect(changed.at(-1)).toEqual({ attempts: [{ id: 8 }], subscriptions: [] });
  await first.replicas.stop();
  await second.replicas.stop();
});
