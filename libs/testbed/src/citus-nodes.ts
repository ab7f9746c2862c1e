/**
 * Where TEST_DATABASE_URL names the coordinator of a Citus cluster, a test's database is one on each of its servers, and every schema
 * in it is distributed. So any suite can be run there.
 */
import { distributeSchema } from '@store/db';
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

export async function distributeAll(url: string, schemas: readonly string[]): Promise<void> {
  const there = await ask<{ schema: string }>(url, 'select nspname as schema from pg_namespace where nspname = any ($1)', [schemas]);
  for (const { schema } of there) await distributeSchema(url, schema);
}
