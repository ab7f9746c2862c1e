/** A store's rows can be moved, and its table distributed over machines, by store_id. */
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { ask } from '@store/testbed/with-client';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { tryForeignKeys } from './foreign-keys.ts';
import { readTables } from './tables.ts';

/** The first run makes the schemas of seven apps. */
const madeWithinMs = 120_000;
const parent = 'the row that it names belongs to one store, and so do all that name it';
const cleanup = 'deletes what is old, of every store at once';
const queue = 'work of every store, taken in turn';
const before = 'looked up before the store is known';
const event = 'an event has one id everywhere, and is kept once';

/** Indexes of a store's table that begin with another column, and why; each must exist. */
const exceptions: Record<string, string> = {
  categories_parent: parent,
  products_brand: parent,
  products_parent: parent,
  attempts_created_at: cleanup,
  deliveries_created_at: cleanup,
  events_created_at: cleanup,
  notices_created_at: cleanup,
  key_usage_minute: cleanup,
  requests_created_at: cleanup,
  subscription_secrets_retired: cleanup,
  subscriptions_deleted: cleanup,
  gift_cards_due: queue,
  promotions_to_start: queue,
  promotions_to_end: queue,
  promotions_put_off: queue,
  deliveries_due: queue,
  deliveries_first: queue,
  deliveries_held: queue,
  deliveries_leased: queue,
  audit_entries_event: event,
  inbox_pkey: event,
  inbox_received_at: cleanup,
  api_keys_hash_key: before,
  staff_users_email: before,
  staff_sessions_token_hash_key: before,
  staff_users_invite: before,
};

/** Their names: the next release drops them. */
const ofReleaseBefore = 'earlier_';

/** Tables whose key is an id alone: no row names theirs, and their rows are found by id over all stores, by the relay and by the sums' timer. */
const idAlone = ['category_totals', 'outbox', 'product_totals', 'running_totals', 'stock_adjustment_counts'];

interface Index {
  /** Schema and table. */
  table: string;
  name: string;
  isPrimary: boolean;
  /** In their order; an expression is empty. */
  columns: string[];
}

/** The indexes of tables that have store_id. */
async function indexesOfStores(url: string): Promise<Index[]> {
  const text = `
    select n.nspname || '.' || t.relname as "table", i.relname as name, x.indisprimary as "isPrimary",
      array(select coalesce(a.attname, '') from unnest(x.indkey::int[]) with ordinality k(number, place)
        left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by place)::text[] as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = any($1) and exists(select from pg_attribute a where a.attrelid = t.oid and a.attname = 'store_id' and not a.attisdropped)`;
  return ask<Index>(url, text, [appNames]);
}

test(
  'every key and index of a store’s table begins with store_id, or is exempt',
  async () => {
    const database = await migratedDatabase();
    const all = await indexesOfStores(database.url).finally(() => database.close());
    const indexes = all.filter(({ name }) => !name.startsWith(ofReleaseBefore));
    expect(indexes.length).toBeGreaterThan(100);
    const ids = indexes.filter(({ isPrimary, columns }) => isPrimary && columns.length === 1 && columns[0] === 'id');
    expect(ids.map(({ table }) => table).filter((table) => !idAlone.includes(table.split('.')[1]!))).toEqual([]);
    const others = indexes.filter((index) => !ids.includes(index) && index.columns[0] !== 'store_id').map(({ name }) => name);
    expect([...new Set(others)].sort()).toEqual(Object.keys(exceptions).sort());
  },
  madeWithinMs,
);

test(
  'D279: every foreign key refuses a row of another store',
  async () => {
    const database = await migratedDatabase();
    const tried = await tryForeignKeys(database.url, appNames).finally(() => database.close());
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.filter(({ own, other }) => own !== 'accepted' || other !== 'refused')).toEqual([]);
  },
  madeWithinMs,
);

/** Tables without store_id, and why. */
const beforeStore = 'counts attempts whose store is not known, or may not be told';
const ofNoStore: Record<string, string> = {
  '*.migrations': 'what was done to the schema',
  '*.dead_letters': 'messages that could not be handled, as they came, with the store inside; shown to operators alone',
  'webhooks.revoked_keys':
    'ids of keys of the gateway, which are of one store each: of those that have no subscription it is not known here',
  'gateway.login_guesses': beforeStore,
  'gateway.login_failures_by_account': beforeStore,
  'gateway.login_failures_by_ip': beforeStore,
  'gateway.backups': 'times of backups of the installation',
  'gateway.pepper_marks': 'marks of secrets of the installation',
};

test(
  'every table has store_id, or holds nothing of a store',
  async () => {
    const database = await migratedDatabase();
    const all = await readTables(database.url, appNames).finally(() => database.close());
    const found = new Set(
      all
        .filter(({ storeColumn }) => storeColumn === undefined)
        .map(({ name }) => name.replace(/^\w+\.(?=dead_letters$|migrations$)/, '*.')),
    );
    expect([...found].sort()).toEqual(Object.keys(ofNoStore).sort());
  },
  madeWithinMs,
);
