/**
 * Where TEST_DATABASE_URL names the coordinator of a Citus cluster and TEST_CITUS is by-store: all rows of a store lie on one worker.
 * Elsewhere there is nothing to try.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { appsByStore } from '@store/contract';
import { distributeByStore } from '@store/db';
import { formOfCluster, idsOfWorkers } from '@store/testbed/citus-nodes';
import { isCluster } from '@store/testbed/one-server';
import { openWorld, type Store, type World } from '../kit/world.ts';
import { fillStore } from './filled-store.ts';

const isByStore = isCluster && formOfCluster === 'stores';
const onCitus = isByStore ? describe : describe.skip;
const byStore = [...appsByStore].sort();
const withinMs = 120_000;

let world: World;
let key: string;
beforeAll(async () => {
  if (!isByStore) return;
  world = await openWorld();
  key = await world.newKey(world.store);
});
afterAll(() => world?.close());

/** The worker that has the rows of a store. */
async function workerOf({ id }: Pick<Store, 'id'>): Promise<string> {
  const { rows } = await world.database.query<{ worker: string }>(
    `select nodename || ':' || nodeport as worker from citus_shards
     where shardid = get_shard_id_for_distribution_column('catalog.products', $1::bigint)`,
    [id],
  );
  return rows[0]!.worker;
}

async function created(path: string, body: object, by = key): Promise<{ id: number }> {
  const { status, body: answer, text } = await world.call('POST', path, { key: by, body });
  expect({ path, status, text }).toEqual({ path, status: 201, text });
  return answer.data;
}

const newProduct = (name: string, by = key) => created('/products', { product: { name, sku: name, price: '2.00' } }, by);

onCitus('on a Citus cluster by store (skipped where TEST_CITUS and TEST_DATABASE_URL name none)', () => {
  test('the tables of a store lie together, and distribute says so when run again', async () => {
    const { rows } = await world.database.query<{ app: string; groups: number; tables: number }>(
      `select n.nspname as app, count(distinct t.colocation_id)::int as groups, count(*)::int as tables
       from citus_tables t join pg_class c on c.oid = t.table_name join pg_namespace n on n.oid = c.relnamespace
       where t.citus_table_type = 'distributed' group by 1 order by 1`,
    );
    expect(rows.map(({ app, groups }) => ({ app, groups }))).toEqual(byStore.map((app) => ({ app, groups: 1 })));
    const again = await distributeByStore(world.databaseUrl, 'catalog');
    expect(again).toEqual({ added: 0, tables: rows[0]!.tables, shards: 4, workers: 2 });
    const local = await world.database.query(
      `select n.nspname || '.' || relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname = any ($1) and relkind = 'r' and not exists (select from pg_dist_partition where logicalrelid = c.oid)`,
      [byStore],
    );
    const kept = byStore.flatMap((app) => [`${app}.dead_letters`, `${app}.migrations`]);
    expect(local.rows.map(({ name }) => name).sort()).toEqual(kept.sort());
  });

  test(
    'stores on two workers: a record’s events in their order, each log without a gap',
    async () => {
      const stores = [world.store];
      while ((await workerOf(stores.at(-1)!)) === (await workerOf(world.store))) stores.push(await world.newStore());
      const [one, other] = [world.store, stores.at(-1)!];
      for (const { store, by } of [
        { store: one, by: key },
        { store: other, by: await world.newKey(other) },
      ]) {
        const { id } = await newProduct(`p-${store.id}`, by);
        for (let n = 1; n <= 5; n++)
          await created('/stock_adjustments', { product_id: id, adjustment_type: 'receive', quantity_change: n }, by);
        await world.settled();
        const { body } = await world.call('GET', `/products/${id}`, { key: by });
        expect(body.data.current_stock).toBe(1 + 2 + 3 + 4 + 5);
        const log = await world.database.query<{ sequence: string; name: string }>(
          'select sequence, name from webhooks.events where store_id = $1 order by sequence',
          [store.id],
        );
        expect(log.rows.map(({ sequence }) => Number(sequence))).toEqual(log.rows.map((_, n) => n + 1));
      }
    },
    withinMs,
  );

  test(
    'a shard moves to the other worker under load: no request suffers',
    async () => {
      let isMoving = true;
      let made = 0;
      const load = async (name: string) => {
        for (let n = 0; isMoving || n < 3; n++, made++) await newProduct(`${name}-${n}`);
      };
      const { body: before } = await world.call('GET', '/products', { key });
      const from = await workerOf(world.store);
      const { rows } = await world.database.query<{ name: string; port: number }>(
        `select node_name as name, node_port as port from citus_get_active_worker_nodes() where node_name || ':' || node_port <> $1`,
        [from],
      );
      const loads = [load('a'), load('b')];
      const [source, port] = from.split(':');
      await world.database.query(
        `select citus_move_shard_placement(get_shard_id_for_distribution_column('catalog.products', $1::bigint), $2, $3::int, $4, $5::int, 'force_logical')`,
        [world.store.id, source, port, rows[0]!.name, rows[0]!.port],
      );
      isMoving = false;
      await Promise.all(loads);
      expect(await workerOf(world.store)).toBe(`${rows[0]!.name}:${rows[0]!.port}`);
      const { status, body } = await world.call('GET', '/products', { key: await world.newKey(world.store) });
      expect({ status, total: body.pagination?.total_count }).toEqual({ status: 200, total: before.pagination.total_count + made });
      await world.settled();
    },
    withinMs,
  );

  test(
    'every id is the coordinator’s, but those of kept sums and counts',
    async () => {
      await fillStore(world);
      expect(await idsOfWorkers(world.databaseUrl)).toEqual([]);
    },
    withinMs,
  );
});
