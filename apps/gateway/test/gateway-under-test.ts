/** The gateway's own verbs over a real database, without HTTP. */
import { randomBytes } from 'node:crypto';
import { serviceOf } from '@store/contract';
import { parseKeyRing } from '@store/db';
import { consume, InProcessTransport, Relay } from '@store/events';
import type { Problem } from '@store/problem';
import type { GatewayDefinition } from '@store/protos/gateway/v1.ts';
import { bindVerbs, type Caller, Reply, systemCaller, type Verbs } from '@store/rpc';
import { openDatabase, problemOf, testTrust } from '@store/testbed';
import { recordAudit } from '../src/audit/record-audit.ts';
import type { Gateway, GatewayCall } from '../src/gateway.ts';
import { InProcessGate } from '../src/key-gate/in-process.ts';
import type { KeyGate } from '../src/key-gate/key-gate.ts';
import { consumeRevocations } from '../src/keys/consume-revocations.ts';
import { keyHashes } from '../src/keys/key-text.ts';
import { KeyUsage } from '../src/keys/key-usage.ts';
import { migrations } from '../src/migrations/all.ts';
import { RefusalLog } from '../src/requests/refusal-log.ts';
import { RequestLog } from '../src/requests/request-log.ts';
import { verbs as table } from '../src/rpc.ts';
import { findSession, type SessionRecord } from '../src/staff/find-session.ts';
import { openPasswords } from '../src/staff/passwords.ts';
import { createStore, type NewStore } from '../src/stores/create-store.ts';
import { setStore } from '../src/stores/set-store.ts';
import { entities } from '../src/tables.ts';

export const startAt = '2026-11-21T09:30:00.000Z';
export const adminPassword = 'correct horse battery';
/** scrypt's N in tests: the same algorithm in less time. */
const fastCost = 2 ** 4;
const secret = () => randomBytes(32).toString('base64');

export interface Store {
  storeId: number;
  adminId: number;
  adminEmail: string;
  session: SessionRecord;
  token: string;
}

export async function gatewayUnderTest() {
  const { url, db, clock, log, close } = await openDatabase({ app: 'gateway', migrations, entities }, { now: startAt });
  const transport = new InProcessTransport();
  const relay = new Relay({ url, schema: 'gateway', transport, log });
  const app: Gateway = {
    db,
    reports: db,
    outbox: { db, wake: () => undefined },
    keyGate: new InProcessGate(clock),
    cacheValidity: { believes: () => true, checked: () => undefined, isListening: true, nowMs: () => 0 },
    usage: new KeyUsage(db),
    requests: new RequestLog(db, log),
    refusals: new RefusalLog(clock, log),
    passwords: openPasswords(fastCost),
    webhooks: { RevokeKey: async () => ({}), ListRequestEvents: async () => ({}) },
    config: { peppers: [{ id: 1, secret: randomBytes(32) }], keyRing: parseKeyRing(`1:${secret()}`) },
    trust: testTrust(clock),
    log,
  };
  await transport.subscribe({ group: 'gateway', topics: ['gateway.events'], handle: consume({ db, log, ...recordAudit }) });
  await transport.subscribe({ group: 'gateway-revocations', topics: ['gateway.events'], handle: consumeRevocations(app) });
  const verbs = withRpc(bindVerbs(table, app));
  let stores = 0;
  return {
    app,
    clock,
    verbs,
    url,
    drain: () => relay.drain(),
    /** Audit parts and actors of the events of a record, oldest first. */
    audits: (aggregate: string, name = '%') =>
      db.read<{ audit: { before: object; after: object }; actor: object }>(
        "select internal->'audit' as audit, actor from gateway.outbox where aggregate = $1 and name like $2 order by id",
        [aggregate, name],
      ),
    setPlan: (storeId: number, wanted: Parameters<typeof setStore>[2]) => setStore(app, storeId, wanted),
    store: async (wanted: Partial<NewStore> = {}): Promise<Store> => {
      stores += 1;
      const adminEmail = wanted.adminEmail ?? `admin-${stores}@example.com`;
      const ids = await createStore(app, {
        name: `Store ${stores}`,
        timeZone: 'Europe/London',
        adminEmail,
        adminPassword,
        adminName: 'Ada Admin',
        ...wanted,
      });
      return { ...ids, adminEmail, ...(await login(app, verbs, adminEmail, adminPassword)) };
    },
    /** Creates a key of the store through the verb. */
    key: async (by: Store, apiKey: Record<string, unknown> = {}) => {
      const request = { api_key: { name: 'Web shop', scopes: ['products:read'], ...apiKey } };
      const { api_key, key } = messageOf(await verbs.CreateApiKey(request, staffCall(by.session)));
      const hashes = keyHashes(app.config.peppers, key!);
      return { id: Number(api_key!.id), view: api_key!, key: key!, hashes, keyGateHash: hashes[0]!.hash.toString('hex') };
    },
    login: (email: string, password = adminPassword, ip = '192.0.2.1') => login(app, verbs, email, password, ip),
    close: async () => {
      await relay.stop();
      await close();
    },
  };
}

function withRpc(verbs: object): Verbs<GatewayDefinition> {
  type AnyVerb = (request: object, call: object) => Promise<unknown>;
  const named = Object.entries(verbs).map(([name, verb]) => [
    name,
    (request: object, call: object) => (verb as AnyVerb)(request, { ...call, rpc: `/${serviceOf('gateway')}/${name}` }),
  ]);
  return Object.fromEntries(named) as Verbs<GatewayDefinition>;
}

async function login(app: Gateway, verbs: Verbs<GatewayDefinition>, email: string, password: string, ip = '192.0.2.1') {
  const { message } = asReply(await verbs.CreateStaffSession({ email, password }, publicCall(ip)));
  const session = await findSession(app, message!.token!);
  if (!session) throw new Error('a new session must be found');
  return { session, token: message!.token! };
}

/** A login's call: no store yet, only an address. */
export function publicCall(ip = '192.0.2.1'): GatewayCall {
  return { caller: { ...systemCaller(0), ip, requestId: 'req-login' }, deadlineMs: Number.POSITIVE_INFINITY, rpc: '' };
}

/** A call as the pipeline creates it for a staff session. */
export function staffCall(session: SessionRecord, more: Partial<Caller> = {}): GatewayCall {
  const { store } = session;
  const caller: Caller = {
    storeId: session.storeId,
    requestId: 'req-12345678',
    actor: { type: 'user', keyId: 0, keyName: '', keyExpiresAtMs: 0, userId: session.userId, userName: session.name, role: session.role },
    timeZone: store.timeZone,
    country: store.country ?? '',
    currency: store.currency,
    locale: store.locale,
    features: new Set(store.features),
    scopes: session.scopes,
    tax: store.tax,
    ip: '192.0.2.1',
    ...more,
  };
  return { caller, session, deadlineMs: Number.POSITIVE_INFINITY, rpc: '' };
}

export function asReply<Message>(answer: Message | Reply<Message>): Reply<Message> {
  return answer instanceof Reply ? answer : new Reply(answer, {});
}

export function messageOf<Message>(answer: Message | Reply<Message>): Message {
  const { message } = asReply(answer);
  if (message === undefined) throw new Error('the answer has no message');
  return message;
}

export async function refusal(call: Promise<unknown>): Promise<{ status: number; message: string; extra: Problem['extra'] }> {
  const { status, message, extra } = await problemOf(call);
  return { status, message, extra };
}

const notAsked = () => Promise.reject(new Error('the keyGate is not asked for this here'));

/** A key gate on which a test defines only the methods that it expects to be called. */
export const closedKeyGate: KeyGate = {
  admit: notAsked,
  remember: notAsked,
  complete: notAsked,
  forget: notAsked,
  revoke: notAsked,
  unrevoke: notAsked,
  stop: notAsked,
};
