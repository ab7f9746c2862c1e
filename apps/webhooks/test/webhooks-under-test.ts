/** Webhooks behind its real rpc server over a real database, as the tests of one file share it; only the receivers are fakes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { parseKeyRing } from '@store/db';
import { type Message, type RevokedKey, revocationFact } from '@store/events';
import type { Caller } from '@store/rpc';
import { type Json, problemOf, startUnderTest, testCaller, testStaff, testTrust } from '@store/testbed';
import { DeliveryMetrics } from '../src/deliveries/delivery-metrics.ts';
import { Dispatcher } from '../src/deliveries/dispatcher.ts';
import { LeaseOwners } from '../src/deliveries/leases.ts';
import { PostLimiter } from '../src/deliveries/post-limiter.ts';
import { retryWaitsMs } from '../src/deliveries/schedule.ts';
import { webhooks as declared } from '../src/main.ts';
import type { OpenWebhooks } from '../src/open-webhooks.ts';
import { readRanges } from '../src/receivers/classify-address.ts';
import type { AttemptOptions, HostResolver, Outcome } from '../src/receivers/types.ts';
import { tables } from '../src/tables.ts';
import type { Changed, Post, Webhooks } from '../src/webhooks.ts';

export let webhooks: Awaited<ReturnType<typeof webhooksUnderTest>>;

/** Starts webhooks before the tests of the file, stops it after them, and removes everything before each test. */
export function shareWebhooks(keyRing = newRing(1)): void {
  beforeAll(async () => {
    webhooks = await webhooksUnderTest(keyRing);
  });
  afterAll(() => webhooks.close());
  beforeEach(() => webhooks.reset());
}

export const minute = 60_000;
export const hour = 60 * minute;

/** A key ring with one key of that id. */
export const newRing = (id: number) => parseKeyRing(`${id}:${randomBytes(32).toString('base64')}`);

type Changes = Parameters<typeof testCaller>[0];

/** A key of store 1. */
export const keyCaller = (changes: Changes = {}): Caller => testCaller(changes);

/** An administrator of store 1. */
export function staffCaller(changes: Changes = {}): Caller {
  return testStaff({ ...changes, actor: { role: 'admin', ...changes.actor } });
}

export type PostRequest = Parameters<Post>[0];

export const respond = (status: number): Outcome => ({ kind: 'response', status, durationMs: 12 });
export const failed = (reason: 'timeout' | 'refused' | 'blocked', durationMs = 1): Outcome => ({ kind: 'failed', reason, durationMs });

/** The answer to a refused request; a request that was not refused fails the test. */
export const refused = problemOf;

let eventNumber = 0;

/** A public event as a service's relay publishes it. */
export function event(changes: Partial<Message> & { data?: string } = {}): Message {
  const { data, ...others } = changes;
  const id = others.id ?? randomUUID();
  const name = others.name ?? 'product.updated';
  const createdAt = others.createdAt ?? nowAtStart;
  eventNumber += 1;
  const head = JSON.stringify({ id, event: name, resource_type: 'Product', resource_id: eventNumber, created_at: createdAt });
  return {
    id,
    topic: 'catalog.events',
    storeId: 1,
    name,
    aggregate: String(eventNumber),
    public: Buffer.from(`${head.slice(0, -1)},"data":${data ?? `{"id":${eventNumber},"name":"Tea – 1.10 €"}`}}`),
    internal: null,
    actor: { type: 'system', key: null, user: null },
    requestId: 'r',
    createdAt,
    ...others,
  };
}
export const events = (count: number, changes: Partial<Message> = {}) => Array.from({ length: count }, () => event(changes));

/** A revocation as the gateway's event contains it, signed or as a test says. */
export function revocation(key: RevokedKey, storeId = 1): Message {
  const word = testTrust().keys.attest(revocationFact(storeId, key));
  return event({ topic: 'gateway.events', name: 'key.revoked', public: null, storeId, internal: { key: { word, ...key } } });
}

/** Names that resolve, with their addresses. */
export const names: Record<string, string[]> = {
  'hooks.shop-erp.com': ['93.184.216.34'],
  'private.shop-erp.com': ['10.0.0.5'],
};

const resolver: HostResolver = {
  resolve4: async (host) => {
    const found = names[host.replace(/\.$/, '')];
    if (!found) throw Object.assign(new Error(`queryA ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return found;
  },
  resolve6: () => Promise.reject(new Error('ENODATA')),
};

/** As in production, except for the names. */
const reach: AttemptOptions = {
  allowCidrs: readRanges([]),
  denyCidrs: readRanges([]),
  caPem: undefined,
  resolver,
  connectTimeoutMs: 5_000,
  responseTimeoutMs: 10_000,
  ports: { always: [443], from: 1024 },
};

export const goodUrl = 'https://hooks.shop-erp.com/in';
const nowAtStart = '2026-11-21T09:30:00.000Z';

const newLimiter = (inFlightMax = 500) => new PostLimiter(inFlightMax);

export const nextRound = () => new Promise((resolve) => setImmediate(resolve));
export async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await reached())) await nextRound();
}

async function webhooksUnderTest(keyRing: Webhooks['keyRing']) {
  const received: (PostRequest & { at: string })[] = [];
  const state: { receive: (request: PostRequest) => Outcome | Promise<Outcome>; wakes: number } = { receive: () => respond(200), wakes: 0 };
  const announced: Changed[] = [];
  const service = await startUnderTest(declared, {
    now: nowAtStart,
    poolMax: 32,
    open: ({ db, outbox, log, clock }) => {
      const owners = new LeaseOwners(db);
      owners.hold(true);
      const app: Webhooks = {
        ...{ db, outbox, log, keyRing, owners, reach },
        trust: testTrust(clock),
        metrics: new DeliveryMetrics(log),
        post: async (request) => {
          received.push({ ...request, at: clock.now().toISOString() });
          return state.receive(request);
        },
        limiter: newLimiter(),
        wake: () => {
          state.wakes += 1;
        },
        announce: (changed) => void announced.push(changed),
      };
      return Object.assign(app, { dispatcher: new Dispatcher(app, { retryWaitsMs }) }) as OpenWebhooks;
    },
  });
  const { app, db, clock, lines, url } = service;
  const loop = app.dispatcher;
  const read = (rpc: string, id: number | string, caller: Caller): Promise<Json> => service.byId(rpc, id, caller);

  const tested = {
    ...{ service, app, db, clock, lines, url, received, announced, state, loop, newLimiter },
    newDispatcher: (changes: Partial<Webhooks> = {}) => new Dispatcher({ ...app, limiter: newLimiter(), ...changes }, { retryWaitsMs }),
    /** Sends a request and returns the answer's JSON text. */
    text: async (rpc: string, request: object, caller: Caller) => (await service.call(rpc, request, caller)).text,
    /** A client's body, turned into a request as the gateway does it. */
    body: (rpc: string, body: object | string, caller: Caller = keyCaller(), path: Record<string, string> = {}): Promise<Json> =>
      service.body(rpc, body, caller, path),
    query: (rpc: string, query = '', caller: Caller = keyCaller()): Promise<Json> => service.query(rpc, query, caller),
    /** A request by id of the key, or of staff. */
    id: (rpc: string, id: number | string, caller: Caller = keyCaller()) => read(rpc, id, caller),
    staff: (rpc: string, id: number | string, caller: Caller = staffCaller()) => read(rpc, id, caller),
    async subscribe(changes: Record<string, unknown> = {}, caller: Caller = keyCaller()): Promise<Json> {
      const wanted = { url: goodUrl, events: ['product.updated'], ...changes };
      const answer = await service.body('CreateSubscription', { webhook_subscription: wanted }, caller);
      return { secret: '', ...answer.webhook_subscription };
    },
    async patch(id: number, changes: Record<string, unknown>, caller: Caller = keyCaller()): Promise<Json> {
      return (await service.body('UpdateSubscription', { webhook_subscription: changes }, caller, { id })).webhook_subscription;
    },
    detail: (id: number, caller: Caller = keyCaller()) => read('GetSubscription', id, caller),
    subscription: async (id: number) => (await read('GetSubscription', id, keyCaller())).webhook_subscription,
    replay: (id: number, body: object = { after_seq: 0 }, caller: Caller = keyCaller()): Promise<Json> =>
      service.body('ReplaySubscription', body, caller, { id }),
    revokeKey: (keyId = 12, atMs = 1) => service.call('RevokeKey', { key_id: keyId, revoked_at_ms: atMs }, staffCaller()),
    notices: async () => (await service.query('ListNotices', '', staffCaller())).webhook_notices,
    /** Receivers answer so, one POST after the other; the last answer is that of all others. */
    answer(...outcomes: (number | Outcome)[]): void {
      state.receive = () => {
        const next = outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!;
        return typeof next === 'number' ? respond(next) : next;
      };
    },
    /** Each POST waits for its gate. */
    gates(): PromiseWithResolvers<Outcome>[] {
      const gates: PromiseWithResolvers<Outcome>[] = [];
      state.receive = () => {
        gates.push(Promise.withResolvers<Outcome>());
        return gates.at(-1)!.promise;
      };
      return gates;
    },
    /** Passes messages on as the transport does. */
    publish: (...messages: Message[]): Promise<void> => service.publish(...messages),
    /** Publishes, and posts what is due. */
    async deliver(...messages: Message[]): Promise<void> {
      await service.publish(...messages);
      await loop.drain();
    },
    /** Moves the clock on to `ms` later and delivers what is due then. */
    async after(ms: number): Promise<void> {
      clock.advance(ms);
      await loop.drain();
    },
    /** A header of each POST so far. */
    headers: (name: string) => received.map(({ headers }) => headers[name]),
    receivedAt: (end: string) => received.filter(({ url }) => url.endsWith(end)).length,
    // biome-ignore lint/suspicious/noExplicitAny: rows are read as the statement gives them.
    rows: <Row = any>(text: string, values: unknown[] = []) => db.read<Row>(text, values),
    deliveries: () => db.read(tables.selectFrom('deliveries').select(['sequence', 'state', 'attempts', 'held']).orderBy('id')),
    states: async () => (await tested.deliveries()).map(({ state }) => state as string),
    close: () => service.stop(),
    /** Removes everything of the previous test. */
    async reset(): Promise<void> {
      await service.run(
        `truncate webhooks.subscriptions, webhooks.subscription_secrets, webhooks.events, webhooks.deliveries, webhooks.attempts,
           webhooks.notices, webhooks.stores, webhooks.revoked_keys, webhooks.inbox, webhooks.outbox, webhooks.dead_letters, webhooks.idempotency`,
      );
      for (const list of [received, lines, announced]) list.length = 0;
      tested.answer(200);
      state.wakes = 0;
      app.isProduction = true;
      clock.set(nowAtStart);
      app.limiter = newLimiter();
    },
  };
  return tested;
}
