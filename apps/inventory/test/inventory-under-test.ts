/** Inventory behind its real door over a real database; only catalog is a fake. */
import { messageFromBody, messageFromQuery, messageType, parseBody, renderMessage } from '@store/contract';
import { type Db, type EntityManager, migrate, openDb, SetClock, statements } from '@store/db';
import { Problem } from '@store/problem';
import type { ApplyStockRequest } from '@store/protos/catalog/v1/ApplyStockRequest.ts';
import { type Caller, connect, encodeStanding, send, serve } from '@store/rpc';
import { testCaller, testDatabase, testTrust } from '@store/testbed';
import type { CatalogRpcs } from '../src/inventory.ts';
import { migrations } from '../src/migrations/all.ts';
import { inventoryVerbs } from '../src/rpc.ts';

/** Connections that the service under test opens at most. */
export const poolMax = 20;

export interface FakeProduct {
  storeId: number;
  name: string;
  sku?: string;
  productType?: string;
  hasVariations?: boolean;
  price?: string;
}

/** A catalogue in memory: as much of it as inventory asks for. */
export class FakeCatalog implements CatalogRpcs {
  readonly products = new Map<number, FakeProduct>();
  /** What inventory handed over, in order. */
  readonly applied: ApplyStockRequest[] = [];
  asked = 0;
  isDown = false;
  /** Answers wait for it. */
  answers: Promise<void> = Promise.resolve();
  isDeaf = false;

  async GetStockProducts(
    { ids = [] }: Parameters<CatalogRpcs['GetStockProducts']>[0],
    { caller }: { caller: Caller },
  ): ReturnType<CatalogRpcs['GetStockProducts']> {
    this.asked += 1;
    if (this.isDown) throw new Error('catalog is down');
    await this.answers;
    const products = ids.flatMap((wanted) => {
      const id = Number(wanted);
      const product = this.products.get(id);
      if (product?.storeId !== caller.storeId) return [];
      return [
        {
          id: String(id),
          name: product.name,
          ...(product.sku && { sku: product.sku }),
          product_type: product.productType ?? 'simple',
          has_variations: product.hasVariations ?? false,
          price: product.price ?? '1.00',
        },
      ];
    });
    return { products };
  }

  async ApplyStock(request: ApplyStockRequest): ReturnType<CatalogRpcs['ApplyStock']> {
    if (this.isDeaf) throw new Error('catalog does not listen');
    this.applied.push(request);
    return { applied: request.levels?.length ?? 0 };
  }

  async SetPrice(
    { product_ids = [], price = '' }: Parameters<CatalogRpcs['SetPrice']>[0],
    { caller }: { caller: Caller },
  ): ReturnType<CatalogRpcs['SetPrice']> {
    const changes = product_ids.flatMap((wanted) => {
      const product = this.products.get(Number(wanted));
      if (product?.storeId !== caller.storeId) return [];
      const old = product.price ?? '1.00';
      product.price = price;
      return [{ product_id: String(wanted), old_price: old, new_price: price }];
    });
    return { changes };
  }
}

/** A key of the store, which has no features; `asStaff` is a manager of it. */
export function callerOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ storeId, timeZone: 'America/Toronto', features: new Set(), ...changes });
}

export function asStaff(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return callerOf(storeId, {
    actor: { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' },
    ...changes,
  });
}

export interface OutboxRow {
  name: string;
  aggregate: string;
  body: { resource_type: string; resource_id: number; event: string; data: Record<string, unknown> } | null;
  internal: { stock?: { product_id: number; stock: string; version: number }; audit?: { action: string; before: unknown; after: unknown } };
}

/** A ledger row as a client reads it; POST answers with part of it. */
export interface AdjustmentJson {
  id: number;
  product_id: number;
  adjustment_type: string;
  quantity_change: number;
  quantity_before: number;
  quantity_after: number;
  notes: string | null;
  user: { id: number; name: string } | null;
  approved_by: { id: number; name: string } | null;
  warehouse_location: { id: number; name: string } | null;
  created_at: string;
}

export interface LocationJson {
  id: number;
  name: string;
  kind: string;
}

export interface ListJson {
  stock_adjustments: AdjustmentJson[];
  pagination: { current_page: number; per_page: number; total_count: number; total_pages: number };
}

export interface ReconciliationJson {
  stock_reconciliation: { id: number; notes: string | null; stock_adjustments: AdjustmentJson[]; created_at: string };
}

/** What a refused request was answered; a request that was not refused fails the test. */
export async function refused(answer: Promise<unknown>): Promise<Problem> {
  const outcome = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw new Error('the request was not refused with a Problem', { cause: outcome });
}

export class InventoryUnderTest {
  readonly db: Db;
  readonly catalog: FakeCatalog;
  readonly clock: SetClock;
  readonly errors: string[];
  /** Transactions that PostgreSQL ended for a deadlock and that ran again. */
  readonly reruns: { count: number };
  readonly #answer: (rpc: string, request: Record<string, unknown>, caller: Caller) => Promise<string>;
  readonly #stop: () => Promise<void>;

  constructor(
    parts: Pick<InventoryUnderTest, 'db' | 'catalog' | 'clock' | 'errors' | 'reruns'> & {
      answer: InventoryUnderTest['call'];
      stop: () => Promise<void>;
    },
  ) {
    this.db = parts.db;
    this.catalog = parts.catalog;
    this.clock = parts.clock;
    this.errors = parts.errors;
    this.reruns = parts.reruns;
    this.#answer = parts.answer;
    this.#stop = parts.stop;
  }

  static async start(): Promise<InventoryUnderTest> {
    const database = await testDatabase('inventory', (url) => migrate({ url, schema: 'inventory', migrations }));
    const clock = new SetClock('2026-11-20T12:00:00.000Z');
    const opened = await openDb({ url: database.url, schema: 'inventory', entities: [], clock, poolMax });
    const reruns = { count: 0 };
    const db: Db = { ...opened, unit: (storeId, work, deadline) => opened.unit(storeId, countingReruns(reruns, work), deadline) };
    const catalog = new FakeCatalog();
    const errors: string[] = [];
    const log = { error: (_fields: object, message: string) => void errors.push(message) };
    const verbs = inventoryVerbs({ db, outbox: { db, wake: () => undefined }, catalog, log });
    const server = await serve({ 'store.inventory.v1.Inventory': verbs }, { listen: '127.0.0.1:0', trust: testTrust(clock), log });
    const channel = connect(server.address, testTrust(clock));
    const answer: InventoryUnderTest['call'] = async (rpc, request, caller) => {
      const from = { standing: encodeStanding(caller), request: caller };
      const method = service.methods[rpc]!;
      const bytes = Buffer.from(method.resolvedRequestType!.encode(request).finish());
      const reply = await send(channel, `/store.inventory.v1.Inventory/${rpc}`, bytes, from, Date.now() + 30_000);
      return renderMessage(method.resolvedResponseType!, reply.bytes, () => false);
    };
    const stop = async () => {
      channel.close();
      await server.stop();
      await db.close();
      await database.close();
    };
    return new InventoryUnderTest({ db, catalog, clock, errors, reruns, answer, stop });
  }

  /** Sends a request and gives the answer's JSON text. */
  call(rpc: string, request: Record<string, unknown>, caller: Caller): Promise<string> {
    return this.#answer(rpc, request, caller);
  }

  /** A body as a client writes it, made a request as the gateway makes it. */
  async body<Answer>(rpc: string, body: object | string, caller: Caller, path: Record<string, string> = {}): Promise<Answer> {
    const parsed = parseBody(typeof body === 'string' ? body : JSON.stringify(body)) as Record<string, unknown>;
    const request = { ...messageFromBody(service.methods[rpc]!.resolvedRequestType!, parsed), ...path };
    return JSON.parse(await this.call(rpc, request, caller)) as Answer;
  }

  /** A query string as a client writes it. */
  async query<Answer>(rpc: string, query: string, caller: Caller): Promise<Answer> {
    const request = messageFromQuery(service.methods[rpc]!.resolvedRequestType!, {}, new URLSearchParams(query));
    return JSON.parse(await this.call(rpc, request, caller)) as Answer;
  }

  adjust(body: object | string, caller: Caller): Promise<{ stock_adjustment: AdjustmentJson }> {
    return this.body('CreateStockAdjustment', body, caller);
  }

  bulk(body: object | string, caller: Caller): Promise<object> {
    return this.body('BulkUpdateProducts', body, caller);
  }

  list(query: string, caller: Caller): Promise<ListJson> {
    return this.query('ListStockAdjustments', query, caller);
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

  async stockOf(storeId: number, productId: number): Promise<number> {
    const [item] = await this.db.read<{ quantity: string }>(
      'stock_of',
      'select quantity from inventory.stock_items where store_id = $1 and product_id = $2',
      [storeId, productId],
    );
    return Number(item?.quantity ?? 0);
  }

  /** Events of a store in the order of their rows. */
  async events(storeId: number): Promise<OutboxRow[]> {
    const rows = await this.db.read<{ name: string; aggregate: string; public: Buffer | null; internal: OutboxRow['internal'] }>(
      'events_of',
      'select name, aggregate, public, internal from inventory.outbox where store_id = $1 order by id',
      [storeId],
    );
    return rows.map(({ public: bytes, ...row }) => ({ ...row, body: bytes === null ? null : JSON.parse(bytes.toString()) }));
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

const service = messageType('store.inventory.v1.StockAdjustment').root.lookupService('store.inventory.v1.Inventory');

/** libs/db runs a transaction again only after a deadlock or a serialisation failure. */
function countingReruns<T>(reruns: { count: number }, work: (em: EntityManager) => Promise<T>): (em: EntityManager) => Promise<T> {
  let runs = 0;
  return (em) => {
    runs += 1;
    if (runs > 1) reruns.count += 1;
    return work(em);
  };
}
