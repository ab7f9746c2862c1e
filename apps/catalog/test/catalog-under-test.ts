/** The catalogue behind its real door over a real database. */
import { messageFromBody, messageFromQuery, parseBody, renderMessage, root } from '@store/contract';
import { type Db, migrate, openDb, SetClock, sql, statements } from '@store/db';
import type { AuditRecord } from '@store/events';
import { Problem } from '@store/problem';
import { type Caller, connect, encodeStanding, send, serve } from '@store/rpc';
import { testCaller, testDatabase, testTrust } from '@store/testbed';
import type { Catalog } from '../src/catalog.ts';
import { migrations } from '../src/migrations/all.ts';
import { catalogVerbs } from '../src/rpc.ts';
import { entities } from '../src/tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON that a client reads.
export type Json = any;

/** A key of the store, which has no features; `staffOf` is a manager of it. */
export function keyOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ storeId, features: new Set(), ...changes });
}

export function staffOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return keyOf(storeId, {
    actor: { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' },
    ...changes,
  });
}

export interface OutboxRow {
  name: string;
  aggregate: string;
  /** The webhook body as text, as it will be signed. */
  text: string | null;
  body: Json;
  audit: AuditRecord | undefined;
}

const service = root.lookupService('store.catalog.v1.Catalog');
const noon = '2026-11-20T12:00:00.000Z';

export class CatalogUnderTest {
  readonly app: Catalog;
  readonly db: Db;
  readonly clock: SetClock;
  readonly errors: unknown[];
  readonly #send: (rpc: string, bytes: Buffer, caller: Caller) => Promise<{ bytes: Buffer; status: number | undefined }>;
  readonly #stop: () => Promise<void>;

  constructor(parts: {
    app: Catalog;
    clock: SetClock;
    errors: unknown[];
    send: (rpc: string, bytes: Buffer, caller: Caller) => Promise<{ bytes: Buffer; status: number | undefined }>;
    stop: () => Promise<void>;
  }) {
    this.app = parts.app;
    this.db = parts.app.db;
    this.clock = parts.clock;
    this.errors = parts.errors;
    this.#send = parts.send;
    this.#stop = parts.stop;
  }

  static async start(): Promise<CatalogUnderTest> {
    const database = await testDatabase('catalog', (url) => migrate({ url, schema: 'catalog', migrations }));
    const clock = new SetClock(noon);
    const db = await openDb({ url: database.url, schema: 'catalog', entities, clock, poolMax: 20 });
    const errors: unknown[] = [];
    const log = { error: (fields: object) => void errors.push('err' in fields ? fields.err : fields) };
    const app: Catalog = { db, outbox: { db, wake: () => undefined } };
    const server = await serve({ 'store.catalog.v1.Catalog': catalogVerbs(app) }, { listen: '127.0.0.1:0', trust: testTrust(clock), log });
    const channel = connect(server.address, testTrust(clock));
    const sendBytes = (rpc: string, bytes: Buffer, caller: Caller) => {
      const from = { standing: encodeStanding(caller), request: caller };
      return send(channel, `/store.catalog.v1.Catalog/${rpc}`, bytes, from, Date.now() + 30_000);
    };
    const stop = async () => {
      channel.close();
      await server.stop();
      await db.close();
      await database.close();
    };
    return new CatalogUnderTest({ app, clock, errors, send: sendBytes, stop });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Sends a request message; answers the status a service chose and the JSON that a client reads. */
  async call(rpc: string, request: object, caller: Caller): Promise<{ status: number | undefined; json: Json; text: string }> {
    const method = service.methods[rpc]!;
    const reply = await this.#send(rpc, Buffer.from(method.resolvedRequestType!.encode(request).finish()), caller);
    const text = renderMessage(method.resolvedResponseType!, reply.bytes, (scope) => caller.scopes.has(scope));
    return { status: reply.status, json: JSON.parse(text), text };
  }

  /** A body as a client writes it, made a request as the gateway makes it. */
  async body(rpc: string, body: object | string, caller: Caller, id?: number | string): Promise<Json> {
    return (await this.answer(rpc, body, caller, id)).json;
  }

  answer(rpc: string, body: object | string, caller: Caller, id?: number | string) {
    const parsed = parseBody(typeof body === 'string' ? body : JSON.stringify(body)) as Record<string, unknown>;
    const request = messageFromBody(service.methods[rpc]!.resolvedRequestType!, parsed);
    return this.call(rpc, id === undefined ? request : { ...request, id: String(id) }, caller);
  }

  /** A query string as a client writes it. */
  async query(rpc: string, query: string, caller: Caller): Promise<Json> {
    const request = messageFromQuery(service.methods[rpc]!.resolvedRequestType!, {}, new URLSearchParams(query));
    return (await this.call(rpc, request, caller)).json;
  }

  /** The Problem that refuses the call, as the gateway sees it. */
  async refusal(work: Promise<unknown>): Promise<{ status: number; error: string; errors?: Json; details?: string }> {
    const problem = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(problem instanceof Problem)) throw new Error('the call was not refused by a Problem', { cause: problem });
    const { errors, details } = problem.extra;
    return { status: problem.status, error: problem.message, ...(errors && { errors }), ...(details && { details }) };
  }

  list(query: string, caller: Caller): Promise<Json> {
    return this.query('ListProducts', query, caller);
  }

  async names(query: string, caller: Caller): Promise<string[]> {
    return (await this.list(query, caller)).products.map((product: Json) => product.name);
  }

  async product(product: object, caller: Caller): Promise<Json> {
    return (await this.body('CreateProduct', { product }, caller)).product;
  }

  async get(id: number, caller: Caller): Promise<Json> {
    return (await this.call('GetProduct', { id: String(id) }, caller)).json.product;
  }

  async category(category: object, caller: Caller): Promise<Json> {
    return (await this.body('CreateCategory', { category }, caller)).category;
  }

  async brand(name: string, caller: Caller): Promise<Json> {
    return (await this.body('CreateBrand', { brand: { name } }, caller)).brand;
  }

  async stock(storeId: number, levels: { product_id: number; stock: string; version: number }[]): Promise<number> {
    return (await this.call('ApplyStock', { levels }, keyOf(storeId))).json.applied;
  }

  /** Events of a store in the order of their rows. */
  async events(storeId: number): Promise<OutboxRow[]> {
    const rows = await this.db.read<{ name: string; aggregate: string; public: Buffer | null; internal: { audit?: AuditRecord } | null }>(
      'events_of',
      'select name, aggregate, public, internal from catalog.outbox where store_id = $1 order by id',
      [storeId],
    );
    return rows.map(({ name, aggregate, public: bytes, internal }) => {
      const text = bytes?.toString() ?? null;
      return { name, aggregate, text, body: text === null ? null : JSON.parse(text), audit: internal?.audit };
    });
  }

  /** The events that `work` emitted. */
  async eventsOf(storeId: number, work: () => Promise<unknown>): Promise<OutboxRow[]> {
    const before = (await this.events(storeId)).length;
    await work();
    return (await this.events(storeId)).slice(before);
  }

  /** How many SQL statements `work` ran. */
  async statementsOf(work: () => Promise<unknown>): Promise<number> {
    let count = 0;
    statements.count = () => {
      count += 1;
    };
    try {
      await work();
    } finally {
      statements.count = undefined;
    }
    return count;
  }

  run<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.db.unit(0, (em) => sql<Row>(em, text, values));
  }
}
