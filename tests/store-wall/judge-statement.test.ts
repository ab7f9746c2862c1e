import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadModule } from 'libpg-query';
import { judgeStatement } from './judge-statement.ts';
import { Tables, tableOf } from './tables.ts';

const tables = new Tables([
  tableOf('shop.stores', ['id', 'name']),
  tableOf('shop.items', ['id', 'store_id', 'parent_id', 'name']),
  tableOf('shop.orders', ['store_id', 'id', 'item_id', 'total']),
  tableOf('shop.parts', ['item_id', 'label']),
]);
const faults = (text: string) => judgeStatement(text, tables);

beforeAll(() => loadModule());

describe('a statement that is bound to a store passes', () => {
  test.each([
    // By its own column.
    'select * from shop.items where store_id = $1',
    'select * from shop.items i where i.store_id = $1::bigint and i.id = any($2)',
    'select * from shop.items where $1 = store_id',
    'select * from shop.items where store_id = any($1::bigint[])',
    'select * from shop.items where store_id in ($1, $2)',
    'select * from shop.items where (store_id, id) in (($1, $2), ($3, $4))',
    'select * from shop.items where (store_id, id) = ($1, $2)',
    'select name from shop.stores where id = $1',
    'select * from shop.items where (store_id = $1 and name = $2) or (store_id = $1 and id = $3)',
    // By a join on a bound one.
    'select * from shop.items i join shop.orders o on o.store_id = i.store_id and o.item_id = i.id where i.store_id = $1',
    'select * from shop.items i, shop.orders o where i.store_id = $1 and o.store_id = i.store_id',
    'select * from shop.items i join shop.orders o using (store_id) where o.store_id = $1',
    'select * from shop.stores s join shop.items i on i.store_id = s.id where s.id = $1',
    'select * from shop.items i left join shop.orders o on o.store_id = i.store_id where i.store_id = $1',
    'select * from shop.items i left join shop.orders o on o.store_id = $1 and o.item_id = i.id where i.store_id = $1',
    'select * from shop.orders o right join shop.items i on o.store_id = i.store_id where i.store_id = $1',
    // Tables that belong to no store need no binding.
    'select * from shop.parts where item_id = $1',
    'select * from shop.items i join shop.parts p on p.item_id = i.id where i.store_id = $1',
    'select 1',
    "select pg_notify($1, 'x')",
    // Subselects.
    'select * from shop.items i where i.store_id = $1 and exists (select from shop.orders o where o.store_id = i.store_id)',
    'select (select max(o.total) from shop.orders o where o.store_id = i.store_id) from shop.items i where i.store_id = $1',
    'select * from shop.items where store_id in (select id from shop.stores where id = $1)',
    'select * from shop.items where store_id = (select s.id from shop.stores s where s.id = $1)',
    'select * from (select id, store_id from shop.items where store_id = $1) i join shop.orders o on o.store_id = i.store_id',
    'select * from shop.stores s left join lateral (select * from shop.items where store_id = s.id limit $2) i on true where s.id = $1',
    'select * from (values ($1::bigint, $2)) as x(store_id, id) join shop.items i on i.store_id = x.store_id',
    // WITH.
    'with mine as (select * from shop.items where store_id = $1) select * from mine join shop.orders o on o.store_id = mine.store_id',
    'with x (s) as (select store_id from shop.items where store_id = $1) select * from x, shop.orders o where o.store_id = x.s',
    `with recursive tree as (
       select id, store_id from shop.items where store_id = $1 and id = $2
       union all select i.id, i.store_id from shop.items i join tree t on i.parent_id = t.id and i.store_id = t.store_id)
     select * from tree`,
    `with gone as (delete from shop.items where store_id = $1 returning store_id, id)
     insert into shop.orders (store_id, item_id) select store_id, id from gone`,
    // UNION.
    'select id from shop.items where store_id = $1 union select item_id from shop.orders where store_id = $1',
    // Recordsets from parameters.
    `update shop.items i set name = x.name from json_to_recordset($1::json) as x(store_id bigint, id bigint, name text)
     where i.store_id = x.store_id and i.id = x.id`,
    'select * from unnest($1::bigint[], $2::bigint[]) as x(store_id, id) join shop.items i on i.store_id = x.store_id and i.id = x.id',
    // Writes.
    'insert into shop.items (store_id, name) values ($1, $2), ($1, $3)',
    'insert into shop.items (name, store_id) select name, $2 from shop.items where store_id = $1',
    'insert into shop.orders select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])',
    'insert into shop.orders (store_id, id) select r.* from rows from (jsonb_to_recordset($1) as (store_id bigint, id bigint)) r',
    'insert into shop.items (store_id, id) values ($1, $2) on conflict (store_id, id) do update set name = excluded.name',
    'insert into shop.items (store_id, id) values ($1, $2) on conflict (id) do update set name = $3 where items.store_id = excluded.store_id',
    'insert into shop.items (store_id, id) values ($1, $2) on conflict do nothing returning id',
    'insert into shop.stores (name) values ($1) returning id',
    'update shop.items set name = $3 where store_id = $1 and id = $2',
    'update shop.items i set name = o.id from shop.orders o where o.store_id = $1 and i.store_id = o.store_id and i.id = o.item_id',
    'delete from shop.orders o using shop.items i where i.store_id = $1 and o.store_id = i.store_id and o.item_id = i.id',
  ])('%s', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

describe('a statement that is bound to none is found', () => {
  test.each<[text: string, ...tables: string[]]>([
    ['select * from shop.items where id = $1', 'shop.items'],
    ['select * from items where id = $1', 'shop.items'],
    ['select name from shop.stores', 'shop.stores'],
    // What looks like a binding but is not.
    ['select * from shop.items where store_id = 1', 'shop.items'],
    ['select * from shop.items where store_id in ($1, 2)', 'shop.items'],
    ['select * from shop.items where store_id = store_id', 'shop.items'],
    ['select * from shop.items where store_id = coalesce($1, store_id)', 'shop.items'],
    ['select * from shop.items where store_id <> $1', 'shop.items'],
    ['select * from shop.items where store_id > any($1)', 'shop.items'],
    ['select * from shop.items where not store_id = $1', 'shop.items'],
    ['select * from shop.items where store_id = $1 or id = $2', 'shop.items'],
    ['select * from shop.items where $1::bigint is null or store_id = $1', 'shop.items'],
    ['select store_id = $1 from shop.items', 'shop.items'],
    ['select * from shop.items order by store_id = $1', 'shop.items'],
    // Joins.
    ['select * from shop.items i join shop.orders o on o.item_id = i.id where i.store_id = $1', 'shop.orders o'],
    ['select * from shop.items i, shop.orders o where o.store_id = i.store_id', 'shop.items i', 'shop.orders o'],
    ['select * from shop.items i left join shop.orders o on i.store_id = $1 and o.store_id = $1 where i.id = $2', 'shop.items i'],
    ['select * from shop.items i left join shop.orders o on o.store_id = i.store_id where o.store_id = $1', 'shop.items i'],
    ['select * from shop.items i full join shop.orders o on o.store_id = $1 where i.store_id = $1', 'shop.orders o'],
    ['select * from shop.items i join shop.orders o using (id) where i.store_id = $1', 'shop.orders o'],
    ['select * from shop.parts p join shop.items i on i.id = p.item_id where p.item_id = $1', 'shop.items i'],
    // Subselects, at any depth.
    ['select * from shop.items i where i.store_id = $1 and exists (select from shop.orders o where o.item_id = i.id)', 'shop.orders o'],
    ['select (select name from shop.items p where p.id = i.parent_id) from shop.items i where i.store_id = $1', 'shop.items p'],
    ['select * from shop.orders where store_id = $1 and id in (select id from shop.items)', 'shop.items'],
    ['select * from shop.orders where store_id in (select store_id from shop.items where id = $1)', 'shop.orders', 'shop.items'],
    [
      'select * from shop.stores s left join lateral (select * from shop.items i where i.id = s.id) x on true where s.id = $1',
      'shop.items i',
    ],
    ['select * from (select * from shop.items) i where i.store_id = $1', 'shop.items'],
    ['select 1 order by (select count(*) from shop.items)', 'shop.items'],
    ['select 1 limit (select count(*) from shop.items)', 'shop.items'],
    ['select * from generate_series(1, (select count(*) from shop.items)) n', 'shop.items'],
    ['select case when $1 then (select count(*) from shop.items) end', 'shop.items'],
    // WITH and UNION.
    ['with i as (select * from shop.items) select * from i where i.store_id = $1', 'shop.items'],
    ['with x as (select $1::bigint as n) select * from shop.items i join x on x.n = i.id', 'shop.items i'],
    ['select id from shop.items where store_id = $1 union select item_id from shop.orders', 'shop.orders'],
    ['select * from shop.orders where store_id in (select $1::bigint union select 7)', 'shop.orders'],
    [
      `with recursive tree as (
         select id, store_id from shop.items where store_id = $1
         union all select i.id, i.store_id from shop.items i join tree t on i.parent_id = t.id)
       select * from tree`,
      'shop.items i',
    ],
    // Recordsets that are not from parameters.
    ['select * from generate_series(1, 9) as s(store_id) join shop.items i on i.store_id = s.store_id', 'shop.items i'],
    [
      `select * from shop.parts p, jsonb_to_recordset(p.label::jsonb) as x(store_id bigint) join shop.items i on i.store_id = x.store_id`,
      'shop.items i',
    ],
    // Writes.
    ['update shop.items set name = $2 where id = $1', 'shop.items'],
    ['update shop.items i set name = o.id from shop.orders o where o.store_id = $1 and i.id = o.item_id', 'shop.items i'],
    ['update shop.items set name = (select max(id) from shop.orders) where store_id = $1', 'shop.orders'],
    ['delete from shop.items where id in (select id from shop.items where store_id = $1)', 'shop.items'],
    ['delete from shop.orders o using shop.items i where i.store_id = $1 and o.item_id = i.id', 'shop.orders o'],
    // Of several statements.
    ['select 1; delete from shop.items', 'shop.items'],
  ])('%s', (text, ...tables) => {
    expect(faults(text)).toEqual(tables.map((table) => `${table} is bound to no store`));
  });

  test.each([
    'insert into shop.items (name) values ($1)',
    'insert into shop.items (store_id, name) values ($1, $2), (7, $3)',
    'insert into shop.items (store_id, name) values (default, $1)',
    'insert into shop.items default values',
    'insert into shop.items (store_id, name) select o.id, $1 from shop.orders o where o.store_id = $2',
  ])('%s', (text) => {
    expect(faults(text)).toEqual(['shop.items is given a row of no bound store']);
  });

  test.each([
    [
      'insert into shop.items (store_id, id) values ($1, $2) on conflict (id) do update set name = excluded.name',
      'shop.items in ON CONFLICT is bound to no store',
    ],
    [
      'insert into shop.items (store_id, id) values ($1, $2) on conflict on constraint items_pkey do update set name = $3',
      'shop.items in ON CONFLICT is bound to no store',
    ],
    ['update shop.items set store_id = 7 where store_id = $1', 'shop.items is moved to a store that is not bound'],
    // A statement that cannot be checked does not pass.
    ['truncate shop.items', 'TruncateStmt on shop.items cannot be judged'],
    ['copy shop.items to stdout', 'CopyStmt on shop.items cannot be judged'],
    ['merge into shop.items i using shop.parts p on p.item_id = i.id when matched then delete', 'MergeStmt on shop.items cannot be judged'],
    ['select * from shop.items tablesample system (1) where store_id = $1', 'RangeTableSample in FROM cannot be judged'],
  ])('%s', (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });
});
