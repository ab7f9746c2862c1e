/** Relays in processes of their own: killed, frozen, and two at once. Events are published once the outbox is led again (P1, P2). */

import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { outboxRows } from '../kit/outbox-rows.ts';
import { useFleet } from '../kit/use.ts';
import { expectNothingLostOrDoubled, settled, startAgain } from './invariants.ts';
import { startLoad, statusesOfAll } from './load.ts';

const startMs = 180_000;
/** PostgreSQL ends the session of a relay that hangs, and its lock, after 10 s. */
const takenOverWithinMs = 60_000;
const loadMs = 2_000;

describeWithKafka('relays of their own', () => {
  const world = useFleet({ relays: 2 });
  afterEach(() => startAgain(world));

  const writes = () => startLoad(world, { writers: 5, readers: 0, pace: 10 });

  test(
    'two at once: one leads each schema, and every event is published once',
    async () => {
      const { rows } = await world.database.query(
        `select application_name as name, count(*)::int as sessions from pg_stat_activity
         where datname = current_database() and application_name like 'store-%-relay' group by 1 order by 1`,
      );
      expect(rows).toEqual(appNames.map((app) => ({ name: `store-${app}-relay`, sessions: 2 })).sort((a, b) => (a.name < b.name ? -1 : 1)));
      const load = await writes();
      await wait(loadMs);
      await load.stop();
      expect(statusesOfAll(load)).toEqual(['201']);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs,
  );

  test.each(['relay', 'relay-2'])(
    'killed: %s is not missed, and requests do not notice',
    async (name) => {
      const load = await writes();
      await wait(loadMs);
      await world.fleet.member(name).kill();
      await wait(loadMs);
      await load.stop();
      expect(statusesOfAll(load)).toEqual(['201']);
      await until(async () => (await outboxRows(world.database)) === 0, takenOverWithinMs);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs,
  );

  test.each(['relay', 'relay-2'])(
    'frozen: the other takes over from %s, whose waking changes nothing',
    async (name) => {
      const load = await writes();
      await wait(loadMs);
      world.fleet.member(name).signal('SIGSTOP');
      await wait(loadMs);
      await load.stop();
      expect(statusesOfAll(load)).toEqual(['201']);
      await until(async () => (await outboxRows(world.database)) === 0, takenOverWithinMs);
      const late = await writes();
      world.fleet.member(name).signal('SIGCONT');
      await wait(loadMs);
      await late.stop();
      await settled(world);
      await expectNothingLostOrDoubled(world, late);
    },
    startMs,
  );

  test(
    'all killed: writes go on, and what waited is published when one is back',
    async () => {
      const relays = ['relay', 'relay-2'].map((name) => world.fleet.member(name));
      for (const relay of relays) await relay.kill();
      const load = await writes();
      await wait(loadMs);
      await load.stop();
      expect(statusesOfAll(load)).toEqual(['201']);
      expect(await outboxRows(world.database)).toBeGreaterThan(0);
      relays[0]!.start();
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs,
  );
});
