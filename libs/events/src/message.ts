/** What an outbox row becomes on its way: one fact, told once, to whoever listens. */
import type { Caller } from '@store/rpc';

export interface Message {
  /** Unique per event; a receiver and every consumer drops what it has seen. */
  id: string;
  /** Topic of the owning service, such as catalog.events. */
  topic: string;
  storeId: number;
  /** Event name, such as product.updated, or the name of an inner fact, such as store.changed. */
  name: string;
  /** The record whose order is kept: `store:aggregate` is the key on the wire. */
  aggregate: string;
  /** The finished webhook body, byte for byte as it will be signed; null: not a public event. */
  public: Buffer | null;
  /** What only services need; never leaves them. */
  internal: Internal | null;
  actor: ActorRecord;
  requestId: string;
  createdAt: string;
  /** Rises with each event of a record, in the order of its commits: a copy keeps to the highest. Absent: from before there was one. */
  version?: number;
  /** Where it stood on the wire; absent in process. */
  at?: { partition: number; offset: string };
  /** Why it could not be read; only its bytes (`public`) and its place are known then. */
  unreadable?: string;
}

export interface Internal {
  audit?: AuditRecord;
  /** A product's stock as inventory committed it. */
  stock?: { product_id: number; stock: string; version: number };
  /** A key that was revoked, for those who hold something of that key's. */
  key?: RevokedKey;
  /** A store as the gateway committed it, for each service's own copy. */
  store?: Record<string, unknown>;
}

export interface RevokedKey {
  key_id: number;
  revoked_at: string;
  /** The gateway's word for it: what cannot be taken back is not done on the transport's alone. */
  word?: string;
}

/** What the gateway gives its word for. */
export function revocationFact(storeId: number, { key_id, revoked_at }: RevokedKey): string {
  return `key.revoked\n${storeId}\n${key_id}\n${revoked_at}`;
}

export interface AuditRecord {
  /** Verb of the change, such as product.create. */
  action: string;
  resource_type: string;
  resource_id: number;
  /** The record before; of an update only the fields that changed. Never a secret. */
  before: object | null;
  after: object | null;
  ip: string;
}

export interface ActorRecord {
  type: Caller['actor']['type'];
  key: { id: number; name: string } | null;
  user: { id: number; name: string } | null;
}

/** The port between the relay and the consumers: in this process, or Kafka. */
export interface Transport {
  /** Resolves once every message is safe with whoever takes it; order within a key is kept. Rejects with MessageTooLarge for one that never will be. */
  publish(batch: Message[]): Promise<void>;
  /** Hands batches over until the transport stops; a rejected batch comes again. */
  subscribe(subscription: Subscription): Promise<void>;
  stop(): Promise<void>;
}

/** Of `publish`: a message that is refused for its size, whatever is tried. Others of its batch may be on their way. */
export class MessageTooLarge extends Error {
  /** Id of the message. */
  readonly id: string;

  constructor(id: string, options?: ErrorOptions) {
    super('The broker refuses the message: it is too large', options);
    this.name = 'MessageTooLarge';
    this.id = id;
  }
}

export interface Subscription {
  /** Consumer group, the name of the app that listens. */
  group: string;
  topics: string[];
  handle(batch: Message[]): Promise<void>;
}
