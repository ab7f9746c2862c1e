import { expect, test } from '@jest/globals';
import { lockWaits } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import { admin, db, shareDatabase, url } from '../test/database.ts';
import { buildIndexes, migrate, statements } from './migrate.ts';
import { storeColumns } from './store-columns.ts';
import { storeKeys } from './store-keys.ts';

const first = { '1-first': statements('create table shop.one (id int)') };
const second = { ...first, '2-second': statements('create table shop.two (id int)') };
const third = { ...second, '3-add-column': statements('alter table shop.one add column name text') };

shareDatabase('drop schema shop');

async function tables(): Promise<string[]> {
  const { rows } = await admin.query(`select tablename from pg_tables where schemaname = 'shop' order by 1`);
  return rows.map((row) => row.tablename as string);
}

test('processes that migrate at once all succeed, and each migration runs once', async () => {
  const options = { url, schema: 'shop', migrations: first };
  await Promise.all([migrate(options), migrate(options), migrate(options)]);
  expect(await tables()).toEqual(['migrations', 'one']);
});

test('a later migration runs on the existing schema, and a repetition changes nothing', async () => {
  const options = { url, schema: 'shop', migrations: second };
  await migrate(options);
  await migrate(options);
  expect(await tables()).toEqual(['migrations', 'one', 'two']);
});

test('a migration that fails leaves nothing and does not block the next one', async () => {
  const broken = statements('create table shop.three (id int)', 'select * from shop.nothing_of_the_kind');
  await expect(migrate({ url, schema: 'shop', migrations: { ...second, '3-broken': broken } })).rejects.toThrow();
  expect(await tables()).toEqual(['migrations', 'one', 'two']);
  await migrate({ url, schema: 'shop', migrations: second });
});

/** A connection that holds its locks in a transaction. */
async function inTransaction(statement: string) {
  const client = await openClient(url);
  await client.query('begin');
  await client.query(statement);
  return { commit: () => client.query('commit').then(() => client.end()) };
}

test('D278: a migration waits for a table in use without blocking its readers', async () => {
  const reader = await inTransaction('select * from shop.one');
  const said: string[] = [];
  const waits = { lockTimeoutMs: 50, againAfterMs: 10 };
  const migrated = migrate({ url, schema: 'shop', migrations: third, waits, say: (sentence) => said.push(sentence) });
  while (said.length < 3) await admin.query('select * from shop.one');
  await reader.commit();
  await migrated;
  const sentence = 'A migration of shop could not lock in time a table that others use; it is tried again';
  expect(new Set(said)).toEqual(new Set([sentence]));
  expect((await admin.query('select * from shop.one')).fields.map(({ name }) => name)).toEqual(['id', 'name']);
});

test('D278: an index is built beside writers; a build that was cut off is repeated', async () => {
  await admin.query('insert into shop.one (id) values (1), (1)');
  const building = buildIndexes('create unique index concurrently if not exists one_id on shop.one (id)');
  const options = { url, schema: 'shop', migrations: { ...third, '4-index': building } };
  await expect(migrate(options)).rejects.toThrow('could not create unique index');
  const isValid = async () =>
    (await admin.query("select indisvalid from pg_index where indexrelid = 'shop.one_id'::regclass")).rows[0].indisvalid;
  expect(await isValid()).toBe(false);
  await admin.query('delete from shop.one');
  const writer = await inTransaction('insert into shop.one (id) values (1)');
  const migrated = migrate(options);
  await lockWaits(db, 1);
  await writer.commit();
  await migrated;
  expect(await isValid()).toBe(true);
});

test('D279: keys change beside a transaction with both tables locked, and hold rows', async () => {
  const orders = statements(
    'create table shop.orders (id bigint generated always as identity primary key, store_id bigint not null)',
    'create table shop.lines (store_id bigint not null, order_id bigint not null references shop.orders (id))',
  );
  const before = { '1-orders': orders };
  const keys = { ...before, ...storeKeys('shop', 2, [{ table: 'orders', namedBy: [{ table: 'lines', column: 'order_id' }] }]) };
  await admin.query('drop schema shop cascade');
  await migrate({ url, schema: 'shop', migrations: before });
  await admin.query('insert into shop.orders (store_id) values (1), (2)');
  const writer = await inTransaction('insert into shop.lines values (1, 2)');
  const said: string[] = [];
  const waits = { lockTimeoutMs: 50, againAfterMs: 10 };
  const migrated = migrate({ url, schema: 'shop', migrations: keys, waits, say: (sentence) => said.push(sentence) });
  while (said.length < 2) await admin.query('select * from shop.orders join shop.lines on order_id = id');
  await writer.commit();
  // The line that the version before wrote names an order of another store.
  await expect(migrated).rejects.toThrow('violates foreign key constraint "lines_order_id_fkey"');
  await expect(admin.query('insert into shop.lines values (1, 2)')).rejects.toThrow('lines_order_id_fkey');
  await admin.query('delete from shop.lines');
  await migrate({ url, schema: 'shop', migrations: keys });
  await admin.query('insert into shop.lines values (2, 2)');
});

test('D279: a table gets store_id beside a version that writes rows without one', async () => {
  const links = statements(
    'create table shop.orders (id bigint primary key, store_id bigint not null)',
    'create table shop.links (order_id bigint not null, name text)',
    'create table shop.notes (id bigint generated always as identity primary key, order_id bigint not null)',
  );
  const before = { '1-links': links };
  const added = storeColumns('shop', 2, [
    { table: 'links', column: 'order_id', parent: 'orders' },
    { table: 'notes', column: 'order_id', parent: 'orders', byId: true },
  ]);
  const columns = { ...before, ...added };
  await admin.query('drop schema shop cascade');
  await migrate({ url, schema: 'shop', migrations: before });
  await admin.query('insert into shop.orders select n, n % 3 from generate_series(1, 1200) n');
  await admin.query(`insert into shop.links select n, 'stored' from generate_series(1, 1200) n`);
  await admin.query('insert into shop.notes (order_id) select 7 from generate_series(1, 1200) n');
  const ofNoOrder = 1_201;
  await admin.query(`insert into shop.links values ($1, 'stored')`, [ofNoOrder]);
  let isOver = false;
  const migrated = migrate({ url, schema: 'shop', migrations: columns }).finally(() => {
    isOver = true;
  });
  const write = (order: number) => admin.query(`insert into shop.links (order_id, name) values ($1, 'written')`, [order]);
  let written = 0;
  while (!isOver) await write(1 + (written++ % 1_200));
  await migrated;
  await migrate({ url, schema: 'shop', migrations: { ...columns, ...storeKeys('shop', 4, [{ table: 'orders' }]) } });
  const { rows: plan } = await admin.query('explain select store_id from shop.orders where id = 7');
  expect(JSON.stringify(plan)).toContain('earlier_orders_id');
  await write(++written % 1_200);
  await write(ofNoOrder);
  const { rows } = await admin.query(
    `select name, count(*)::int, count(*) filter (where l.store_id = o.store_id)::int as right
     from shop.links l left join shop.orders o on o.id = order_id group by name order by name`,
  );
  expect(rows).toEqual([
    { name: 'stored', count: 1_200, right: 1_200 },
    { name: 'written', count: written, right: written },
  ]);
  const { rows: notes } = await admin.query('select store_id::int as store, count(*)::int from shop.notes group by 1');
  expect(notes).toEqual([{ store: 1, count: 1_200 }]);
  for (const table of ['links', 'notes'])
    await expect(admin.query(`update shop.${table} set store_id = null`)).rejects.toThrow('null value');
});
