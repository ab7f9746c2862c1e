/** A service that dies, hangs or is stopped affects only its own routes (P21, P22). */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { describeWithKafka } from '@store/testbed';
import { describeBursts } from './bursts.ts';
import { ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { between, type Done, pause, percentile, startLoad, statuses, stopLoads } from './load.ts';
import { expectNothingLostOrDoubled, settled } from './truth.ts';

const startMs = 120_000;
const seconds = Number(process.env.FAULT_SECONDS ?? 3);
const deadlineMs = 5_100;
/** What a refusal may take beyond an answer of the same moment, which does more work: how busy the machine is counts for both. */
const refusalMs = 50;
const recoveryMaxMs = 20_000;
/** Until a process accepts connections, on a busy machine. */
const processStartMs = 10_000;

describeWithKafka('one process per app', () => {
  let world: FleetWorld;
  beforeAll(async () => {
    world = await openFleetWorld({ gateways: 2 });
  }, startMs);
  afterEach(async () => {
    await stopLoads();
    for (const member of world.fleet.members) {
      member.signal('SIGCONT');
      if (!member.running) member.start();
    }
  });
  afterAll(() => world?.close(), startMs);

  describeBursts(() => world);

  /** Requests of one path around the fault. */
  const on = (requests: (Done & { path?: string })[], fromMs: number, toMs: number) => between(requests, fromMs, toMs);

  describe('killed', () => {
    test.each([
      { service: 'catalog', dead: '/products?per_page=5', alive: '/stock_adjustments?per_page=5' },
      { service: 'inventory', dead: '/stock_adjustments?per_page=5', alive: '/products?per_page=5' },
    ])(
      '$service: its routes answer 500 at once, all others go on as before, and it is found again without a restart of the gateway',
      async ({ service, dead, alive }) => {
        const [failing, going] = [
          await startLoad(world, { writers: 0, readers: 6, pace: 10, reads: [dead] }),
          await startLoad(world, { writers: 0, readers: 6, pace: 10, reads: [alive] }),
        ];
        await pause(1_500);
        const member = world.fleet.member(service);
        const killedAtMs = performance.now();
        await member.kill();
        await pause(seconds * 1_000);
        const startedAtMs = performance.now();
        member.start();
        const answered = async () => (await ask(`${world.api[0]}${dead}`, { key: failing.keys[0]!.key })).status === 200;
        await until(answered, recoveryMaxMs + processStartMs);
        await until(() => failing.reads.slice(-6).every(({ status }) => status === 200), recoveryMaxMs);
        const backMs = performance.now() - startedAtMs;
        await failing.stop();
        await going.stop();

        const during = on(failing.reads, killedAtMs + 20, startedAtMs);
        expectUnavailable(during);
        const knownDown = on(during, killedAtMs + 200, startedAtMs);
        const others = { before: on(going.reads, 0, killedAtMs), during: on(going.reads, killedAtMs, startedAtMs) };
        report(`${service} killed`, { down: knownDown, ...others, backMs });
        expectApart(knownDown, others.during);
        expect(Object.keys(statuses(going.reads))).toEqual(['200']);
      },
      startMs,
    );

    test('a gateway: the other one continues, and it serves again after its restart', async () => {
      const load = await startLoad(world, { writers: 2, readers: 4, pace: 8, api: [world.api[0]!] });
      const member = world.fleet.member('gateway-2');
      await member.kill();
      await pause(1_000);
      member.start();
      await until(async () => (await ask(`${world.fleet.gateways[1]}/readyz`)).status === 200, 60_000);
      await load.stop();
      expect(Object.keys({ ...statuses(load.reads), ...statuses(load.writes) }).sort()).toEqual(['200', '201']);
      expect((await ask(`${world.api[1]}/products`, { key: load.keys[0]!.key })).status).toBe(200);
    });
  });

  test(
    'catalog hung: its routes answer 500 within the deadline and then at once, others are not touched, and the gateway does not grow',
    async () => {
      const hungMs = Math.max(8, seconds) * 1_000;
      const [failing, going] = [
        await startLoad(world, { writers: 0, readers: 20, pace: 20, reads: ['/products?per_page=5'] }),
        await startLoad(world, { writers: 0, readers: 6, pace: 10, reads: ['/stock_adjustments?per_page=5'] }),
      ];
      await pause(1_500);
      const gateways = world.fleet.members.filter(({ name }) => name.startsWith('gateway'));
      const heldBefore = gateways.map(({ pid }) => residentMb(pid!));
      const hungAtMs = performance.now();
      world.fleet.member('catalog').signal('SIGSTOP');
      await pause(hungMs);
      const heldDuring = gateways.map(({ pid }) => residentMb(pid!));
      const backAtMs = performance.now();
      world.fleet.member('catalog').signal('SIGCONT');
      await until(() => failing.reads.slice(-20).every(({ status }) => status === 200), recoveryMaxMs);
      const recoveryMs = performance.now() - backAtMs;
      await failing.stop();
      await going.stop();

      const during = on(failing.reads, hungAtMs, backAtMs - 100).filter(({ status }) => status !== 200);
      expectUnavailable(during);
      // Times include the client's own waits for a processor: one of ten says nothing of the gateway.
      expect(percentile(during, 0.9)).toBeLessThanOrEqual(deadlineMs);
      const open = on(failing.reads, hungAtMs + 5_500, backAtMs - 100);
      const others = { before: on(going.reads, 0, hungAtMs), during: on(going.reads, hungAtMs, backAtMs) };
      report('catalog hung', { open, ...others, recoveryMs, heldBefore, heldDuring });
      expect(open.length).toBeGreaterThan(20);
      expectApart(open, others.during);
      expect(Object.keys(statuses(going.reads))).toEqual(['200']);
      for (const [n, held] of heldDuring.entries()) expect(held).toBeLessThanOrEqual(heldBefore[n]! + 60);
    },
    startMs,
  );

  test(
    'stopped by SIGTERM under load: every service and gateway finishes what is in flight and ends with 0 within 25 s',
    async () => {
      const load = await startLoad(world, { writers: 8, readers: 8, pace: 10 });
      await pause(500);
      const took: Record<string, number> = {};
      for (const name of ['gateway-2', 'inventory', 'catalog', 'gateway']) {
        const member = world.fleet.member(name);
        const startedAtMs = performance.now();
        member.signal('SIGTERM');
        await until(() => !member.running, 25_000);
        took[name] = Math.round(performance.now() - startedAtMs);
        expect([name, member.exitCode]).toEqual([name, 0]);
        if (!name.startsWith('gateway')) member.start();
      }
      await load.stop();
      report('SIGTERM', { took, writes: statuses(load.writes), reads: statuses(load.reads) });
      for (const name of ['gateway', 'gateway-2']) world.fleet.member(name).start();
      await until(async () => (await ask(`${world.fleet.gateways[0]}/readyz`)).status === 200, 60_000);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
      // A gateway answers what it has begun: a request that got no answer was never begun, and so has no effect.
      const unanswered = load.writes.filter(({ status }) => status === 0).map(({ mark }) => mark);
      const served = `select name as mark from catalog.products union all select reason from inventory.stock_adjustments`;
      const { rows } = await world.database.query(`select mark from (${served}) as made where mark = any ($1)`, [unanswered]);
      expect(rows).toEqual([]);
    },
    startMs,
  );
});

/**
 * Neither what asks the service that is away nor what does not waits for it: that would take the deadline of a call. What is refused
 * takes no longer than what is answered beside it.
 */
function expectApart(refused: Done[], beside: Done[]): void {
  expect(percentile(refused, 0.9)).toBeLessThanOrEqual(percentile(beside, 0.9) + refusalMs);
  expect(percentile(beside, 0.9)).toBeLessThan(deadlineMs);
}

/** D175: a service that is down or late is the unexpected error, without details. */
function expectUnavailable(requests: Done[]): void {
  const other = requests.filter(
    ({ status, body }) => status !== 500 || JSON.stringify(body) !== JSON.stringify({ error: texts.unexpected }),
  );
  expect(other.map(({ status, body, ms }) => ({ status, body, ms }))).toEqual([]);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function report(what: string, figures: Record<string, unknown>): void {
  if (!process.env.FAULT_REPORT) return;
  const shown = Object.entries(figures).map(([name, value]) => [
    name,
    Array.isArray(value) && typeof value[0] === 'object'
      ? `n ${value.length} p50 ${percentile(value, 0.5).toFixed(1)} p99 ${percentile(value, 0.99).toFixed(1)}`
      : value,
  ]);
  console.error(what, Object.fromEntries(shown));
}
