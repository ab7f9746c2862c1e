/** Gives a schema a machine of its own, where PostgreSQL is the coordinator of a Citus cluster: its tables then lie together on one worker. */
import pg from 'pg';
import { closeSession, newSession } from './pg/session.ts';

/** A sentence for the operator. */
export class CannotDistribute extends Error {}

interface Distributed {
  /** It was not before. */
  isNew: boolean;
  /** Host and port of the worker that has it. */
  place: string;
}

/** Distributes the schema unless it is distributed; processes may use it meanwhile. */
export async function distributeSchema(url: string, schema: string): Promise<Distributed> {
  // Copying a large schema takes as long as it needs.
  const client = newSession({ url, applicationName: `store-${schema}-distribute`, queryTimeoutMs: 0 });
  await client.connect();
  try {
    await demandCitus(client, schema);
    const before = await placeOf(client, schema);
    if (before) return { isNew: false, place: before };
    await dropEarlierTriggers(client, schema);
    await client.query('select citus_schema_distribute($1::text::regnamespace)', [pg.escapeIdentifier(schema)]);
    return { isNew: true, place: (await placeOf(client, schema))! };
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

async function placeOf(client: pg.Client, schema: string): Promise<string | undefined> {
  const { rows } = await client.query<{ place: string }>(
    `select distinct s.nodename || ':' || s.nodeport as place from citus_schemas c
       join citus_shards s on s.colocation_id = c.colocation_id where c.schema_name = $1::text::regnamespace`,
    [pg.escapeIdentifier(schema)],
  );
  return rows[0]?.place;
}

/** Those that only processes of the release before need: Citus distributes no table with a trigger. */
async function dropEarlierTriggers(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as change from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = $1::text::regnamespace and not t.tgisinternal and starts_with(t.tgname, 'earlier_')`,
    [pg.escapeIdentifier(schema)],
  );
  for (const { change } of rows) await client.query(change);
}
