/** Gives a schema a machine of its own, where PostgreSQL is the coordinator of a Citus cluster: its tables then lie together on one worker. */
import pg from 'pg';
import { askOf, askPlacement, CannotDistribute, onCoordinator } from './citus.ts';

interface Distributed {
  /** It was not before. */
  isNew: boolean;
  /** Host and port of the worker that has it. */
  place: string;
}

/** Distributes the schema unless it is distributed; processes may use it meanwhile. */
export function distributeSchema(url: string, schema: string): Promise<Distributed> {
  return onCoordinator(url, schema, async (client) => {
    const before = await placeOf(client, schema);
    if (before) return { isNew: false, place: before };
    if ((await askPlacement(askOf(client), schema)) === 'stores')
      throw new CannotDistribute(`The tables of ${schema} are distributed by store`);
    await client.query('select citus_schema_distribute($1::text::regnamespace)', [pg.escapeIdentifier(schema)]);
    return { isNew: true, place: (await placeOf(client, schema))! };
  });
}

/** The worker that has the whole schema, where one has. */
export async function placeOf(client: pg.Client, schema: string): Promise<string | undefined> {
  const { rows } = await client.query<{ place: string }>(
    `select distinct s.nodename || ':' || s.nodeport as place from citus_schemas c
       join citus_shards s on s.colocation_id = c.colocation_id where c.schema_name = $1::text::regnamespace`,
    [pg.escapeIdentifier(schema)],
  );
  return rows[0]?.place;
}
