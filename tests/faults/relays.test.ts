/** Relays in processes of their own: killed, frozen, and two at once. Events are published once the outbox is led again (P1, P2). */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { describeWithKafka } from '@store/testbed';
import { type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { pause, startLoad, statuses, stopLoads } from './load.ts';
import { expectNothingLostOrDoubled, settled } from './truth.ts';

const startMs = 180_000;
/** PostgreSQL ends the session of a relay that hangs, and its lock, after 10 s. */
const takenOverWithinMs = 60_000;
const loadMs = 2_000;

describeWithKafka('relays of their own', () => {
  let world: FleetWorld;
  beforeAll(async () => {
    world = await openFleetWorld({ relays: 2 });
  }, startMs);
  afterEach(async () => {
    await stopLoads();
    for (const member of world.fleet.members) {
      member.signal('SIGCONT');
      if (!member.running) member.start();
    }
  });
  afterAll(() => world?.close(), startMs);

  const writes = () => startLoad(world, { writers: 5, readers: 0, pace: 10 });

  test(
    'two at once: one leads each schema, no service publishes, and every event is published and audited once',
    async () => {
      const { rows } = await world.database.query(
        `select application_name as name, count(*)::int as sessions from pg_stat_activity
         where datname = current_database() and application_name like 'store-%-relay' group by 1 order by 1`,
      );
      expect(rows).toEqual(appNames.map((app) => ({ name: `store-${app}-relay`, sessions: 2 })).sort((a, b) => (a.name < b.name ? -1 : 1)));
      const load = await writes();
      await pause(loadMs);
      await load.stop();
      expect(Object.keys(statuses(load.writes))).toEqual(['201']);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs,
  );

  test.each(['relay', 'relay-2'])(
    'killed: %s is not missed, and requests do not notice',
    async (name) => {
      const load = await writes();
      await pause(loadMs);
      await world.fleet.member(name).kill();
      await pause(loadMs);
      await load.stop();
      expect(Object.keys(statuses(load.writes))).toEqual(['201']);
      await until(async () => (await waiting()) === 0, takenOverWithinMs);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs,
  );

  test.each(['relay', 'relay-2'])(
    'frozen: the other takes over from %s, and what that one does when it wakes up changes nothing',
    async (name) => {
      const load = await writes();
      await pause(loadMs);
      world.fleet.member(name).signal('SIGSTOP');
      await pause(loadMs);
      await load.stop();
      expect(Object.keys(statuses(load.writes))).toEqual(['201']);
      await until(async () => (await waiting()) === 0, takenOverWithinMs);
      const late = await writes();
      world.fleet.member(name).signal('SIGCONT');
      await pause(loadMs);
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
      await pause(loadMs);
      await load.stop();
      expect(Object.keys(statuses(load.writes))).toEqual(['201']);
      expect(await waiting()).toBeGreaterThan(0);
      relays[0]!.start();
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
    },
    startMs,
  );

  /** Events that have not been published yet. */
  async function waiting(): Promise<number> {
    let all = 0;
    for (const schema of appNames) {
      const { rows } = await world.database.query<{ n: number }>(`select count(*)::int as n from ${schema}.outbox`);
      all += rows[0]!.n;
    }
    return all;
  }
});
