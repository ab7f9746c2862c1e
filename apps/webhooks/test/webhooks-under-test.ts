/** Webhooks behind its real door over a real database; only the receivers are fakes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { messageFromBody, messageFromQuery, messageType, parseBody, renderMessage } from '@store/contract';
import { migrate, openDb, parseKeyRing, SetClock, sql } from '@store/db';
import { consume, type Message, type RevokedKey, revocationFact } from '@store/events';
import { Problem } from '@store/problem';
import { type Caller, connect, encodeStanding, send, serve } from '@store/rpc';
import { capturingLog, testCaller, testDatabase, testTrust } from '@store/testbed';
import { DeliveryLoop } from '../src/deliveries/dispatcher.ts';
import { LeaseOwners } from '../src/deliveries/lease-owners.ts';
import { Pings } from '../src/deliveries/pings.ts';
import { retryWaitsMs } from '../src/deliveries/schedule.ts';
import type { HostResolver, Outcome } from '../src/deliveries/types.ts';
import { UnreadableSecrets } from '../src/deliveries/unreadable-secrets.ts';
import { handleMessages, wants } from '../src/events/consume-events.ts';
import { migrations } from '../src/migrations/all.ts';
import { webhooksVerbs } from '../src/rpc.ts';
import type { News, Post, Webhooks } from '../src/webhooks.ts';

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

/** What a refused request was answered; a request that was not refused fails the test. */
export async function refused(answer: Promise<unknown>): Promise<Problem> {
  const outcome = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw new Error('the request was not refused with a Problem', { cause: outcome });
}

let eventNumber = 0;

/** A public event as a service's relay brings it. */
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

/** A revocation as the gateway's event tells it, signed or with what a test says. */
export function revocation(key: RevokedKey, storeId = 1): Message {
  const word = testTrust().keys.attest(revocationFact(storeId, key));
  return event({ topic: 'gateway.events', name: 'key.revoked', public: null, storeId, internal: { key: { word, ...key } } });
}

/** Names that resolve, and to what. */
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

export const goodUrl = 'https://hooks.shop-erp.com/in';
const service = messageType('store.webhooks.v1.Subscription').root.lookupService('store.webhooks.v1.Webhooks');

export async function webhooksUnderTest(keyRing = parseKeyRing(`1:${randomBytes(32).toString('base64')}`)) {
  const database = await testDatabase('webhooks', (url) => migrate({ url, schema: 'webhooks', migrations }));
  const clock = new SetClock('2026-11-21T09:30:00.000Z');
  const db = await openDb({ url: database.url, schema: 'webhooks', entities: [], clock, poolMax: 24 });
  const received: Received[] = [];
  const state: { receive: (request: PostRequest) => Outcome | Promise<Outcome> } = { receive: () => respond(200) };
  const announced: News[] = [];
  const { log, lines } = capturingLog();
  const owners = new LeaseOwners(db);
  owners.hold(true);
  const app: Webhooks = {
    db,
    outbox: { db, wake: () => undefined },
    keyRing,
    trust: testTrust(clock),
    reach: {
      allowCidrs: [],
      denyCidrs: [],
      caPem: undefined,
      resolver,
      connectTimeoutMs: 5_000,
      responseTimeoutMs: 10_000,
      ports: { always: [443], from: 1024 },
    },
    post: async (request) => {
      received.push({ ...request, at: clock.now().toISOString() });
      return state.receive(request);
    },
    pings: new Pings(500, () => loop.inFlight),
    owners,
    unreadable: new UnreadableSecrets(log),
    wake: () => undefined,
    announce: (news) => void announced.push(news),
    log,
  };
  const newLoop = (inFlightMax = 500) => new DeliveryLoop(app, { retryWaitsMs, inFlightMax });
  const loop = newLoop();
  const server = await serve({ 'store.webhooks.v1.Webhooks': webhooksVerbs(app) }, { listen: '127.0.0.1:0', trust: testTrust(clock), log });
  const channel = connect(server.address, testTrust(clock));
  const handle = consume({ db, log, wants: (message) => wants(app, message), handle: (em, messages) => handleMessages(app, em, messages) });

  const call = async (rpc: string, request: Record<string, unknown>, caller: Caller): Promise<string> => {
    const from = { standing: encodeStanding(caller), request: caller };
    const method = service.methods[rpc]!;
    const bytes = Buffer.from(method.resolvedRequestType!.encode(request).finish());
    const reply = await send(channel, `/store.webhooks.v1.Webhooks/${rpc}`, bytes, from, Date.now() + 30_000);
    return renderMessage(method.resolvedResponseType!, reply.bytes, () => false);
  };

  const tested = {
    app,
    db,
    clock,
    received,
    lines,
    announced,
    state,
    loop,
    newLoop,
    url: database.url,
    /** Sends a request and gives the answer's JSON text. */
    text: call,
    /** A body as a client writes it, made a request as the gateway makes it. */
    async body<Answer>(
      rpc: string,
      body: object | string,
      caller: Caller = keyCaller(),
      path: Record<string, string> = {},
    ): Promise<Answer> {
      const parsed = parseBody(typeof body === 'string' ? body : JSON.stringify(body)) as Record<string, unknown>;
      const request = { ...messageFromBody(service.methods[rpc]!.resolvedRequestType!, parsed), ...path };
      return JSON.parse(await call(rpc, request, caller)) as Answer;
    },
    /** A query string as a client writes it. */
    async query<Answer>(rpc: string, query: string, caller: Caller = keyCaller()): Promise<Answer> {
      const request = messageFromQuery(service.methods[rpc]!.resolvedRequestType!, {}, new URLSearchParams(query));
      return JSON.parse(await call(rpc, request, caller)) as Answer;
    },
    async id<Answer>(rpc: string, id: number | string, caller: Caller = keyCaller()): Promise<Answer> {
      return JSON.parse(await call(rpc, { id: String(id) }, caller)) as Answer;
    },
    async subscribe(changes: Record<string, unknown> = {}, caller: Caller = keyCaller()): Promise<SubscriptionJson & { secret: string }> {
      const wanted = { url: goodUrl, events: ['product.updated'], ...changes };
      const answer = await tested.body<{ webhook_subscription: SubscriptionJson }>(
        'CreateSubscription',
        { webhook_subscription: wanted },
        caller,
      );
      return { secret: '', ...answer.webhook_subscription };
    },
    async patch(id: number, changes: Record<string, unknown>, caller: Caller = keyCaller()): Promise<SubscriptionJson> {
      const answer = await tested.body<{ webhook_subscription: SubscriptionJson }>(
        'UpdateSubscription',
        { webhook_subscription: changes },
        caller,
        { id: String(id) },
      );
      return answer.webhook_subscription;
    },
    async detail(id: number, caller: Caller = keyCaller()) {
      return tested.id<{ webhook_subscription: SubscriptionJson; recent_deliveries: AttemptJson[] }>('GetSubscription', id, caller);
    },
    /** Brings messages as the transport does, and delivers what is due. */
    async publish(...messages: Message[]): Promise<void> {
      await handle(messages);
    },
    /** Lets time pass to `at` ms later and delivers what is due then. */
    async after(ms: number): Promise<void> {
      clock.advance(ms);
      await loop.drain();
    },
    rows: <Row>(text: string, values: unknown[] = []) => db.read<Row>('test', text, values),
    async deliveries() {
      const rows = await db.read<{ sequence: string; state: string; attempts: number; held: boolean }>(
        'deliveries',
        'select sequence::text, state, attempts, held from webhooks.deliveries order by id',
        [],
      );
      return rows.map(({ sequence, ...row }) => ({ sequence: Number(sequence), ...row }));
    },
    async close(): Promise<void> {
      channel.close();
      await server.stop();
      await db.close();
      await database.close();
    },
    /** Nothing of the test before is left. */
    async reset(): Promise<void> {
      await db.unit(0, async (em) => {
        await sql(
          em,
          `truncate webhooks.subscriptions, webhooks.subscription_secrets, webhooks.events, webhooks.deliveries, webhooks.attempts,
             webhooks.notices, webhooks.stores, webhooks.revoked_keys, webhooks.inbox, webhooks.outbox, webhooks.dead_letters, webhooks.idempotency`,
        );
      });
      received.length = 0;
      lines.length = 0;
      announced.length = 0;
      state.receive = () => respond(200);
      clock.set('2026-11-21T09:30:00.000Z');
    },
  };
  return tested;
}

/** Statements of this database that wait for a lock at this moment. */
export async function waiters({ rows }: Pick<WebhooksUnderTest, 'rows'>): Promise<number> {
  const [row] = await rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.n;
}

const lockedWithinMs = 15_000;

/** Waits until `count` connections wait for a lock; those that gave up on a slow machine make it an error, not a hang. */
export async function untilWaiting(webhooks: Pick<WebhooksUnderTest, 'rows'>, count: number): Promise<void> {
  const giveUpAt = performance.now() + lockedWithinMs;
  while ((await waiters(webhooks)) < count) {
    if (performance.now() > giveUpAt) throw new Error(`fewer than ${count} connections wait for a lock`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export type WebhooksUnderTest = Awaited<ReturnType<typeof webhooksUnderTest>>;
