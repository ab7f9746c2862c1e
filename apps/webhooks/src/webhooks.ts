/** The context of the verbs of webhooks, and the verbs' type. */
import type { Db, KeyRing } from '@store/db';
import type { Outbox } from '@store/events';
import type { WebhooksDefinition } from '@store/protos/webhooks/v1.ts';
import type { ServiceKeys, VerbOf } from '@store/rpc';
import type { Log } from '@store/service';
import type { DeliveryMetrics } from './deliveries/delivery-metrics.ts';
import type { LeaseOwners } from './deliveries/leases.ts';
import type { PostLimiter } from './deliveries/post-limiter.ts';
import type { OwnHost } from './receivers/address-guard.ts';
import type { AttemptOptions, Outcome } from './receivers/types.ts';
import type { RowKey } from './row-key.ts';

export interface Changed {
  attempts?: RowKey[];
  subscriptions?: RowKey[];
}

/** Sends one POST; injected in tests. Rejects only for a failure on our side, which spends no attempt. */
export type Post = (request: { url: string; body: Buffer; headers: Record<string, string> }) => Promise<Outcome>;

export interface Webhooks {
  db: Db;
  outbox: Outbox;
  keyRing: KeyRing;
  trust: { keys: ServiceKeys };
  /** Options of attempts; the address guard uses a part of them. */
  reach: AttemptOptions;
  /** This API's own public address, to which nothing is sent; absent when PUBLIC_URL is empty. */
  ownHost?: OwnHost | undefined;
  /** false: a refusal may name the settings that production does not accept. */
  isProduction?: boolean;
  post: Post;
  /** Places of the POSTs in flight, of deliveries and test pings. */
  limiter: PostLimiter;
  /** This process's leases, and those of dead processes. */
  owners: Pick<LeaseOwners, 'own' | 'isHeld' | 'dead'>;
  /** Counts outcomes of attempts and deliveries, and deliveries that could not be signed. */
  metrics: Pick<DeliveryMetrics, 'note' | 'noteUnreadable'>;
  /** Notifies the dispatchers that rows may be due; called after a commit. */
  wake(): void;
  /** Sends every webhooks process, this one included, changes for the live stream; called after a commit. */
  announce(changed: Changed): void;
  log: Log;
}

/** A verb of webhooks, such as `Verb<'CreateSubscription'>`. */
export type Verb<Rpc extends keyof WebhooksDefinition> = VerbOf<Webhooks, WebhooksDefinition, Rpc>;
