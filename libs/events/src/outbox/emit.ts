/** Writes events into the outbox, inside the transaction that made the change. */
import { randomUUID } from 'node:crypto';
import { afterCommit, type Db, type EntityManager, sqlUnawaited } from '@store/db';
import { invalid } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { ActorRecord, AuditRecord, Internal } from '../message.ts';

/** Tables that every schema needs to emit and consume events. */
export const eventTables = `
  create table outbox (
    id bigint generated always as identity primary key,
    event_id uuid not null,
    store_id bigint not null,
    name text not null,
    aggregate text not null,
    public bytea,
    internal jsonb,
    actor jsonb not null,
    request_id text not null,
    created_at timestamptz(3) not null
  );
  create index outbox_store on outbox (store_id, id);
  create table inbox (
    event_id uuid primary key,
    received_at timestamptz(3) not null default clock_timestamp(),
    store_id bigint not null default 0
  );
  create index inbox_received_at on inbox (received_at);
  create table dead_letters (
    id bigint generated always as identity primary key,
    event_id uuid not null unique,
    topic text not null,
    message jsonb not null,
    error text not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    redriven_at timestamptz(3)
  )`;

/** Adds the index that the first release's outbox does not have. */
export const indexOutbox = (schema: string): string =>
  `create index concurrently if not exists outbox_store on ${schema}.outbox (store_id, id)`;

/** Adds the store, which inboxes of earlier releases do not have: tables that are distributed by store ask for it. */
export const storeInInbox = (schema: string): string =>
  `alter table ${schema}.inbox add column if not exists store_id bigint not null default 0`;

/** The outbox of a service; created once, in its main.ts. */
export interface Outbox {
  db: Db;
  /** Notifies the relay that rows wait; called after the commit (D190). */
  wake(): void;
}

export interface NewEvent {
  /** Event name, such as product.created, or the name of an internal event. */
  name: string;
  aggregate: number | string;
  /** The webhook's part; absent: no webhook is sent. */
  public?: {
    resourceType: string;
    resourceId: number;
    /** data as JSON text, rendered from the public shape without costs. */
    data: string;
  };
  internal?: Omit<Internal, 'audit'>;
  audit?: Omit<AuditRecord, 'ip'>;
}

/** Writes that are sent in one statement with the events, as its `with` clauses. */
interface WritesBeside {
  with: string;
  /** Of $1 and on. */
  values: unknown[];
}

/**
 * Emits events in the transaction of `em`, after the record is flushed, or locked and written by `beside`: the row lock then orders the
 * outbox rows as the commits. An event above `eventBytesMax` is a 422.
 */
export async function emit(
  em: EntityManager,
  outbox: Outbox,
  caller: Caller,
  events: NewEvent[],
  beside: WritesBeside = { with: '', values: [] },
): Promise<string[]> {
  if (events.length === 0) return [];
  const createdAt = outbox.db.clock.now().toISOString();
  const ids = events.map(() => randomUUID());
  const bodies = events.map((event, index) => webhookBody(ids[index]!, event, createdAt));
  const internals = events.map((event) => internalOf(event, caller));
  for (const index of events.keys()) demandSize(events[index]!, bodies[index]!, internals[index]!);
  const rows = events.map(({ name, aggregate }, n) => [ids[n], name, String(aggregate), bodies[n], internals[n]]);
  sqlUnawaited(
    em,
    `${beside.with === '' ? '' : `with ${beside.with}`}
     insert into ${outbox.db.schema}.outbox (store_id, actor, request_id, created_at, event_id, name, aggregate, public, internal)
     ${rows.length <= listedMax ? listedRows(beside.values.length, rows.length) : unnestedRows(beside.values.length)}`,
    [
      ...beside.values,
      caller.storeId,
      JSON.stringify(actorRecord(caller)),
      caller.requestId,
      createdAt,
      ...(rows.length <= listedMax ? rows.flat() : rows[0]!.map((_, column) => rows.map((row) => row[column]))),
    ],
  );
  afterCommit(em, () => outbox.wake());
  return ids;
}

/**
 * Up to so many events are listed, one prepared statement for each number. More rows come as arrays, which Citus copies to the worker and
 * commits in two phases.
 */
const listedMax = 8;
const columnsOfCaller = 4;
const columnsOfEvent = 5;

/** The parameters from `first` + 1 on, `count` of them. */
const parameters = (first: number, count: number) => Array.from({ length: count }, (_, n) => `$${first + n + 1}`);

function listedRows(before: number, count: number): string {
  const caller = parameters(before, columnsOfCaller);
  const row = (n: number) => [...caller, ...parameters(before + columnsOfCaller + n * columnsOfEvent, columnsOfEvent)].join(', ');
  return `values ${Array.from({ length: count }, (_, n) => `(${row(n)})`).join(', ')}`;
}

function unnestedRows(before: number): string {
  const [ids, names, aggregates, bodies, internals] = parameters(before + columnsOfCaller, columnsOfEvent);
  return `select ${parameters(before, columnsOfCaller).join(', ')}, event_id, name, aggregate, public, internal
    from unnest(${ids}::uuid[], ${names}::text[], ${aggregates}::text[], ${bodies}::bytea[], ${internals}::jsonb[])
      with ordinality as e(event_id, name, aggregate, public, internal, n)
    order by n`;
}

/** A broker accepts 1 MiB by default; this leaves room for headers and framing. */
export const eventBytesMax = 1_000_000;

/** An event that no broker accepts would block its whole schema (D201). */
function demandSize({ name }: NewEvent, body: Buffer | null, internal: string | null): void {
  const bytes = (body?.length ?? 0) + Buffer.byteLength(internal ?? '');
  if (bytes > eventBytesMax)
    throw invalid([`the record is too large: its event ${name} would take ${bytes} bytes, and at most ${eventBytesMax} are allowed`]);
}

/** The payload is built once, here; every attempt to every subscriber sends these bytes (Payload 1). */
function webhookBody(id: string, event: NewEvent, createdAt: string): Buffer | null {
  if (!event.public) return null;
  const head = JSON.stringify({
    id,
    event: event.name,
    resource_type: event.public.resourceType,
    resource_id: event.public.resourceId,
    created_at: createdAt,
  });
  return Buffer.from(`${head.slice(0, -1)},"data":${event.public.data}}`);
}

function internalOf(event: NewEvent, caller: Caller): string | null {
  if (!event.internal && !event.audit) return null;
  const internal: Internal = { ...event.internal, ...(event.audit && { audit: { ...event.audit, ip: caller.ip } }) };
  return JSON.stringify(internal);
}

function actorRecord(caller: Caller): ActorRecord {
  const { actor } = caller;
  return {
    type: actor.type,
    key: actor.type === 'key' ? { id: actor.keyId, name: actor.keyName } : null,
    user: actor.userId > 0 ? { id: actor.userId, name: actor.userName } : null,
  };
}
