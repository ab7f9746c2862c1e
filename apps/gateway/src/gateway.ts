/** What the gateway's verbs are given; built once, in main.ts. */

import type { Db, KeyRing } from '@store/db';
import type { Outbox } from '@store/events';
import type { GatewayDefinition } from '@store/protos/gateway/v1/Gateway.ts';
import type { WebhooksDefinition } from '@store/protos/webhooks/v1/Webhooks.ts';
import type { Call, Rpcs, Trust, Verbs } from '@store/rpc';
import type { Log } from '@store/service';
import type { KeyGate } from './key-gate/key-gate.ts';
import type { Pepper } from './keys/key-text.ts';
import type { KeyUsage } from './keys/key-usage.ts';
import type { RequestLog } from './requests/request-log.ts';
import type { Passwords } from './staff/passwords.ts';
import type { CacheValidity } from './stores/cache-validity.ts';

/** What the gateway asks webhooks itself. */
export type WebhooksRpcs = Pick<Rpcs<WebhooksDefinition>, 'RevokeKey' | 'ListRequestEvents'>;

export interface Gateway {
  db: Db;
  outbox: Outbox;
  keyGate: KeyGate;
  /** Whether the key gate's records may be believed now. */
  cacheValidity: Pick<CacheValidity, 'believes' | 'checked' | 'hears' | 'nowMs'>;
  usage: KeyUsage;
  requests: RequestLog;
  passwords: Passwords;
  webhooks: WebhooksRpcs;
  config: GatewaySecrets;
  /** Signs what others hear from the gateway alone. */
  trust: Pick<Trust, 'keys'>;
  log: Log;
}

/** Secrets come from the environment only and have no default. */
export interface GatewaySecrets {
  /** Newest first. */
  peppers: Pepper[];
  /** Encrypts what must be readable again, such as a stored answer that holds a key. */
  keyRing: KeyRing;
}

/** A call of one of the gateway's own verbs: what only the pipeline knows comes with it. */
export interface GatewayCall extends Call {
  /** The staff session that called; absent for keys and for a login. */
  sessionId?: number;
  /** Requests per minute that held for this request of a key. */
  effectiveLimit?: number;
  /** The Cookie header, in which a login finds the device's token. */
  cookies?: string;
}

type Rpc<Name extends keyof GatewayDefinition> = Verbs<GatewayDefinition>[Name];

/** One verb of the gateway. */
export type Verb<Name extends keyof GatewayDefinition> = (
  app: Gateway,
  request: Parameters<Rpc<Name>>[0],
  call: GatewayCall,
) => ReturnType<Rpc<Name>>;
