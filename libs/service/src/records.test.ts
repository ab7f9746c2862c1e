import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { defineEntity, type EntitySchema, p } from '@mikro-orm/core';
import {
  type Db,
  type EntityManager,
  idColumn,
  idempotencyTable,
  lockRecord,
  migrate,
  openDb,
  sql,
  statements,
  storeIdColumn,
  tablesOf,
  timeColumns,
} from '@store/db';
import { eventTables } from '@store/events';
import { problemOf, SetClock, type TestDatabase, testCaller, testDatabase } from '@store/testbed';
import { createRecord, deleteRecord, updateRecord } from './records.ts';
import { commonEntities } from './start-service.ts';

const Shelf = defineEntity({
  name: 'WallShelf',
  tableName: 'wall_shelves',
  properties: { id: idColumn(), storeId: storeIdColumn(), name: p.text(), maxWeight: p.integer().nullable(), ...timeColumns() },
  uniques: [{ name: 'wall_shelves_store_id_name_key', properties: ['storeId', 'name'] }],
});
const entities: EntitySchema[] = [Shelf, ...commonEntities];
const tables = tablesOf<typeof Shelf>('shop');

const shelves = `set local search_path to shop; create table wall_shelves (id bigint generated always as identity primary key,
  store_id bigint not null, name text not null, max_weight int, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  unique (store_id, name))`;
const migrations = { '1-shelves': statements(shelves, eventTables, idempotencyTable) };

const clock = new SetClock('2026-11-20T12:00:00.000Z');
let database: TestDatabase;
let db: Db;
const call = { caller: testCaller() };
const unit = <T>(work: (unit: Parameters<typeof createRecord>[0]) => Promise<T>, storeId = 1): Promise<T> =>
  db.unit(storeId, (em: EntityManager) => work({ em, app: { db, outbox: { db, wake: () => undefined } }, call }));
const create = (values: object) => unit((u) => createRecord(u, Shelf, { values, errors: {} }, { max_weight: null }));
const change = (id: number, values: object) =>
  unit(async (u) => updateRecord(u, Shelf, await lockRecord(u.em, Shelf, id), { values, errors: {} }));
const events = () =>
  db.read<{ name: string; aggregate: string; internal: object }>('select name, aggregate, internal from shop.outbox order by id');

beforeAll(async () => {
  database = await testDatabase('records', (url) => migrate({ url, schema: 'shop', migrations }));
  db = await openDb({ url: database.url, schema: 'shop', entities, clock });
});
afterAll(async () => {
  await db.close();
  await database.close();
});
beforeEach(() => db.unit(0, (em) => sql(em, 'truncate shop.wall_shelves, shop.outbox restart identity')));

test('a create, change and deletion are one event each, with before and after', async () => {
  const { id } = await create({ name: 'Tea' });
  await change(id, { max_weight: 5 });
  await unit(async (u) => deleteRecord(u, Shelf, await lockRecord(u.em, Shelf, id), { name: 'Tea' }));
  const audit = (verb: string, before: object | null, after: object | null) => ({
    audit: { action: `wall_shelf.${verb}`, resource_type: 'WallShelf', resource_id: id, before, after, ip: '203.0.113.7' },
  });
  expect(await events()).toEqual([
    { name: 'wall_shelf.created', aggregate: `wall_shelf:${id}`, internal: audit('create', null, { name: 'Tea', max_weight: null }) },
    { name: 'wall_shelf.updated', aggregate: `wall_shelf:${id}`, internal: audit('update', { max_weight: null }, { max_weight: 5 }) },
    { name: 'wall_shelf.deleted', aggregate: `wall_shelf:${id}`, internal: audit('delete', { name: 'Tea' }, null) },
  ]);
});

test('a change that changes nothing writes and emits nothing', async () => {
  const { id, updatedAt } = await create({ name: 'Tea' });
  clock.advance(1_000);
  expect(await change(id, { name: 'Tea' })).toBeUndefined();
  expect(await db.read(tables.selectFrom('wall_shelves').select(['updated_at']))).toEqual([{ updated_at: updatedAt }]);
  expect(await events()).toHaveLength(1);
});

test('a name taken in the store is a 422 before the write; another store may have it', async () => {
  await create({ name: 'Tea' });
  expect((await problemOf(create({ name: 'Tea' }))).message).toBe('Validation failed: Name has already been taken');
  const { id } = await create({ name: 'Coffee' });
  expect((await problemOf(change(id, { name: 'Tea' }))).message).toBe('Validation failed: Name has already been taken');
  await unit((u) => createRecord(u, Shelf, { values: { name: 'Tea' }, errors: {} }), 2);
  expect(await db.read(tables.selectFrom('wall_shelves').select(['store_id', 'name']).orderBy('id'))).toEqual([
    { store_id: 1, name: 'Tea' },
    { store_id: 1, name: 'Coffee' },
    { store_id: 2, name: 'Tea' },
  ]);
});

test('a race for a name is decided by the unique index: the loser gets a 409 (D27)', async () => {
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => create({ name: 'Tea' })));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as { status: number }] : []));
  expect(refused).toHaveLength(7);
  expect(refused.every(({ status }) => status === 409 || status === 422)).toBe(true);
});

test('a record of another store cannot be loaded: the same 404 as for an unknown id', async () => {
  const { id } = await create({ name: 'Tea' });
  const other = await problemOf(unit((u) => lockRecord(u.em, Shelf, id), 2));
  const unknown = await problemOf(unit((u) => lockRecord(u.em, Shelf, 999)));
  expect([other.status, other.message]).toEqual([404, 'Wall shelf not found']);
  expect(unknown.message).toBe(other.message);
});

test("another store's record is never changed or removed, even if loaded unfiltered", async () => {
  const { id } = await create({ name: 'Tea' });
  await unit(async ({ em }) => {
    const shelf = await em.findOneOrFail(Shelf, { id }, { filters: false });
    shelf.name = 'Coffee';
    await em.flush();
    await em.remove(shelf).flush();
  }, 2);
  expect(await db.read(tables.selectFrom('wall_shelves').select(['store_id', 'name']))).toEqual([{ store_id: 1, name: 'Tea' }]);
});
