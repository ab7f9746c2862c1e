/** Webhooks behind its real rpc server over a real database; only the receivers are fakes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { parseKeyRing } from '@store/db';
import { type Message, type RevokedKey, revocationFact } from '@store/events';
import type { Caller } from '@store/rpc';
import { problemOf, ServiceUnderTest, testCaller, testTrust } from '@store/testbed';
import { DeliveryMetrics } from '../src/deliveries/delivery-metrics.ts';
import { Dispatcher } from '../src/deliveries/dispatcher.ts';
import { LeaseOwners } from '../src/deliveries/leases.ts';
import { Room } from '../src/deliveries/room.ts';
import { retryWaitsMs } from '../src/deliveries/schedule.ts';
import { webhooks as declared } from '../src/main.ts';
import { StreamHub } from '../src/monitor/stream-hub.ts';
import type { OpenWebhooks } from '../src/open-webhooks.ts';
import { readRanges } from '../src/receivers/classify-address.ts';
import type { AttemptOptions, HostResolver, Outcome } from '../src/receivers/types.ts';
import { Replicas } from '../src/replicas.ts';
import { tables } from '../src/tables.ts';
import type { ChangedIds, Post, Webhooks } from '../src/webhooks.ts';

export interface SubscriptionJson {
  id: number;
  url: string;
  events: string[];
  active: boolean;
  failure_count: number;
  last_triggered_at: string | null;
  disabled_at: string | null;
  created_at: string;
  updated_at: string;
  secret?: string;
}

export interface AttemptJson {
  id: number;
  event: string;
  response_status: number;
  duration_ms: number;
  success: boolean;
  created_at: string;
}

export interface MonitoredJson extends SubscriptionJson {
  api_key: { id: number; name: string };
  deliverable: boolean;
}

export type PostRequest = Parameters<Post>[0];

/** A request that a fake receiver got, with the time of the injected clock. */
export interface Received extends PostRequest {
  at: string;
}

/** A key of store 1; `staff` is a manager of the store. */
export function keyCaller(changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ scopes: new Set([...testCaller().scopes, 'webhooks:manage']), ...changes });
}

export function staffCaller(changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({
    ...changes,
    actor: { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'admin', ...changes.actor },
  });
}

export const respond = (status: number): Outcome => ({ kind: 'response', status, durationMs: 12 });

/** The answer to a refused request; a request that was not refused fails the test. */
export const refused = problemOf;

let eventNumber = 0;

/** A public event as a service's relay publishes it. */
export function event(changes: Partial<Message> & { data?: string } = {}): Message {
  const { data, ...rest } = changes;
  const id = rest.id ?? randomUUID();
  const name = rest.name ?? 'product.updated';
  const createdAt = rest.createdAt ?? '2026-11-21T09:30:00.000Z';
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
    ...rest,
  };
}

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
  resolve6: async (host) => {
    throw Object.assign(new Error(`queryAaaa ENODATA ${host}`), { code: 'ENODATA' });
  },
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

const newRoom = (inFlightMax = 500) => new Room(inFlightMax);

export async function webhooksUnderTest(keyRing = parseKeyRing(`1:${randomBytes(32).toString('base64')}`)) {
  const received: Received[] = [];
  const state: { receive: (request: PostRequest) => Outcome | Promise<Outcome>; wakes: number } = { receive: () => respond(200), wakes: 0 };
  const announced: ChangedIds[] = [];
  const service = await ServiceUnderTest.start(declared, {
    now: nowAtStart,
    poolMax: 32,
    open: ({ db, outbox, log, clock }): OpenWebhooks => {
      const owners = new LeaseOwners(db);
      owners.hold(true);
      const app: Webhooks = {
        ...{
          db,
          outbox,
          log,
          keyRing,
          owners,
          reach,
          trust: testTrust(clock),
          metrics: new DeliveryMetrics(log),
        },
        post: async (request) => {
          received.push({ ...request, at: clock.now().toISOString() });
          return state.receive(request);
        },
        room: newRoom(),
        wake: () => {
          state.wakes += 1;
        },
        announce: (changed) => void announced.push(changed),
      };
      const dispatcher = new Dispatcher(app, { retryWaitsMs });
      const unheard = { onLock: () => undefined, onWake: () => undefined, onChanges: () => undefined, onGap: () => undefined, log };
      return Object.assign(app, { dispatcher, hub: new StreamHub(app), replicas: new Replicas(db.url, { owner: owners.own, ...unheard }) });
    },
  });
  const { app, db, clock, lines, url } = service;
  const newDispatcher = (inFlightMax = 500) => new Dispatcher({ ...app, room: newRoom(inFlightMax) }, { retryWaitsMs });
  const loop = app.dispatcher;
  const answered = async <Answer>(rpc: string, request: object, caller: Caller): Promise<Answer> =>
    (await service.call(rpc, request, caller)).json;

  const tested = {
    ...{ service, app, db, clock, lines, url, received, announced, state, loop, newDispatcher, newRoom },
    /** Sends a request and returns the answer's JSON text. */
    text: async (rpc: string, request: object, caller: Caller) => (await service.call(rpc, request, caller)).text,
    /** A client's body, turned into a request as the gateway does it. */
    body: <Answer>(rpc: string, body: object | string, caller: Caller = keyCaller(), path: Record<string, string> = {}): Promise<Answer> =>
      service.body(rpc, body, caller, path),
    query: <Answer>(rpc: string, query: string, caller: Caller = keyCaller()): Promise<Answer> => service.query(rpc, query, caller),
    id: <Answer>(rpc: string, id: number | string, caller: Caller = keyCaller()) => answered<Answer>(rpc, { id: String(id) }, caller),
    async subscribe(changes: Record<string, unknown> = {}, caller: Caller = keyCaller()): Promise<SubscriptionJson & { secret: string }> {
      const wanted = { url: goodUrl, events: ['product.updated'], ...changes };
      const answer = await service.body('CreateSubscription', { webhook_subscription: wanted }, caller);
      return { secret: '', ...answer.webhook_subscription };
    },
    async patch(id: number, changes: Record<string, unknown>, caller: Caller = keyCaller()): Promise<SubscriptionJson> {
      return (await service.body('UpdateSubscription', { webhook_subscription: changes }, caller, { id })).webhook_subscription;
    },
    detail: (id: number, caller: Caller = keyCaller()) =>
      tested.id<{ webhook_subscription: SubscriptionJson; recent_deliveries: AttemptJson[] }>('GetSubscription', id, caller),
    /** Passes messages on as the transport does. */
    publish: (...messages: Message[]): Promise<void> => service.publish(...messages),
    /** Moves the clock on to `ms` later and delivers what is due then. */
    async after(ms: number): Promise<void> {
      clock.advance(ms);
      await loop.drain();
    },
    rows: <Row>(text: string, values: unknown[] = []) => db.read<Row>(text, values),
    deliveries: () => db.read(tables.selectFrom('deliveries').select(['sequence', 'state', 'attempts', 'held']).orderBy('id')),
    close: () => service.stop(),
    /** Removes everything of the previous test. */
    async reset(): Promise<void> {
      await service.run(
        `truncate webhooks.subscriptions, webhooks.subscription_secrets, webhooks.events, webhooks.deliveries, webhooks.attempts,
           webhooks.notices, webhooks.stores, webhooks.revoked_keys, webhooks.inbox, webhooks.outbox, webhooks.dead_letters, webhooks.idempotency`,
      );
      received.length = 0;
      lines.length = 0;
      announced.length = 0;
      state.receive = () => respond(200);
      state.wakes = 0;
      clock.set(nowAtStart);
      app.room = newRoom();
    },
  };
  return tested;
}

/** Statements of this database that wait for a lock now. */
export async function waiters({ rows }: Pick<WebhooksUnderTest, 'rows'>): Promise<number> {
  const [row] = await rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.n;
}

const lockedWithinMs = 60_000;

/** Waits until `count` connections wait for a lock; a timeout is an error instead of a hang. */
export async function untilWaiting(webhooks: Pick<WebhooksUnderTest, 'rows'>, count: number): Promise<void> {
  const giveUpAt = performance.now() + lockedWithinMs;
  while ((await waiters(webhooks)) < count) {
    if (performance.now() > giveUpAt) throw new Error(`fewer than ${count} connections wait for a lock`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export type WebhooksUnderTest = Awaited<ReturnType<typeof webhooksUnderTest>>;
