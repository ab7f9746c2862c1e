/** A service's database: one MikroORM per process and schema, a fork per unit of work. */
import { setTimeout as wait } from 'node:timers/promises';
import { type EntitySchema, MikroORM, type Options } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inBackground, presentAsker } from '@store/shares/asker';
import type pg from 'pg';
import { keptPlacement, type Placement } from './citus.ts';
import { type Clock, ServerClock } from './clock.ts';
import { leaveReferencesToSchema } from './columns.ts';
import { currentBound, demandWithin } from './pg/bounded-reads.ts';
import { columnTypes } from './pg/column-types.ts';
import { Connections, type PoolState } from './pg/connections.ts';
import { guarded, isContention, isStalePlan, withFreshPlan } from './pg/database-errors.ts';
import { dropIdleWhenSilent, Session, sessionConfig } from './pg/session.ts';
import { ShortReads } from './pg/short-reads.ts';
import { prepared, type Query } from './pg/statement.ts';
import { StoreDriver } from './pg/store-driver.ts';
import { Transaction } from './pg/transaction.ts';

export interface DbOptions {
  url: string;
  schema: string;
  entities: EntitySchema[] | Options['entities'];
  /** `url` leads through a pooler. */
  isPooled?: boolean;
  poolMax?: number;
  /** Injected in tests; otherwise PostgreSQL's own time. */
  clock?: Clock;
}

export interface ReadOptions {
  /** For a statement of well under a millisecond: those that are asked in one moment share a connection. */
  short?: boolean;
}

/** Runs one prepared statement outside any transaction: a text with `$1`, or a typed query, which brings its values. */
export type Read = <Row>(query: Query<Row>, values?: readonly unknown[], options?: ReadOptions) => Promise<Row[]>;

export interface Db {
  clock: Clock;
  schema: string;
  url: string;
  /** How far the pool is used, for the metrics. */
  pool: PoolState;
  /** One transaction bound to one store, on kept plans; a deadlock or a serialisation failure runs it again. */
  unit<T>(storeId: number, work: (em: EntityManager) => Promise<T>): Promise<T>;
  read: Read;
  /** May be some seconds old. */
  placement(): Promise<Placement>;
  /** Throws unless PostgreSQL answers through the pool. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const poolMaxDefault = 10;
const triesMax = 4;
/** After the first try; three times as long after the third. */
const againWithinMs = 50;

export async function openDb(options: DbOptions): Promise<Db> {
  const poolMax = options.poolMax ?? poolMaxDefault;
  const orm = await MikroORM.init({
    driver: StoreDriver,
    // One statement per record: a batch would go by primary keys alone.
    useBatchUpdates: false,
    clientUrl: options.url,
    schema: options.schema,
    entities: options.entities as NonNullable<Options['entities']>,
    discovery: { warnWhenNoEntities: false, afterDiscovered: leaveReferencesToSchema },
    pool: { min: 0, max: poolMax, idleTimeoutMillis: 30_000 },
    driverOptions: {
      ...sessionConfig({ url: options.url, applicationName: `store-${options.schema}`, isPooled: options.isPooled ?? false }),
      Client: Session,
      // A unit's first statement is sent with its begin.
      pipeline: true,
      ...(hasEntities(options.entities) && { types: columnTypes() }),
    },
    filters: { store: { cond: (args: Record<string, unknown>) => ({ storeId: args.storeId }), default: true, entity: ofStores(options) } },
    // A row that is loaded is of the store already; what it refers to is not joined to be asked again.
    autoJoinRefsForFilters: false,
    debug: false,
    logger: () => undefined,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as unknown as pg.Pool;
  dropIdleWhenSilent(pool);
  const clock = options.clock ?? (await ServerClock.start(async () => Number((await pool.query(nowMs)).rows[0].ms)));
  const connections = new Connections(pool, poolMax);
  const read = reader(connections);
  const placement = keptPlacement(read, options.schema);
  const opened: Opened = { orm, connections, placement };
  return {
    clock,
    schema: options.schema,
    url: options.url,
    pool: connections,
    unit: (storeId, work) => unit(opened, storeId, work),
    read,
    placement,
    ping: async () => {
      await guarded(async () => pool.query('select 1'));
    },
    close: async () => {
      if (!options.clock && clock instanceof ServerClock) clock.stop();
      await orm.close(true);
    },
  };
}

function reader(connections: Connections): Read {
  const shortReads = new ShortReads(connections);
  return async <Row>(query: Query<Row>, values?: readonly unknown[], { short = false }: ReadOptions = {}) => {
    const statement = { ...prepared(query, values), bound: currentBound() };
    const ask = async () => {
      const found = short ? await shortReads.ask(statement) : undefined;
      return (found ?? (await connections.read(statement))) as Row[];
    };
    return demandWithin(
      statement.bound,
      guarded(() => withFreshPlan(ask)),
    );
  };
}

function hasEntities(entities: DbOptions['entities']): boolean {
  return Array.isArray(entities) && entities.length > 0;
}

function ofStores({ entities }: DbOptions): string[] {
  const schemas = Array.isArray(entities) ? (entities as EntitySchema[]) : [];
  return schemas.filter(({ meta }) => 'storeId' in meta.properties).map(({ meta }) => meta.className);
}

const nowMs = 'select extract(epoch from clock_timestamp()) * 1000 as ms';

type Hook = () => void | Promise<void>;

const afterCommitHooks = new WeakMap<object, Hook[]>();
const afterRollbackHooks = new WeakMap<object, (() => void)[]>();

/** Runs `hook` once the transaction that `em` belongs to has committed; the unit ends after it, and it holds no connection. */
export function afterCommit(em: EntityManager, hook: Hook): void {
  const hooks = afterCommitHooks.get(em);
  if (!hooks) throw new Error('afterCommit needs the entity manager of a unit');
  hooks.push(hook);
}

/** Runs `hook` if the transaction that `em` belongs to does not commit, also where the unit runs again in another one. */
export function afterRollback(em: EntityManager, hook: () => void): void {
  const hooks = afterRollbackHooks.get(em);
  if (!hooks) throw new Error('afterRollback needs the entity manager of a unit');
  hooks.push(hook);
}

interface Opened {
  orm: MikroORM<StoreDriver>;
  connections: Connections;
  placement: Db['placement'];
  /** Asked by the first unit: it stays so while the process runs. */
  isCitus?: boolean;
}

async function unit<T>(opened: Opened, storeId: number, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const hooks: Hook[] = [];
    let result: T;
    try {
      const once = () => {
        hooks.length = 0;
        return committed(opened, storeId, hooks, work);
      };
      result = await guarded(() => withFreshPlan(once));
    } catch (error) {
      if (attempt >= triesMax || !isContention(error)) throw error;
      // Those that met would meet again.
      await wait(Math.random() * attempt * againWithinMs);
      continue;
    }
    // Hooks run even when the asker is gone: the change is committed.
    for (const hook of hooks) await inBackground(hook);
    return result;
  }
}

/** Runs `work` and flushes its entities in one transaction. */
async function committed<T>(opened: Opened, storeId: number, hooks: Hook[], work: (em: EntityManager) => Promise<T>): Promise<T> {
  opened.isCitus ??= (await opened.placement()) !== 'server';
  const connection = await opened.connections.take();
  const transaction = new Transaction(connection, storeId, { isCitus: opened.isCitus });
  const forget = presentAsker()?.whenGone(() => transaction.abandon());
  const undo: (() => void)[] = [];
  let isUsable = true;
  try {
    const em = opened.orm.em.fork();
    em.setFilterParams('store', { storeId });
    em.setTransactionContext(transaction.context);
    afterCommitHooks.set(em, hooks);
    afterRollbackHooks.set(em, undo);
    const result = await work(em);
    await em.flush();
    await transaction.commit();
    return result;
  } catch (error) {
    const failed = await transaction.rollback(error);
    for (const hook of undo) hook();
    isUsable = failed.isUsable && !isStalePlan(failed.cause);
    throw failed.cause;
  } finally {
    forget?.();
    connection.release(isUsable);
  }
}
