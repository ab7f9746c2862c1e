/** How consumers treat messages that are repeated, redelivered, or impossible to handle (P4, P7). */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { apps, topicOf } from '@store/contract';
import { type GroupOptions, KafkaTransport, type Message, standingOf } from '@store/events';
import { describeWithKafka, logNothing, rewind } from '@store/testbed';
import { until } from '@store/testbed/until';
import { repository } from '../../tools/local/data-dir.ts';
import { type FleetWorld, isReady } from '../kit/fleet-world.ts';
import { useFleet } from '../kit/use.ts';
import { expectNothingLostOrDoubled, settled } from './invariants.ts';
import { makeProducts, startLoad } from './load.ts';

const startMs = 180_000;
const rebalances = process.env.FAULT_SECONDS ? 20 : 2;
const caughtUpWithinMs = 120_000;

describeWithKafka('consumers', () => {
  const world = useFleet({ gateways: 2, relays: 2 });

  const groups = (): GroupOptions[] => {
    const kafka = { brokers: world.brokers.split(','), prefix: world.kafkaPrefix, log: logNothing };
    return [
      { ...kafka, group: 'catalog', topics: apps.catalog.consumes.map(topicOf) },
      { ...kafka, group: 'gateway', topics: apps.gateway.consumes.map(topicOf) },
    ];
  };
  const caughtUp = () =>
    until(async () => (await Promise.all(groups().map(standingOf))).every(({ behind }) => behind === 0), caughtUpWithinMs);

  test(
    'that join and leave under load lose nothing and do nothing twice',
    async () => {
      const load = await startLoad(world, { writers: 6, readers: 0, pace: 10, api: [world.api[0]!] });
      // The relay's process consumes for the audit trail, a gateway its revocations.
      const members = ['gateway-2', 'relay-2'].map((name) => world.fleet.member(name));
      for (let round = 0; round < rebalances; round++) {
        // Once leaving the group properly, once not: then its partitions are reassigned after the session timeout.
        await Promise.all(members.map((member) => (round % 2 === 0 ? member.stop() : member.kill())));
        for (const member of members) member.start();
        await until(() => isReady(world.fleet.gateways[1]!), 60_000);
      }
      await load.stop();
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs * 4,
  );

  test(
    'that are set back to the first message change no entry, stock or event',
    async () => {
      const load = await startLoad(world, { writers: 4, readers: 0, pace: 10 });
      await until(() => load.writes.length >= 40, 60_000);
      await load.stop();
      await settled(world);
      await caughtUp();
      const before = await stateOf(world, groups());
      const members = ['catalog', 'gateway', 'gateway-2', 'relay', 'relay-2'].map((name) => world.fleet.member(name));
      await Promise.all(members.map((member) => member.stop()));
      for (const group of groups()) await until(() => rewind(group), 60_000);
      const [again] = await Promise.all(groups().map(standingOf));
      expect(again!.behind).toBeGreaterThan(10);
      for (const member of members) member.start();
      await until(() => isReady(world.fleet.gateways[0]!), 60_000);
      await caughtUp();
      expect(await stateOf(world, groups())).toEqual(before);
    },
    startMs,
  );

  test(
    'dead-letter 10 of 1,000 messages, handle 990 in order, take the mended ones',
    async () => {
      const { key } = await world.newKey();
      const products = await makeProducts(world, key, 15, (n) => (n < 10 ? `Good ${n}` : `Bomb ${n}`));
      await world.database.query(`alter table catalog.products add constraint bomb check (name not like 'Bomb %' or stock = 0)`);
      const stream = Array.from({ length: 990 }, (_, n) => level(world, products[n % 10]!, Math.floor(n / 10) + 1, n));
      for (let bad = 0; bad < 5; bad++) {
        stream.splice(150 + bad * 170, 0, { ...level(world, products[0]!, 1, 0), id: `unreadable-${bad}` });
        stream.splice(100 + bad * 170, 0, level(world, products[10 + bad]!, 1, 10_000 + bad));
      }
      expect(stream).toHaveLength(1_000);
      const transport = new KafkaTransport({
        brokers: world.brokers.split(','),
        prefix: world.kafkaPrefix,
        clientId: 'poison',
        log: logNothing,
        onFatal: () => undefined,
      });
      for (let start = 0; start < stream.length; start += 100) await transport.publish(stream.slice(start, start + 100));
      await transport.stop();
      await caughtUp();

      const stocks = async () =>
        (
          await world.database.query(
            'select stock::float8 as stock from catalog.products where id = any($1) order by array_position($1, id)',
            [products],
          )
        ).rows.map(({ stock }) => stock as number);
      const letters = async (app: string) =>
        (await world.database.query(`select count(*)::int as n from ${app}.dead_letters where redriven_at is null`)).rows[0].n as number;
      expect(await stocks()).toEqual([...Array(10).fill(99), ...Array(5).fill(0)]);
      expect([await letters('catalog'), await letters('gateway')]).toEqual([10, 5]);
      await expectHandledInOrder(world);

      await world.database.query('alter table catalog.products drop constraint bomb');
      expect(await redrive(world, '--app', 'catalog')).toBe('5 sent again, 5 cannot be read and stay.\n');
      await until(async () => (await stocks()).slice(10).every((stock) => stock === 1), 60_000);
      expect(await letters('catalog')).toBe(5);
      expect(await redrive(world, '--app', 'catalog')).toBe('0 sent again, 5 cannot be read and stay.\n');
      await expectHandledInOrder(world);
    },
    startMs,
  );
});

async function stateOf(world: FleetWorld, groups: GroupOptions[]): Promise<unknown> {
  const { rows } = await world.database.query(
    `select (select count(*) from gateway.audit_entries) as entries,
            (select md5(string_agg(concat(id, stock, stock_version, updated_at), ',' order by id)) from catalog.products) as products,
            (select count(*) from catalog.outbox) + (select count(*) from inventory.outbox) as waiting,
            (select count(*) from catalog.dead_letters) + (select count(*) from gateway.dead_letters) as dead`,
  );
  return { ...rows[0], events: (await Promise.all(groups.map(standingOf))).map(({ written }) => written) };
}

/** A stock level as inventory publishes it, with an audit entry that shows its position in the stream. */
function level(world: FleetWorld, productId: number, version: number, place: number): Message {
  return {
    id: randomUUID(),
    topic: 'inventory.events',
    storeId: world.storeId,
    name: 'inventory.adjusted',
    aggregate: String(productId),
    public: null,
    internal: {
      stock: { product_id: productId, stock: `${version}.000`, version },
      audit: { action: 'test.level', resource_type: 'Level', resource_id: productId, before: null, after: { place }, ip: '127.0.0.1' },
    },
    actor: { type: 'system', key: null, user: null },
    requestId: `place-${place}`,
    createdAt: new Date().toISOString(),
  };
}

async function expectHandledInOrder(world: FleetWorld): Promise<void> {
  const { rows } = await world.database.query(
    `select resource_id, array_agg((after->>'place')::int order by id) as places from gateway.audit_entries where action = 'test.level'
     group by resource_id`,
  );
  expect(rows.flatMap(({ places }) => places)).toHaveLength(995);
  for (const { places } of rows as { places: number[] }[]) expect(places).toEqual([...places].sort((a, b) => a - b));
}

async function redrive(world: FleetWorld, ...args: string[]): Promise<string> {
  const script = path.join(repository, 'tools/local/app-command.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'redrive', ...args], {
    env: { ...process.env, DATABASE_URL: world.databaseUrl },
  });
  return stdout;
}
