/** What the commands that distribute a schema, and the processes that use it, ask a Citus cluster. */
import { inBackground } from '@store/shares/asker';
import pg from 'pg';
import { closeSession, newSession } from './pg/session.ts';
import type { Ask } from './sql.ts';

/** A sentence for the operator. */
export class CannotDistribute extends Error {}

/**
 * `server`: one PostgreSQL. `schemas`: a Citus cluster, where this schema lies on one server as a whole. `stores`: a Citus cluster, over
 * whose workers this schema's tables are distributed by store.
 */
export type Placement = 'server' | 'schemas' | 'stores';

/** What is asked over a session. */
export const askOf =
  (client: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }): Ask =>
  async <Row>(text: string, values: unknown[]) =>
    (await client.query(text, values)).rows as Row[];

/** What PostgreSQL says of the schema at this moment. */
export async function askPlacement(ask: Ask, schema: string): Promise<Placement> {
  const [server] = await ask<{ citus: boolean }>(`select exists (select from pg_extension where extname = 'citus') as citus`, []);
  if (!server!.citus) return 'server';
  const [found] = await ask<{ stores: boolean }>(
    `select exists (select from pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h') as stores`,
    [`${schema}.outbox`],
  );
  return found!.stores ? 'stores' : 'schemas';
}

/** Until a process asks again, a consumer's batch is one transaction over several workers: Citus may refuse it, and Kafka delivers it again. */
const askAgainAfterMs = 5_000;

/** The placement as it was last asked. Only `schemas` is asked again: such a schema may be distributed while processes use it. */
export function keptPlacement(ask: Ask, schema: string): () => Promise<Placement> {
  let asked: Promise<Placement> | undefined;
  const forget = () => {
    asked = undefined;
  };
  return () => {
    asked ??= inBackground(() => askPlacement(ask, schema)).then(
      (found) => {
        if (found === 'schemas') setTimeout(forget, askAgainAfterMs).unref();
        return found;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return asked;
  };
}

/** Works over a session with the coordinator on a schema that is there, without what only processes of the release before need. */
export async function onCoordinator<T>(url: string, schema: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // Copying a large schema takes as long as it needs.
  const client = newSession({ url, applicationName: `store-${schema}-distribute`, queryTimeoutMs: 0 });
  await client.connect();
  try {
    await demandCitus(client, schema);
    await dropEarlierTriggers(client, schema);
    return await work(client);
  } finally {
    await closeSession(client);
  }
}

async function demandCitus(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ citus: boolean; there: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as citus, exists (select from pg_namespace where nspname = $1) as there`,
    [schema],
  );
  if (!rows[0]!.citus) throw new CannotDistribute('This PostgreSQL is no Citus: its database lacks the extension citus');
  if (!rows[0]!.there) throw new CannotDistribute(`There is no schema ${schema} in this database yet: run migrate first`);
}

/** Citus distributes no table with a trigger. */
async function dropEarlierTriggers(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as change from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = $1::text::regnamespace and not t.tgisinternal and starts_with(t.tgname, 'earlier_')`,
    [pg.escapeIdentifier(schema)],
  );
  for (const { change } of rows) await client.query(change);
}
