/**
 * A service behind its real gRPC port over a real database, with an injected clock. A test may replace what the service
 * would open (clients of other apps, receivers) by fakes.
 */
import { messageFromBody, messageFromQuery, parseBody, renderMessage, root, serviceOf } from '@store/contract';
import { type Db, sql } from '@store/db';
import { type AuditRecord, consume, type Message, type Outbox } from '@store/events';
import { Problem } from '@store/problem';
import { type Answer, bindVerbs, type Caller, connect, encodeFixedPart, type StreamedAnswer, send, sendStreaming, serve } from '@store/rpc';
import type { Log, ServiceDeclaration, Settings } from '@store/service';
import { countStatements } from './count-statements.ts';
import { openDatabase } from './open-database.ts';
import type { SetClock } from './set-clock.ts';
import { testTrust } from './trust.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON that a client reads.
export type Json = any;

/** An outbox row as a test reads it. */
interface EmittedEvent {
  name: string;
  aggregate: string;
  /** The webhook body as text, as it will be signed; null: not a public event. */
  text: string | null;
  body: Json;
  internal: Json;
  audit: AuditRecord | undefined;
}

/** How a call was answered. */
export interface Answered {
  /** The service's status; absent: that of the endpoint. */
  status: number | undefined;
  /** Headers that the service adds, in lower case. */
  headers: Record<string, string>;
  /** The JSON that a client reads. */
  text: string;
  json: Json;
}

/** How a refused call was answered. */
export interface Refusal {
  status: number;
  error: string;
  errors?: Json;
  details?: string;
}

interface UnderTestOptions<App> {
  /** Creates the app's context with the test's fakes in place of the real connections. */
  open(parts: { db: Db; outbox: Outbox; log: Log; clock: SetClock }): App | Promise<App>;
  /** ISO time at the start. */
  now?: string;
  /** Connections of the service at most. */
  poolMax?: number;
}

const nowDefault = '2026-11-20T12:00:00.000Z';
const poolMaxDefault = 20;
const answerWithinMs = 30_000;

/** Starts it; `stop` ends it. */
export async function startUnderTest<App, S extends Settings, Doors extends object>(
  declared: ServiceDeclaration<App, S, Doors>,
  { open, now = nowDefault, poolMax = poolMaxDefault }: UnderTestOptions<App>,
) {
  const { app: name } = declared;
  const { url, db, clock, log, lines, close } = await openDatabase(declared, { now, poolMax });
  const app = await open({ db, outbox: { db, wake: () => undefined }, log, clock });
  // By the real clock: a test that advances its own while a call is under way would let the caller's signature expire.
  const trust = testTrust();
  const server = await serve({ [serviceOf(name)]: bindVerbs(declared.verbs ?? {}, app) }, { listen: '127.0.0.1:0', trust, log });
  const channel = connect(server.address, trust);
  const { methods } = root.lookupService(serviceOf(name));
  const handle = consume({ db, log, ...(declared.consumer?.(app) ?? { wants: () => false, handle: async () => undefined }) });

  async function sendBytes(rpc: string, bytes: Buffer, caller: Caller): Promise<Answer> {
    const from = { fixedPart: encodeFixedPart(caller), request: caller };
    const path = `/${serviceOf(name)}/${rpc}`;
    const deadlineMs = Date.now() + answerWithinMs;
    if (!methods[rpc]!.responseStream) return send(channel, path, bytes, from, deadlineMs);
    return wholeOf(await sendStreaming(channel, path, bytes, from, deadlineMs));
  }

  const tested = {
    ...{ app, db, clock, url },
    /** Log lines of the service. */
    lines,

    async stop(): Promise<void> {
      channel.close();
      await server.stop();
      await close();
    },

    /** Sends a request message. */
    async call(rpc: string, request: object, caller: Caller): Promise<Answered> {
      const { resolvedRequestType, resolvedResponseType } = methods[rpc]!;
      const reply = await sendBytes(rpc, Buffer.from(resolvedRequestType!.encode(request).finish()), caller);
      const text = renderMessage(resolvedResponseType!, reply.bytes, (scope) => caller.scopes.has(scope));
      return { status: reply.status, json: JSON.parse(text), text, headers: Object.fromEntries(reply.headers) };
    },

    /** Builds the request message from a client's body as the gateway does; `path`: the path parameters. */
    answer(rpc: string, body: object | string, caller: Caller, path: Record<string, string | number> = {}): Promise<Answered> {
      const parsed = parseBody(typeof body === 'string' ? body : JSON.stringify(body)) as Record<string, unknown>;
      const request = messageFromBody(methods[rpc]!.resolvedRequestType!, parsed);
      const params = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]));
      return tested.call(rpc, { ...request, ...params }, caller);
    },

    /** The JSON of `answer`. */
    async body(rpc: string, body: object | string, caller: Caller, path: Record<string, string | number> = {}): Promise<Json> {
      return (await tested.answer(rpc, body, caller, path)).json;
    },

    /** A query string as a client writes it. */
    async query(rpc: string, query: string, caller: Caller): Promise<Json> {
      const request = messageFromQuery(methods[rpc]!.resolvedRequestType!, {}, new URLSearchParams(query));
      return (await tested.call(rpc, request, caller)).json;
    },

    /** A request by id alone. */
    async byId(rpc: string, id: number | string, caller: Caller): Promise<Json> {
      return (await tested.call(rpc, { id: String(id) }, caller)).json;
    },

    /** The Problem that refuses the call, as the gateway sees it; a call that succeeds fails the test. */
    async refusal(work: Promise<unknown>): Promise<Refusal> {
      const problem = await problemOf(work);
      const { errors, details } = problem.extra;
      return { status: problem.status, error: problem.message, ...(errors && { errors }), ...(details && { details }) };
    },

    /** Delivers messages as the transport does. */
    publish(...messages: Message[]): Promise<void> {
      return handle(messages);
    },

    /** Events of a store in the order of their rows. */
    async events(storeId: number): Promise<EmittedEvent[]> {
      const rows = await db.read<{ name: string; aggregate: string; public: Buffer | null; internal: { audit?: AuditRecord } | null }>(
        `select name, aggregate, public, internal from ${name}.outbox where store_id = $1 order by id`,
        [storeId],
      );
      return rows.map(({ name, aggregate, public: bytes, internal }) => {
        const text = bytes?.toString() ?? null;
        return { name, aggregate, text, body: text === null ? null : JSON.parse(text), internal, audit: internal?.audit };
      });
    },

    /** The events that `work` emitted. */
    async eventsOf(storeId: number, work: () => Promise<unknown>): Promise<EmittedEvent[]> {
      const before = (await tested.events(storeId)).length;
      await work();
      return (await tested.events(storeId)).slice(before);
    },

    /** How many SQL statements `work` ran. */
    statementsOf: countStatements,

    /** Runs one statement over the service's database. */
    run<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      return db.unit(0, (em) => sql<Row>(em, text, values));
    },
  };
  return tested;
}

/** A streamed answer as one: encoded messages of one type, joined, are their merged message. */
async function wholeOf({ bytes, rest, ...head }: StreamedAnswer): Promise<Answer> {
  const messages = [bytes];
  for await (const message of rest) messages.push(message);
  return { ...head, bytes: Buffer.concat(messages) };
}

/** The Problem that a refused call was answered with. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw new Error('the call was not refused by a Problem', { cause: outcome });
}
