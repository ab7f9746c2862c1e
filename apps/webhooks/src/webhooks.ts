/** What the verbs of webhooks are given, and what they are. */
import type { Db, KeyRing } from '@store/db';
import type { Outbox } from '@store/events';
import type { WebhooksDefinition } from '@store/protos/webhooks/v1/Webhooks.ts';
import type { Trust, VerbOf } from '@store/rpc';
import type { Log } from '@store/service';
import type { OwnHost } from './deliveries/address-guard.ts';
import type { DeliveryCounts } from './deliveries/delivery-counts.ts';
import type { LeaseOwners } from './deliveries/lease-owners.ts';
import type { Pings } from './deliveries/pings.ts';
import type { AttemptOptions, Outcome } from './deliveries/types.ts';
import type { UnreadableSecrets } from './deliveries/unreadable-secrets.ts';

/** Ids of what has just happened. */
export interface News {
  attempts?: number[];
  subscriptions?: number[];
}

/** Sends one POST; injected in tests. Rejects only for a failure of ours, which spends no attempt. */
export type Post = (request: { url: string; body: Buffer; headers: Record<string, string> }) => Promise<Outcome>;

export interface Webhooks {
  db: Db;
  outbox: Outbox;
  /** Seals signing secrets. */
  keyRing: KeyRing;
  /** Verifies what the gateway signed. */
  trust: Pick<Trust, 'keys'>;
  /** How a receiver is reached; the address guard reads its part of it. */
  reach: AttemptOptions;
  /** This API's own public address, to which nothing is sent; absent when PUBLIC_URL is empty. */
  ownHost?: OwnHost | undefined;
  /** false: a refusal may name the settings that production refuses. */
  isProduction?: boolean;
  post: Post;
  /** Test pings, which share the room of the deliveries in flight. */
  pings: Pick<Pings, 'inFlight' | 'run'>;
  /** Whose leases are this process's, and whose are nobody's any more. */
  owners: Pick<LeaseOwners, 'own' | 'isHeld' | 'dead'>;
  /** Counts deliveries that could not be signed. */
  unreadable: Pick<UnreadableSecrets, 'note'>;
  /** Counts how attempts and deliveries ended. */
  counts: Pick<DeliveryCounts, 'note'>;
  /** Wakes the dispatchers, as rows may be due; called after a commit. */
  wake(): void;
  /** Sends every process of webhooks, this one included, what the live stream shows; called after a commit. */
  announce(news: News): void;
  log: Log;
}

/** A verb of webhooks, such as `Verb<'CreateSubscription'>`. */
export type Verb<Rpc extends keyof WebhooksDefinition> = VerbOf<Webhooks, WebhooksDefinition, Rpc>;
