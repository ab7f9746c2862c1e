/**
 * Where TEST_DATABASE_URL names the coordinator of a Citus cluster, a test's database is one on each of its servers, and every schema
 * in it is distributed. So any suite can be run there. With TEST_CITUS=by-store the tables of stores are distributed by store, where the
 * app can be.
 */
import { appsByStore } from '@store/contract';
import { distributeByStore, distributeSchema } from '@store/db';
import { ask } from './with-client.ts';

/** The servers on which databases are made: the coordinator first, then its workers; of a plain PostgreSQL, itself. */
export async function serversOf(url: string): Promise<string[]> {
  if ((await ask(url, `select from pg_extension where extname = 'citus'`)).length === 0) return [url];
  const workers = await ask<{ name: string; port: number }>(
    url,
    'select node_name as name, node_port as port from citus_get_active_worker_nodes()',
  );
  const { hostname, port } = new URL(url);
  // The database that no node has joined.
  return [{ name: hostname, port }, ...workers].map(
    (node) => Object.assign(new URL(url), { hostname: node.name, port: node.port, pathname: '/postgres' }).href,
  );
}

/** Joins the new databases of the servers to a cluster: the first is the coordinator's. */
export async function joinNodes([coordinator, ...workers]: string[]): Promise<void> {
  for (const url of [coordinator!, ...workers]) await ask(url, 'create extension citus');
  const addressOf = (url: string) => [new URL(url).hostname, new URL(url).port];
  await ask(coordinator!, 'select citus_set_coordinator_host($1, $2)', addressOf(coordinator!));
  for (const url of workers) await ask(coordinator!, 'select citus_add_node($1, $2)', addressOf(url));
}

/** In the name of a template. */
export const formOfCluster = process.env.TEST_CITUS === 'by-store' ? 'stores' : 'schemas';
/** Two for each worker: a table of 32 shards takes as long to copy as 16 of these. */
const shards = 4;

export async function distributeAll(url: string, schemas: readonly string[]): Promise<void> {
  const there = await ask<{ schema: string }>(url, 'select nspname as schema from pg_namespace where nspname = any ($1)', [schemas]);
  for (const { schema } of there) {
    if (formOfCluster === 'stores' && (appsByStore as string[]).includes(schema)) await distributeByStore(url, schema, shards);
    else await distributeSchema(url, schema);
  }
}

/** Ids that a worker gives begin here. */
export const workersIds = 2 ** 48;

/**
 * Tables by store with an id that a worker gave: a later row may have a smaller one, so that lists and the relay would see them in another
 * order. Kept sums and counts are left out, as no order is read from their ids.
 */
export async function idsOfWorkers(url: string): Promise<string[]> {
  const tables = await ask<{ name: string }>(
    url,
    `select logicalrelid::text as name from pg_dist_partition join pg_attribute on attrelid = logicalrelid
     where partmethod = 'h' and attname = 'id' and atttypid = 'bigint'::regtype and logicalrelid::text !~ '_(totals|counts)$' order by 1`,
  );
  if (tables.length === 0) throw new Error('no table is distributed by store');
  const found: string[] = [];
  for (const { name } of tables)
    if ((await ask(url, `select from ${name} where id >= $1 limit 1`, [workersIds])).length > 0) found.push(name);
  return found;
}
