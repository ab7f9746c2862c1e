/**
 * Where TEST_DATABASE_URL names the coordinator of a Citus cluster, each schema of a world lies on one of its workers. Elsewhere there is
 * nothing to try: any PostgreSQL runs the same statements.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { appNames } from '@store/contract';
import { buildIndexes, distributeSchema, migrate } from '@store/db';
import { formOfCluster, workersIds } from '@store/testbed/citus-nodes';
import { isCluster } from '@store/testbed/one-server';
import { migrationsOf } from '../../tools/local/apps.ts';
import { openWorld, type World } from '../kit/world.ts';

const isOfSchemas = isCluster && formOfCluster === 'schemas';
const onCitus = isOfSchemas ? describe : describe.skip;
const withinMs = 120_000;

let world: World;
let key: string;
beforeAll(async () => {
  if (!isOfSchemas) return;
  world = await openWorld();
  key = await world.newKey(world.store);
});
afterAll(() => world?.close());

interface Place {
  schema: string;
  host: string;
  port: number;
  tables: number;
}

async function places(): Promise<Place[]> {
  const { rows } = await world.database.query<Place>(
    `select c.schema_name::text as schema, s.nodename as host, s.nodeport as port, count(*)::int as tables
     from citus_schemas c join citus_shards s on s.colocation_id = c.colocation_id group by 1, 2, 3 order by 1`,
  );
  return rows;
}

async function newProduct(name: string): Promise<number> {
  const { status, body } = await world.call('POST', '/products', { key, body: { product: { name, sku: name, price: '2.00' } } });
  expect({ name, status }).toEqual({ name, status: 201 });
  return body.data.id;
}

onCitus('on a Citus cluster (skipped where TEST_DATABASE_URL names no coordinator of one)', () => {
  test('each schema is whole on one worker, and distribute says so when run again', async () => {
    const all = await places();
    expect(all.map(({ schema }) => schema)).toEqual([...appNames].sort());
    expect(new Set(all.map(({ port }) => port)).size).toBe(2);
    const { rows } = await world.database.query(`select table_name::text from citus_tables where citus_table_type <> 'schema'`);
    expect(rows).toEqual([]);
    const catalog = all.find(({ schema }) => schema === 'catalog')!;
    expect(await distributeSchema(world.databaseUrl, 'catalog')).toEqual({ isNew: false, place: `${catalog.host}:${catalog.port}` });
  });

  test('a later migration adds tables, columns and indexes to a distributed schema', async () => {
    class AddNotes extends Migration {
      override up(): void {
        this.addSql(
          `create table catalog.notes (store_id bigint, id bigint generated always as identity, product_id bigint, primary key (store_id, id),
             foreign key (store_id, product_id) references catalog.products (store_id, id))`,
        );
        this.addSql('alter table catalog.products add column noted boolean');
      }
    }
    const index = buildIndexes('create index concurrently if not exists notes_product on catalog.notes (product_id)');
    const migrations = { ...(await migrationsOf('catalog')), '98-notes': AddNotes, '99-notes': index };
    const before = (await places()).find(({ schema }) => schema === 'catalog')!;
    await migrate({ url: world.databaseUrl, schema: 'catalog', migrations });
    expect((await places()).find(({ schema }) => schema === 'catalog')).toEqual({ ...before, tables: before.tables + 1 });
    await newProduct('after the migration');
  });

  test(
    'a schema moves to the other worker under load: no request or id suffers',
    async () => {
      const [from, other] = [...new Map((await places()).map((place) => [place.port, place])).values()];
      const catalog = (await places()).find(({ schema }) => schema === 'catalog')!;
      const to = catalog.port === from!.port ? other! : from!;
      let isMoving = true;
      let created = 0;
      const load = async (name: string) => {
        for (let n = 0; isMoving || n < 3; n++, created++) {
          const id = await newProduct(`${name}-${n}`);
          expect(id).toBeLessThan(workersIds);
          const adjustment = { product_id: id, adjustment_type: 'receive', quantity_change: 3 };
          const { status, body } = await world.call('POST', '/stock_adjustments', { key, body: adjustment });
          expect({ status, isOwn: body.data?.id < workersIds }).toEqual({ status: 201, isOwn: true });
        }
      };
      const loads = [load('a'), load('b')];
      await world.database.query(`select citus_schema_move('catalog', $1::text, $2::int)`, [to.host, to.port]);
      isMoving = false;
      await Promise.all(loads);
      expect((await places()).find(({ schema }) => schema === 'catalog')).toMatchObject({ port: to.port });
      const { body } = await world.call('GET', '/products', { key });
      expect(body.pagination.total_count).toBe(created + 1);
      await world.settled();
    },
    withinMs,
  );
});
