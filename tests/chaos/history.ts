/**
 * The record of a run, as plain values: what clients observed, what the databases committed, what
 * Kafka holds and what receivers got. `check` needs nothing else.
 */

import type { KeyLife } from './key-life.ts';
import type { TillRequest } from './till-request.ts';

/** A request that changes something, from its start to the outcome that its client knows. */
export interface Write {
  /** Its first request id; a repetition under its Idempotency-Key has others. */
  id: string;
  /** Method and path, for reports. */
  what: string;
  /** Unique texts of the changes that it makes, one per change. */
  marks: string[];
  /** Sent in order to be refused. */
  refusable: boolean;
  invokedMs: number;
  endedMs: number;
  /** info: the outcome is unknown (Jepsen's third answer). */
  result: 'ok' | 'fail' | 'info';
  status: number;
}

/** A committed change of one record, as the database's own trigger recorded it. */
export interface Change {
  /** Rises within a record in commit order: it is assigned under the record's lock. */
  n: number;
  topic: string;
  xid: string;
  /** The aggregate whose events keep their order. */
  record: string;
  /** What its event is about: a product, or an inventory transaction. */
  resource: string;
  marks: string[];
  /** A product's name after the change. */
  name: string | null;
  /** The audit entry that must exist, such as Product:12; null: none. */
  audit: string | null;
}

/** An outbox row as it was committed. */
export interface Emitted {
  eventId: string;
  topic: string;
  xid: string;
  record: string;
  /** Null for an event that is not a webhook. */
  resource: string | null;
  /** SHA-256 of the webhook body. */
  hash: string | null;
}

/** A message of Kafka, read from offset 0; the same event may appear more than once. */
export interface Carried {
  eventId: string;
  store: number;
  topic: string;
  partition: number;
  offset: number;
  record: string;
  name: string;
  hash: string | null;
}

export interface LedgerRow {
  id: number;
  product: number;
  /** Thousandths. */
  before: number;
  change: number;
  after: number;
}

export interface Stock {
  product: number;
  /** Thousandths: in inventory, and in catalog's copy. */
  quantity: number;
  copy: number;
}

/** A POST that reached a receiver. */
export interface Arrival {
  eventId: string;
  name: string;
  /** X-Service-Attempt. */
  attempt: number;
  hash: string;
  verified: boolean;
}

/** A line of the attempt log. */
export interface Attempt {
  eventId: string;
  number: number;
  /** response, lost, or why there was no response; null: it has not ended. */
  outcome: string | null;
}

export interface ReceiverHistory {
  name: string;
  store: number;
  /** always: answers every POST with 200; at last: within five attempts; never: its subscription is to be disabled. */
  accepts: 'always' | 'at last' | 'never';
  events: string[];
  /** In order of arrival. */
  arrivals: Arrival[];
  attempts: Attempt[];
  active: boolean;
}

/** A sale at the end of the run. */
export interface Sale {
  id: number;
  /** Number of its receipt, which its ledger rows name as their reason. */
  receipt: string;
  /** It was completed once; a void takes back what that did. */
  counted: boolean;
  voided: boolean;
  customer: number | null;
  /** Hundredths: the total, and what of it was paid by gift card and with store credit. */
  total: number;
  card: number;
  credit: number;
  /** All of its payments, and what of them was cash in a drawer. */
  paid: number;
  cash: number;
  drawer: number | null;
  /** The drawer that paid its cash back; null: its own, or none. */
  refunder: number | null;
  voidedAtMs: number | null;
  lines: { product: number /** Thousandths. */; quantity: number }[];
}

/** A ledger row that an event wrote. */
export interface Moved {
  /** The number of a receipt or an order. */
  reason: string;
  type: 'sale' | 'void' | 'receive';
  product: number;
  /** Thousandths. */
  change: number;
}

/** A row of the ledger of gift cards, of store credit or of points. */
export interface BalanceRow {
  ledger: 'gift card' | 'store credit' | 'points';
  holder: number;
  id: number;
  amount: number;
  before: number;
  after: number;
  sale: number | null;
}

/** The lines of orders that brought a product, and its costs as the catalogue computed them. Hundredths and thousandths. */
export interface Costs {
  product: number;
  average: number | null;
  cost: number | null;
  lines: { id: number; quantity: number; unit: number; receivedAt: string }[];
}

/** What must be conserved when nothing moves any more. */
export interface AtRest {
  /** Store credit that was taken for a sale and not given back. */
  tenders: { sale: number; amount: number }[];
  drawers: { id: number; float: number; expected: number; closedAtMs: number | null }[];
  costs: Costs[];
  /** Rows in which a service's copy and its source differ. */
  copies: string[];
  /** The log of events, by store; undefined where webhooks does not run. */
  log: { store: number; sequence: number; eventId: string }[] | undefined;
  /** The same as a client has read it all along, and the highest latest_sequence that it was shown. */
  polled: { store: number; eventIds: string[]; latest: number };
  /** What the last event of a record told, and what GET shows; JSON. */
  records: { record: string; inEvent: string; shows: string }[];
}

export interface RegisterHistory {
  sales: Sale[];
  moved: Moved[];
  balances: BalanceRow[];
  /** The balances themselves. */
  holders: { ledger: BalanceRow['ledger']; id: number; balance: number }[];
  /** Spend in hundredths. */
  customers: { id: number; spend: number; visits: number }[];
  /** What each line of the orders says was received, in thousandths. */
  orders: { number: string; product: number; received: number }[];
}

export interface History {
  writes: Write[];
  tillRequests: TillRequest[];
  lives: KeyLife[];
  changes: Change[];
  /** Products at the end of the run: record and name. */
  products: { record: string; name: string }[];
  emitted: Emitted[];
  carried: Carried[];
  ledger: LedgerRow[];
  stock: Stock[];
  /** One text per audit entry, such as Product:12. */
  audited: string[];
  /** The request of each audit entry. */
  auditedRequests: string[];
  receivers: ReceiverHistory[];
  register: RegisterHistory;
  rest: AtRest;
  /** What was not idle in time, such as an outbox that still holds rows. */
  unsettled: string[];
}

export interface Violation {
  rule: string;
  detail: string;
}

export const nothing: History = {
  writes: [],
  tillRequests: [],
  lives: [],
  changes: [],
  products: [],
  emitted: [],
  carried: [],
  ledger: [],
  stock: [],
  audited: [],
  auditedRequests: [],
  receivers: [],
  register: { sales: [], moved: [], balances: [], holders: [], customers: [], orders: [] },
  rest: { tenders: [], drawers: [], costs: [], copies: [], log: undefined, polled: { store: 0, eventIds: [], latest: 0 }, records: [] },
  unsettled: [],
};
