/** The context that the gateway's verbs receive; built once, in main.ts. */
import type { Db, KeyRing } from '@store/db';
import type { Outbox } from '@store/events';
import type { GatewayDefinition } from '@store/protos/gateway/v1.ts';
import type { WebhooksDefinition } from '@store/protos/webhooks/v1.ts';
import type { Call, Rpcs, ServiceKeys, Verbs } from '@store/rpc';
import type { Log } from '@store/service';
import type { KeyGate } from './key-gate/key-gate.ts';
import type { Pepper } from './keys/key-text.ts';
import type { KeyUsage } from './keys/key-usage.ts';
import type { RefusalLog } from './requests/refusal-log.ts';
import type { RequestLog } from './requests/request-log.ts';
import type { SessionRecord } from './staff/find-session.ts';
import type { Passwords } from './staff/passwords.ts';
import type { CacheValidity } from './stores/cache-validity.ts';

export type WebhooksRpcs = Pick<Rpcs<WebhooksDefinition>, 'RevokeKey' | 'ListRequestEvents'>;

export interface Gateway {
  db: Db;
  /** Reads reports over connections of their own, one of a store at a time: logins and session checks never wait behind them. */
  reports: Pick<Db, 'read'>;
  outbox: Outbox;
  keyGate: KeyGate;
  cacheValidity: Pick<CacheValidity, 'believes' | 'checked' | 'isListening' | 'nowMs'>;
  usage: KeyUsage;
  requests: RequestLog;
  refusals: RefusalLog;
  passwords: Passwords;
  webhooks: WebhooksRpcs;
  config: GatewaySecrets;
  /** Signs messages that webhooks accepts from the gateway only. */
  trust: { keys: ServiceKeys };
  log: Log;
}

/** Secrets come from the environment only and have no default. */
interface GatewaySecrets {
  /** Newest pepper first. */
  peppers: Pepper[];
  /** Encrypts what must be readable again, such as a stored answer that contains a key. */
  keyRing: KeyRing;
}

/** A call of one of the gateway's own verbs, with the context that only the pipeline has. */
export interface GatewayCall extends Call {
  /** The staff session that called; absent for keys and for a login. */
  session?: SessionRecord;
  /** The key's limit in requests per minute at the time of this request. */
  effectiveLimit?: number;
  cookies?: string;
  userAgent?: string;
}

type Rpc<Name extends keyof GatewayDefinition> = Verbs<GatewayDefinition>[Name];

export type Verb<Name extends keyof GatewayDefinition> = (
  app: Gateway,
  request: Parameters<Rpc<Name>>[0],
  call: GatewayCall,
) => ReturnType<Rpc<Name>>;
