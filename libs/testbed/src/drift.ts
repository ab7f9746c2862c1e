/** Whether a schema's tables are what its entities declare. */
import { type EntitySchema, MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';

/** Indexes that only processes of the release before need. */
const forRelease = /^drop index (?:"\w+"\.)?"earlier_\w+";$/gm;

/**
 * The statements that would bring the migrated schema to what the entities declare; empty when they agree. Triggers and
 * functions are declared in migrations only and are not compared.
 */
export async function schemaDrift({ url, schema, entities }: { url: string; schema: string; entities: EntitySchema[] }): Promise<string> {
  const orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl: url,
    schema,
    entities,
    pool: { min: 0, max: 1 },
    logger: () => undefined,
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true, skipTables: ['migrations', `${schema}.migrations`] },
  });
  try {
    const statements = await orm.schema.getUpdateSchemaSQL({ dropTables: true });
    return statements.replace("set names 'utf8';", '').replace(forRelease, '').trim();
  } finally {
    await orm.close(true);
  }
}
