/** The message that an outbox row becomes: one event, published to every consumer. */
import type { Caller } from '@store/rpc';

export interface Message {
  /** Unique per event; receivers and consumers drop an id they have handled. */
  id: string;
  /** Topic of the owning service, such as catalog.events. */
  topic: string;
  storeId: number;
  /** Event name, such as product.updated, or the name of an internal event, such as store.changed. */
  name: string;
  /** The record whose events keep their order: `store:aggregate` is the message key. */
  aggregate: string;
  /** The finished webhook body, byte for byte as it will be signed; null: not a public event. */
  public: Buffer | null;
  /** For services only; never sent to receivers. */
  internal: Internal | null;
  actor: ActorRecord;
  requestId: string;
  createdAt: string;
  /** Rises with each event of a record, in commit order; a copy keeps the highest. Absent in events of earlier releases. */
  version?: number;
  /** Topic, partition and offset; absent in process. */
  at?: { partition: number; offset: string };
  /** Why it could not be read; only its bytes (`public`) and its position are known then. */
  unreadable?: string;
}

export interface Internal {
  audit?: AuditRecord;
  /** A product's stock as inventory committed it. */
  stock?: { product_id: number; stock: string; version: number };
  key?: RevokedKey;
  /** A store as the gateway committed it, for each service's copy. */
  store?: Record<string, unknown>;
  /** A sale that began to count, or one that was voided. */
  sale?: SaleFact;
  /** A customer as customers committed it, for sales' copy. */
  customer?: CustomerFact;
  /** A product as others copy it; of `republish`. */
  product?: { id: number; name: string; deleted: boolean };
  /** Who works for a store; of `republish`. */
  staff?: { id: number; name: string };
  /** A receipt of a purchase order, or a correction of what was received or billed. */
  receipt?: ReceiptFact;
}

/** What other services need of sale.completed and sale.voided. Money and quantities are decimal texts. */
export interface SaleFact {
  id: number;
  receipt_number: string;
  /** Of sale.voided: whether the sale had been completed; nothing is taken back otherwise (D164). */
  counted: boolean;
  customer_id: number | null;
  subtotal: string;
  /** Line and sale discounts. */
  discount_amount: string;
  total: string;
  /** What was paid with store credit; "0.00" for none. */
  store_credit: string;
  /** Whether the store's plan had loyalty when it was sold or voided; absent in events of earlier releases. */
  loyalty?: boolean;
  /** Who sold it, or voided it. */
  user: { id: number; name: string } | null;
  /** `bundle`: it lies at no location (D107). */
  lines: { product_id: number; product_name: string; sku: string | null; quantity: string; bundle: boolean }[];
}

/** What other services need of a receipt or a correction. Money and quantities are decimal texts. */
export interface ReceiptFact {
  order_id: number;
  order_number: string;
  /** Number of the receipt or correction within its order: each moves stock once. */
  number: number;
  user: { id: number; name: string } | null;
  /** Movements of stock, negative where a correction takes stock away; the name and sku are those of the order (D244). */
  moved: { product_id: number; product_name: string; sku: string | null; bundle: boolean; quantity: string }[];
  /** The lines whose costs changed, as they stand now: repeated and late facts of a line lose against its newest. */
  lines: ReceivedLine[];
}

/** A line of an order as far as it counts in the costs of its product (D168). */
export interface ReceivedLine {
  line_id: number;
  /** Null while the line is not matched. */
  product_id: number | null;
  quantity: string;
  /** Invoiced, otherwise ordered; null for a line without a cost, which counts in none (D246). */
  unit_cost: string | null;
  /** The unit cost with its share of the order's shipping. */
  landed_cost: string | null;
  /** When something of it last arrived; null when nothing has. */
  received_at: string | null;
}

/** A customer's current values; of an archived one they are those before it. */
export interface CustomerFact {
  id: number;
  name: string;
  customer_code: string | null;
  email: string | null;
  phone: string | null;
  archived: boolean;
  /** The customer that it was found to be, to which its sales and gift cards go over. */
  merged_into?: number;
}

export interface RevokedKey {
  key_id: number;
  revoked_at: string;
  /** The gateway's signature: an irreversible step is not taken on an unsigned message. */
  word?: string;
}

export function revocationFact(storeId: number, { key_id, revoked_at }: RevokedKey): string {
  return `key.revoked\n${storeId}\n${key_id}\n${revoked_at}`;
}

export interface AuditRecord {
  /** Verb of the change, such as product.create. */
  action: string;
  resource_type: string;
  resource_id: number;
  /** The record before; for an update only the fields that changed. Never a secret. */
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
  /** Resolves once every message is acknowledged; order within a key is kept. Rejects with MessageTooLarge for one that never can be. */
  publish(batch: Message[]): Promise<void>;
  /** Delivers batches until the transport stops; a rejected batch is delivered again. */
  subscribe(subscription: Subscription): Promise<void>;
  /** Delivers no more batches, and awaits those in hand. Absent where the services of one process share the transport. */
  stopConsuming?(): Promise<void>;
  /** Messages of the topic that the slowest of these groups has not handled; absent where `publish` waits for them. */
  behind?(topic: string, groups: string[]): Promise<number>;
  stop(): Promise<void>;
}

/** From `publish`: a message is refused for its size on every attempt. Others of its batch may have been sent. */
export class MessageTooLarge extends Error {
  readonly id: string;

  constructor(id: string, options?: ErrorOptions) {
    super('The broker refuses the message: it is too large', options);
    this.name = 'MessageTooLarge';
    this.id = id;
  }
}

export interface Subscription {
  /** Consumer group: the name of the consuming app. */
  group: string;
  topics: string[];
  /**
   * The pause between small batches, so that messages of a busy time come together, and in a backlog as long as a batch took; asked after
   * each batch. The first message after a quiet time is handled at once.
   */
  lingerMs?: () => number;
  handle(batch: Message[]): Promise<void>;
}

/** Whether a part of a message is a whole number above 0, such as an id: what another service sent may be anything. */
export function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
