import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { isReady } from '../kit/fleet-world.ts';
import { type Answer, send } from '../kit/http.ts';
import { residentMb } from '../kit/usage.ts';
import { useFleet } from '../kit/use.ts';
import { expectNothingLostOrDoubled, settled, startAgain } from './invariants.ts';
import { between, type Done, makeProducts, percentile, report, startLoad, statuses, statusesOfAll } from './load.ts';

const startMs = 120_000;
const seconds = Number(process.env.FAULT_SECONDS ?? 3);
const writeDeadlineMs = 5_000;
const deadlineMs = writeDeadlineMs + 100;
/** What a refusal may take beyond an answer of the same moment, which does more work: how busy the machine is counts for both. */
const refusalMs = 50;
const recoveryMaxMs = 20_000;
/** Until a process accepts connections, on a busy machine. */
const processStartMs = 10_000;
const burstCount = 500;
/** A burst, its repetition, and late ones four times more, stay below the cold limit of 60 requests a minute. */
const perKey = 10;

/** A call that has no turn within a quarter of its time is refused, as its answer would come too late. */
const turnMs = writeDeadlineMs / 4;
/** Of what a machine can be too slow for, a new connection to PostgreSQL has the shortest time. */
const stepMs = 4_000;
/** A slow machine refuses some writes of a burst for want of a turn; such a refusal says when to try again (D175). */
const isLate = ({ status, ms, headers }: Answer) => status === 500 && ms >= (headers.has('Retry-After') ? turnMs : stepMs);

describeWithKafka('one process per app', () => {
  const world = useFleet({ gateways: 2 });
  afterEach(() => startAgain(world));

  describe('a burst', () => {
    let keys: string[];
    let products: number[];
    const freshKeys = () => Promise.all(Array.from({ length: burstCount / perKey }, async () => (await world.newKey()).key));
    beforeAll(async () => {
      keys = await freshKeys();
      products = await makeProducts(world, keys[0]!, burstCount / perKey);
    }, startMs);

    const write = (path: string, method: string, bodyOf: (n: number) => object) => (n: number) =>
      world.call(method, path, { key: keys[Math.floor(n / perKey)], body: bodyOf(n), idempotencyKey: `${path}-${n}` });
    const allAtOnce = (one: (n: number) => Promise<Answer>) => Promise.all(Array.from({ length: burstCount }, (_, n) => one(n)));
    const productOf = (n: number) => products[n % products.length];
    const statusesOf = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];
    const dataOf = (answers: Answer[]) => answers.map(({ body }) => body.data);

    test.each([
      [
        'POST',
        '/stock_adjustments',
        201,
        (n: number) => ({ product_id: productOf(n), adjustment_type: 'receive', quantity_change: n + 1 }),
      ],
      ['POST', '/products', 201, (n: number) => ({ product: { name: `Burst ${n}` } })],
      [
        'PATCH',
        '/products/bulk_update',
        200,
        (n: number) => ({ product_ids: [productOf(n)], updates: { price: n + 1, current_stock: n + 1 } }),
      ],
    ] as const)(
      `of ${burstCount} writes, %s %s, repeated: each is done once, only late ones 5xx`,
      async (method, path, status, bodyOf) => {
        const one = write(path, method, bodyOf);
        let answers = await allAtOnce(one);
        report('burst', { path, late: answers.filter(isLate).length, ms: Math.max(...answers.map(({ ms }) => ms)) });
        expect(answers.filter((answer) => answer.status !== status && !isLate(answer))).toEqual([]);
        while (answers.some(isLate)) answers = await Promise.all(answers.map((answer, n) => (isLate(answer) ? one(n) : answer)));
        const again = await allAtOnce(one);
        expect([statusesOf(answers), statusesOf(again)]).toEqual([[status], [status]]);
        expect(dataOf(again)).toEqual(dataOf(answers));
        if (method === 'POST') expect(new Set(dataOf(again).map(({ id }) => id)).size).toBe(burstCount);
        // The cold limit of each key is counted per minute.
        keys = await freshKeys();
      },
      startMs,
    );

    test(`of ${burstCount} duplicates of one write that is under way: all get its answer`, async () => {
      const { key } = await world.newKey();
      await world.call('GET', '/key', { key });
      const body = { product_id: products[0], adjustment_type: 'receive', quantity_change: 1, reason: 'Once' };
      const once = () => world.call('POST', '/stock_adjustments', { key, body, idempotencyKey: 'one-of-all' });
      const answers = await Promise.all(Array.from({ length: burstCount }, once));
      expect(statusesOf(answers)).toEqual([201]);
      expect(new Set(dataOf(answers).map((data) => JSON.stringify(data))).size).toBe(1);
      const { rowCount } = await world.database.query(`select from inventory.stock_adjustments where reason = 'Once'`);
      expect(rowCount).toBe(1);
    });
  });

  describe('killed', () => {
    test.each([
      { service: 'catalog', dead: '/products?per_page=5', alive: '/stock_adjustments?per_page=5' },
      { service: 'inventory', dead: '/stock_adjustments?per_page=5', alive: '/products?per_page=5' },
    ])(
      '$service: its routes answer 500, others go on, and it is found again',
      async ({ service, dead, alive }) => {
        const [failing, going] = [
          await startLoad(world, { writers: 0, readers: 6, pace: 10, reads: [dead] }),
          await startLoad(world, { writers: 0, readers: 6, pace: 10, reads: [alive] }),
        ];
        await wait(1_500);
        const member = world.fleet.member(service);
        const killedAtMs = performance.now();
        await member.kill();
        await wait(seconds * 1_000);
        const startedAtMs = performance.now();
        member.start();
        const answered = async () => (await world.call('GET', `${dead}`, { key: failing.keys[0]!.key })).status === 200;
        await until(answered, recoveryMaxMs + processStartMs);
        await until(() => failing.reads.slice(-6).every(({ status }) => status === 200), recoveryMaxMs);
        const backMs = performance.now() - startedAtMs;
        await failing.stop();
        await going.stop();

        const during = between(failing.reads, killedAtMs + 20, startedAtMs);
        expectUnavailable(during);
        const knownDown = between(during, killedAtMs + 200, startedAtMs);
        const others = { before: between(going.reads, 0, killedAtMs), during: between(going.reads, killedAtMs, startedAtMs) };
        report(`${service} killed`, {
          down: percentile(knownDown, 0.99),
          before: percentile(others.before, 0.99),
          during: percentile(others.during, 0.99),
          backMs,
        });
        expectApart(knownDown, others.during);
        expect(statusesOfAll(going)).toEqual(['200']);
      },
      startMs,
    );

    test('a gateway: the other one continues, and it serves again after its restart', async () => {
      const load = await startLoad(world, { writers: 2, readers: 4, pace: 8, api: [world.api[0]!] });
      const member = world.fleet.member('gateway-2');
      await member.kill();
      await wait(1_000);
      member.start();
      await until(() => isReady(world.fleet.gateways[1]!), 60_000);
      await load.stop();
      expect(statusesOfAll(load)).toEqual(['200', '201']);
      expect((await send('GET', `${world.api[1]}/products`, { key: load.keys[0]!.key })).status).toBe(200);
    });
  });

  test(
    'catalog hung: its routes answer 500 in time, then at once; others go on',
    async () => {
      const hungMs = Math.max(8, seconds) * 1_000;
      const [failing, going] = [
        await startLoad(world, { writers: 0, readers: 20, pace: 20, reads: ['/products?per_page=5'] }),
        await startLoad(world, { writers: 0, readers: 6, pace: 10, reads: ['/stock_adjustments?per_page=5'] }),
      ];
      await wait(1_500);
      const gateways = world.fleet.members.filter(({ name }) => name.startsWith('gateway'));
      const heldBefore = gateways.map(({ pid }) => residentMb({ pid: pid! }).pid!);
      const hungAtMs = performance.now();
      world.fleet.member('catalog').signal('SIGSTOP');
      await wait(hungMs);
      const heldDuring = gateways.map(({ pid }) => residentMb({ pid: pid! }).pid!);
      const backAtMs = performance.now();
      world.fleet.member('catalog').signal('SIGCONT');
      await until(() => failing.reads.slice(-20).every(({ status }) => status === 200), recoveryMaxMs);
      const recoveryMs = performance.now() - backAtMs;
      await failing.stop();
      await going.stop();

      const during = between(failing.reads, hungAtMs, backAtMs - 100).filter(({ status }) => status !== 200);
      expectUnavailable(during);
      // Times include the client's own waits for a processor: one of ten says nothing of the gateway.
      expect(percentile(during, 0.9)).toBeLessThanOrEqual(deadlineMs);
      const open = between(failing.reads, hungAtMs + 5_500, backAtMs - 100);
      const others = { before: between(going.reads, 0, hungAtMs), during: between(going.reads, hungAtMs, backAtMs) };
      report('catalog hung', { open: percentile(open, 0.99), during: percentile(others.during, 0.99), recoveryMs, heldBefore, heldDuring });
      expect(open.length).toBeGreaterThan(20);
      expectApart(open, others.during);
      expect(statusesOfAll(going)).toEqual(['200']);
      for (const [n, held] of heldDuring.entries()) expect(held).toBeLessThanOrEqual(heldBefore[n]! + 60);
    },
    startMs,
  );

  test(
    'stopped by SIGTERM under load: each finishes its work and exits 0 within 25 s',
    async () => {
      const load = await startLoad(world, { writers: 8, readers: 8, pace: 10 });
      await wait(500);
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
      await until(() => isReady(world.fleet.gateways[0]!), 60_000);
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
