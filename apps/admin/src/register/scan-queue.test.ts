import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ScanQueue, scanFrom } from './scan-queue.ts';

const fault = new Error('no answer');

test('every scan is found once and in order, however late the answers', async () => {
  const scan = fc.record({ code: fc.integer({ min: 1, max: 30 }).map(String), quantity: fc.integer({ min: 1, max: 9 }) });
  const answers = fc.record({ scan, failures: fc.nat(3), turns: fc.nat(4), gap: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { maxLength: 40 }), async (till) => {
      const lines: [string, number][] = [];
      const unknown: string[] = [];
      const answered = till.map(({ failures, turns }) => ({ failures, turns }));
      let at = 0;
      const queue = new ScanQueue<string>({
        lookUp: async (code) => {
          const now = answered[at]!;
          for (let turn = 0; turn < now.turns; turn++) await Promise.resolve();
          if (now.failures-- > 0) throw fault;
          at++;
          // Every seventh product is unknown.
          return Number(code) % 7 === 0 ? undefined : code;
        },
        found: (code, { quantity }) => lines.push([code, quantity]),
        unknown: (code) => unknown.push(code),
        changed: () => undefined,
        pause: () => Promise.resolve(),
        isUnanswered: (error) => error === fault,
      });
      for (const { scan: next, gap } of till) {
        queue.add(next);
        for (let turn = 0; turn < gap; turn++) await Promise.resolve();
      }
      await queue.idle();
      const [known, others] = [till.filter((one) => Number(one.scan.code) % 7), till.filter((one) => !(Number(one.scan.code) % 7))];
      expect(lines).toEqual(known.map((one) => [one.scan.code, one.scan.quantity]));
      expect(unknown).toEqual(others.map((one) => one.scan.code));
    }),
    { numRuns: 1_000 },
  );
});

test('how many of a code are wanted stands before it', () => {
  expect([scanFrom('5000000000017'), scanFrom(' 3*LAN-1 '), scanFrom('12*'), scanFrom(' '), scanFrom('0*7')]).toEqual([
    { code: '5000000000017', quantity: 1 },
    { code: 'LAN-1', quantity: 3 },
    { code: '12*', quantity: 1 },
    undefined,
    { code: '0*7', quantity: 1 },
  ]);
});
