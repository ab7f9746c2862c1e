/**
 * Distributes a schema's tables by store, where PostgreSQL is the coordinator of a Citus cluster: all rows of a store lie on one worker.
 * Run again it goes on where it stopped, and takes the tables that later migrations added.
 */
import pg from 'pg';
import { askOf, askPlacement, CannotDistribute, onCoordinator } from './citus.ts';
import { placeOf } from './distribute.ts';
import { beginKeysWithStore, clearByStatement, type StoreTable } from './keys-by-store.ts';
import { inTransaction, lockWrites, retried } from './short-locks.ts';
import type { Ask } from './sql.ts';

interface ByStore {
  /** Tables that were not distributed before. */
  added: number;
  /** Tables that are. */
  tables: number;
  /** Parts of each table. */
  shards: number;
  workers: number;
}

/** `shards`: parts of each table, of the first time; at most so many workers can have a part each. */
export function distributeByStore(url: string, schema: string, shards = 32): Promise<ByStore> {
  return onCoordinator(url, schema, async (client) => {
    const place = await placeOf(client, schema);
    if (place)
      throw new CannotDistribute(`The schema ${schema} lies on ${place} as a whole, and its tables cannot be distributed by store`);
    const open = (await tablesOfStores(askOf(client), schema)).filter(({ isDistributed }) => !isDistributed);
    await demandStoresInInbox(client, schema, open);
    if (open.length > 0) {
      await beginKeysWithStore(client, schema, open);
      await clearByStatement(client, schema);
      await retried(() => distribute(client, schema, shards));
    }
    await dropCopied(client, schema);
    return { added: open.length, ...(await shape(client, schema)) };
  });
}

/**
 * Distributes the tables that migrations added to a schema whose others are distributed: until then a statement that joins them with those
 * is refused. Says whether there were any.
 */
export async function distributeAdded(ask: Ask, url: string, schema: string): Promise<boolean> {
  if ((await askPlacement(ask, schema)) !== 'stores') return false;
  if ((await tablesOfStores(ask, schema)).every(({ isDistributed }) => isDistributed)) return false;
  await distributeByStore(url, schema);
  return true;
}

/** An event whose store is not known would be handled again, were it sent again. */
async function demandStoresInInbox(client: pg.Client, schema: string, open: StoreTable[]): Promise<void> {
  if (!open.some(({ table }) => table === 'inbox')) return;
  const inbox = `${pg.escapeIdentifier(schema)}.inbox`;
  const { rows } = await client.query<{ last: string | null }>(
    `select max(received_at)::date::text as last from ${inbox} where store_id = 0`,
  );
  const last = rows[0]!.last;
  if (last === null) return;
  throw new CannotDistribute(
    `${inbox} has events up to ${last} that the version before handled, without their store: distribute by store once they are forgotten, after twice EVENT_RETENTION_DAYS`,
  );
}

/** The tables with store_id, and the copy of stores, whose id it is; each after those that its foreign keys name. */
async function tablesOfStores(ask: Ask, schema: string): Promise<StoreTable[]> {
  const found = await ask<StoreTable & { names: string[] }>(
    `select c.relname as table, case c.relname when 'stores' then 'id' else 'store_id' end as column,
       exists (select from pg_dist_partition where logicalrelid = c.oid) as "isDistributed",
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as names
     from pg_class c where c.relkind = 'r' and c.relnamespace = $1::text::regnamespace
       and (c.relname = 'stores' or exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id' and not attisdropped))
     order by c.relname`,
    [pg.escapeIdentifier(schema)],
  );
  return afterNamed(found);
}

/** The tables in an order in which each comes after those that its foreign keys name. */
export function afterNamed<Table extends { table: string; names: string[] }>(tables: Table[]): Table[] {
  const placed: Table[] = [];
  const isPlaced = (name: string) => placed.some(({ table }) => table === name);
  while (placed.length < tables.length) {
    const left = tables.filter(({ table }) => !isPlaced(table));
    const next = left.filter(({ names }) => names.every(isPlaced));
    if (next.length === 0)
      throw new CannotDistribute(
        `Foreign keys of ${left.map(({ table }) => table).join(', ')} lead to a table without store_id, or in a circle`,
      );
    placed.push(...next);
  }
  return placed;
}

/** All at once: a statement over a distributed table and a local one is refused or slow. Reads go on, and writes wait for the end. */
async function distribute(client: pg.Client, schema: string, shards: number): Promise<void> {
  await inTransaction(client, async () => {
    const all = await tablesOfStores(askOf(client), schema);
    const named = (table: string) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    const open = all.filter(({ isDistributed }) => !isDistributed);
    // Another run was quicker.
    if (open.length === 0) return;
    await lockWrites(
      client,
      open.map(({ table }) => named(table)),
    );
    // A process of the version before may have handled an event since the first look.
    await demandStoresInInbox(client, schema, open);
    let beside = all.find(({ isDistributed }) => isDistributed)?.table;
    for (const { table, column } of open) {
      const [where, value] = beside === undefined ? ['shard_count', shards] : ['colocate_with', named(beside)];
      const alone = beside === undefined ? `, colocate_with => 'none'` : '';
      await client.query(`select create_distributed_table($1, $2${alone}, ${where} => $3)`, [named(table), column, value]);
      beside ??= table;
    }
  });
}

/** The rows that were copied to the workers stay on the coordinator, unseen, until this. */
async function dropCopied(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition join pg_class c on c.oid = logicalrelid
     where c.relnamespace = $1::text::regnamespace and partmethod = 'h' and pg_relation_size(c.oid) > 0`,
    [pg.escapeIdentifier(schema)],
  );
  for (const { name } of rows) {
    await retried(() =>
      inTransaction(client, async () => void (await client.query('select truncate_local_data_after_distributing_table($1)', [name]))),
    );
  }
}

async function shape(client: pg.Client, schema: string): Promise<Pick<ByStore, 'tables' | 'shards' | 'workers'>> {
  const { rows } = await client.query<Pick<ByStore, 'tables' | 'shards' | 'workers'>>(
    `select count(distinct table_name)::int as tables, (count(*) / count(distinct table_name))::int as shards,
       count(distinct (nodename, nodeport))::int as workers
     from citus_shards join pg_class c on c.oid = table_name where c.relnamespace = $1::text::regnamespace`,
    [pg.escapeIdentifier(schema)],
  );
  return rows[0]!;
}
