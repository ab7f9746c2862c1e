/** What the verbs of webhooks are given; built once, in main.ts. */
import type { Db, KeyRing } from '@store/db';
import type { Outbox } from '@store/events';
import type { Log } from '@store/service';
import type { AttemptOptions, Outcome } from './deliveries/types.ts';

/** Sends one POST; injected in tests. Rejects only for a failure of ours, which spends no attempt. */
export type Post = (request: { url: string; body: Buffer; headers: Record<string, string> }) => Promise<Outcome>;

export interface Webhooks {
  db: Db;
  outbox: Outbox;
  /** Seals signing secrets. */
  keyRing: KeyRing;
  /** How a receiver is reached; the address guard reads its part of it. */
  reach: AttemptOptions;
  post: Post;
  /** Tells the delivery loop that rows may be due; called after a commit. */
  wake(): void;
  log: Log;
}
