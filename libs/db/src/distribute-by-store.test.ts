/** Most of it where TEST_DATABASE_URL names the coordinator of a Citus cluster; elsewhere there is nothing to distribute. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@store/testbed/database';
import { isCluster } from '@store/testbed/one-server';
import { until } from '@store/testbed/until';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { CannotDistribute } from './citus.ts';
import { afterNamed, distributeByStore } from './distribute-by-store.ts';
import { migrate, statements } from './migrate.ts';

const onCitus = isCluster ? describe : describe.skip;
const withinMs = 120_000;
const shards = 4;
const products = 20_000;

const schema = `
  drop schema if exists shop cascade;
  create schema shop;
  create table shop.stores (id bigint primary key, time_zone text);
  create table shop.products (store_id bigint, id bigint generated always as identity, parent_id bigint, name text, primary key (store_id, id),
    foreign key (store_id, parent_id) references shop.products (store_id, id));
  create table shop.links (store_id bigint, product_id bigint, category_id bigint, primary key (store_id, product_id, category_id),
    foreign key (store_id, product_id) references shop.products (store_id, id) on delete cascade);
  create table shop.outbox (id bigint generated always as identity primary key, store_id bigint not null, name text);
  create table shop.inbox (event_id uuid primary key, received_at timestamptz default now(), store_id bigint not null default 0);
  create table shop.dead_letters (id bigint primary key);
  insert into shop.stores select s, 'UTC' from generate_series(1, 10) s;
  insert into shop.products (store_id, name) select 1 + n % 10, repeat('product ', 40) from generate_series(1, ${products}) n;
  insert into shop.links select store_id, id, 7 from shop.products;
  -- Each parent lies behind the rows that name it.
  update shop.products set parent_id = store_id - 1 where id > 10 and store_id > 1;
  update shop.products set name = 'parent' where id <= 10;
  insert into shop.outbox (store_id, name) select 1 + n % 10, 'e' from generate_series(1, 100) n;
  insert into shop.inbox (event_id, store_id) values (gen_random_uuid(), 3)`;

describe('the order of tables', () => {
  const named = (table: string, ...names: string[]) => ({ table, names });

  test('is each after those that its foreign keys name', () => {
    const tables = [named('lines', 'orders', 'products'), named('orders', 'stores'), named('products'), named('stores')];
    expect(afterNamed(tables).map(({ table }) => table)).toEqual(['products', 'stores', 'orders', 'lines']);
  });

  test.each([
    ['a table without store_id', [named('lines', 'kinds'), named('orders')]],
    ['a circle', [named('lines', 'parcels'), named('parcels', 'lines'), named('orders')]],
  ])('is refused where foreign keys lead to %s', (_name, tables) => {
    expect(() => afterNamed(tables)).toThrow(CannotDistribute);
    expect(() => afterNamed(tables)).toThrow(/Foreign keys of lines/);
  });
});

onCitus('distribute by store (skipped where TEST_DATABASE_URL names no Citus)', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await testDatabase('shop_by_store', async () => undefined, []);
    client = await openClient(database.url);
  }, withinMs);
  beforeEach(() => client.query(schema), withinMs);
  afterAll(async () => {
    await client.end();
    await database.close();
  });

  const number = async (text: string) => Number((await client.query({ text, rowMode: 'array' })).rows[0]![0]);
  const distribute = () => distributeByStore(database.url, 'shop', shards);

  test(
    'every row is on its store’s worker, keys begin with it, and foreign keys hold',
    async () => {
      expect(await distribute()).toEqual({ added: 5, tables: 5, shards, workers: 2 });
      expect(await number('select count(*) from shop.products')).toBe(products);
      expect(await number('select count(*) from shop.links l join shop.products p using (store_id) where p.id = l.product_id')).toBe(
        products,
      );
      expect(await number('select count(*) from shop.outbox')).toBe(100);
      expect(await number(`select pg_relation_size('shop.products')`)).toBe(0);
      expect(await number(`select count(distinct colocation_id) from citus_tables`)).toBe(1);
      await expect(client.query('insert into shop.links values (1, 1000000, 7)')).rejects.toMatchObject({ code: '23503' });
      const { rows } = await client.query(`insert into shop.outbox (store_id, name) values (1, 'next') returning id::int`);
      expect(rows).toEqual([{ id: 101 }]);
    },
    withinMs,
  );

  test(
    'run again it changes nothing, and takes a table that a migration added',
    async () => {
      await distribute();
      expect(await distribute()).toMatchObject({ added: 0, tables: 5 });
      await client.query(`create table shop.notes (store_id bigint, product_id bigint, text text, primary key (store_id, product_id),
        foreign key (store_id, product_id) references shop.products (store_id, id));
        insert into shop.notes select store_id, max(id), 'kept' from shop.products where store_id = 5 group by 1`);
      expect(await distribute()).toMatchObject({ added: 1, tables: 6 });
      expect(
        await number(`select count(*) from shop.notes n join shop.products p on p.store_id = n.store_id and p.id = n.product_id`),
      ).toBe(1);
    },
    withinMs,
  );

  test(
    'migrate distributes the table that a migration adds beside the others',
    async () => {
      await distribute();
      const migrations = {
        '1-notes': statements(`create table shop.notes (store_id bigint, product_id bigint, text text, primary key (store_id, product_id),
          foreign key (store_id, product_id) references shop.products (store_id, id))`),
      };
      const said: string[] = [];
      for (const _run of [1, 2]) await migrate({ url: database.url, schema: 'shop', migrations, say: (sentence) => said.push(sentence) });
      expect(said).toEqual(['The tables that migrations added to shop are distributed by store']);
      expect(await number(`select count(*) from citus_tables where table_name = 'shop.notes'::regclass`)).toBe(1);
      expect(await number(`select count(distinct colocation_id) from citus_tables`)).toBe(1);
    },
    withinMs,
  );

  test(
    'a foreign key that a run left unchecked is checked, and one no longer clears',
    async () => {
      const key = 'foreign key (store_id, parent_id) references shop.products (store_id, id)';
      await client.query('alter table shop.products drop constraint products_store_id_parent_id_fkey');
      await client.query(`alter table shop.products add constraint "Parent" ${key} on delete set null (parent_id) not valid`);
      await client.query(`alter table shop.links add constraint "Unchecked"
        foreign key (store_id, category_id) references shop.products (store_id, id) not valid`);
      await client.query('update shop.links set category_id = product_id');
      await distribute();
      const { rows } = await client.query(`select conname as name from pg_constraint
        where connamespace = 'shop'::regnamespace and contype = 'f' and (confdeltype = 'n' or not convalidated)`);
      expect(rows).toEqual([]);
    },
    withinMs,
  );

  test(
    'while it runs reads are answered, writes wait, and none is lost or refused',
    async () => {
      let isOver = false;
      const counts = { reads: 0, writes: 0 };
      const load = async (work: (own: pg.Client) => Promise<unknown>, what: keyof typeof counts) => {
        const own = await openClient(database.url);
        while (!isOver) {
          await work(own);
          counts[what]++;
        }
        await own.end();
      };
      const loads = [
        load((own) => own.query('select name from shop.products where store_id = $1 and id = $2', [4, 3]), 'reads'),
        load((own) => own.query('insert into shop.outbox (store_id, name) values ($1, $2)', [2, 'load']), 'writes'),
      ];
      await distribute();
      isOver = true;
      await Promise.all(loads);
      expect(counts.reads).toBeGreaterThan(0);
      expect(await number(`select count(*) from shop.outbox where name = 'load'`)).toBe(counts.writes);
    },
    withinMs,
  );

  test('events whose store the inbox does not know are waited for', async () => {
    await client.query('insert into shop.inbox (event_id) values (gen_random_uuid())');
    await expect(distribute()).rejects.toThrow(CannotDistribute);
    await expect(distribute()).rejects.toThrow(/without their store/);
    expect(await number('select count(*) from pg_dist_partition')).toBe(0);
  });

  test(
    'an event without its store that is committed meanwhile is waited for too',
    async () => {
      // The keys begin with the store already, as building them would wait for the transaction.
      await client.query('alter table shop.inbox drop constraint inbox_pkey; alter table shop.inbox add primary key (store_id, event_id)');
      await client.query('alter table shop.outbox drop constraint outbox_pkey; alter table shop.outbox add primary key (store_id, id)');
      const before = await openClient(database.url);
      await before.query('begin; insert into shop.inbox (event_id) values (gen_random_uuid())');
      const refused = expect(distribute()).rejects.toThrow(/without their store/);
      const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await number(waiting)) > 0);
      await before.query('commit');
      await before.end();
      await refused;
      expect(await number('select count(*) from pg_dist_partition')).toBe(0);
    },
    withinMs,
  );

  test(
    'a schema that lies on one worker stays there',
    async () => {
      await client.query(`select citus_schema_distribute('shop')`);
      await expect(distribute()).rejects.toThrow(/lies on .* as a whole/);
    },
    withinMs,
  );
});
