/**
 * An app (NEXT_VERSION_OF) as its next version could be: its migrations give each table a column more and each decimal more digits, and
 * build an index on a table that requests use. Its code is that of this version.
 */
import type { Constructor } from '@mikro-orm/core';
import { Migration } from '@mikro-orm/migrations';
import { type AppName, appNames } from '@store/contract';
import { buildIndexes } from '@store/db';
import { run, type ServiceDeclaration } from '@store/service';

const app = appNames.find((name) => name === process.env.NEXT_VERSION_OF);
if (!app) throw new Error('NEXT_VERSION_OF names no app');

/** Each its own migration, as each waits for a lock of its own. */
function widen(table: string): Constructor<Migration> {
  return class extends Migration {
    override up(): void {
      this.addSql(`
        do $$
        declare
          changes text := 'add column next_note text';
          one record;
        begin
          for one in select column_name as name, numeric_precision as digits, numeric_scale as scale from information_schema.columns
            where table_schema = '${app}' and table_name = '${table}' and data_type = 'numeric' and numeric_precision is not null
          loop
            changes := changes || format(', alter column %I type numeric(%s, %s)', one.name, one.digits + 4, one.scale);
          end loop;
          execute 'alter table ${app}.${table} ' || changes;
        end $$`);
    }
  };
}

/** A table of each that requests use. */
const indexed: Partial<Record<AppName, string>> = {
  catalog: 'products (store_id, next_note, id)',
  inventory: 'stock_adjustments (store_id, next_note, id)',
  sales: 'sales (store_id, next_note, id)',
};

const { entities } = (await import(`@store/${app}/tables`)) as { entities: { meta: { tableName: string } }[] };
const own = ((await import(`@store/${app}`)) as Record<string, ServiceDeclaration<object>>)[app]!;
const tables = [...entities.map(({ meta }) => meta.tableName), 'outbox', 'inbox', 'idempotency'];
const widened: Record<string, Constructor<Migration>> = Object.fromEntries(tables.map((table) => [`90-next-${table}`, widen(table)]));
if (indexed[app]) widened['91-next-index'] = buildIndexes(`create index concurrently if not exists next_${app} on ${app}.${indexed[app]}`);

await run({ ...own, migrations: { ...own.migrations, ...widened } });
