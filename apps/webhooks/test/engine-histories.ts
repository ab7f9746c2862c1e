/** Random histories of a delivery engine: mixed events, a receiver that keeps failing, many attempts in flight at once. */
import fc from 'fast-check';
import type { FailureReason, Outcome } from '../src/receivers/types.ts';
import type { Op } from './engine-rules.ts';

export const status = (code: number): Outcome => ({ kind: 'response', status: code, durationMs: 9 });
export const failed = (reason: FailureReason): Outcome => ({ kind: 'failed', reason, durationMs: 9 });

const anyOutcome = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(200, 201, 204, 299).map(status) },
  { weight: 4, arbitrary: fc.constantFrom(429, 500, 503, 599).map(status) },
  { weight: 2, arbitrary: fc.constantFrom(100, 301, 400, 404, 410).map(status) },
  { weight: 3, arbitrary: fc.constantFrom<FailureReason>('timeout', 'refused', 'reset', 'dns', 'tls').map(failed) },
  { weight: 1, arbitrary: fc.constantFrom<FailureReason>('blocked', 'not_https').map(failed) },
);
const index = fc.nat(11);
const byWorkers = new Set<string>(['claim', 'claim_any', 'send', 'end', 'repeat_end', 'lose']);
/** How often each operation comes. */
const weights = {
  ...{ event: 6, replay: 1, claim: 10, claim_any: 2, send: 3, end: 10, repeat_end: 2, lose: 2 },
  ...{ next_due: 10, just_before_due: 1, enable: 2, disable: 1, reset: 1, revoke: 1, expire: 1, delete: 1 },
};
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  ...Object.entries(weights).map(([kind, weight]) => {
    const arbitrary = fc.record({ kind: fc.constant(kind), ...(byWorkers.has(kind) && { pick: index }) });
    return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<Op> };
  }),
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('answer' as const), pick: index, outcome: anyOutcome }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: -7_200_000, max: 7_200_000 }) }) },
);
const anyHistory = fc.array(anyOp, { minLength: 1, maxLength: 120, size: 'max' });
/** Cases that are rare in a mixed history: a receiver that keeps failing in one way, with more events waiting. */
const failingOutcome = fc.oneof(
  fc.constantFrom(429, 500, 503).map(status),
  fc.constantFrom<FailureReason>('timeout', 'dns', 'tls').map(failed),
);
const roundOf = (outcomes: fc.Arbitrary<Outcome>) =>
  fc.record({
    outcome: outcomes,
    event: fc.option(fc.constantFrom<Op['kind']>('event', 'event', 'replay')),
    lose: fc.nat(9).map((n) => n === 0),
    after: fc.option(fc.constantFrom<Op['kind']>('enable', 'enable', 'reset', 'revoke'), { freq: 3 }),
    pick: fc.nat(2),
  });
const failingHistory = fc
  .constantFrom(anyOutcome, failingOutcome, fc.constantFrom(404, 410).map(status), fc.oneof(failingOutcome, fc.constant(status(404))))
  .chain((outcomes) => fc.array(roundOf(outcomes), { minLength: 5, maxLength: 40, size: 'max' }))
  .map((rounds) => rounds.flatMap(opsOf));

type Round = ReturnType<typeof roundOf> extends fc.Arbitrary<infer R> ? R : never;

function opsOf({ outcome, event, lose, after, pick }: Round): Op[] {
  const claim: Op = { kind: 'claim', pick };
  const named = (kind: Op['kind'] | null) => (kind ? [{ kind } as Op] : []);
  const lost: Op[] = lose ? [{ kind: 'lose', pick: 0 }, claim] : [];
  const ends: Op[] = [
    { kind: 'answer', pick: 0, outcome },
    { kind: 'end', pick: 0 },
  ];
  return [...named(event), { kind: 'just_before_due' }, claim, { kind: 'next_due' }, claim, ...lost, ...ends, ...named(after)];
}

/** Many attempts in flight, so that some end after the one that disables the subscription. */
const burst = fc.tuple(
  fc.integer({ min: 2, max: 12 }),
  fc.array(fc.tuple(index, anyOutcome, fc.nat(1_000)), { minLength: 5, maxLength: 20, size: 'max' }),
);
const burstHistory = burst.map(([size, ends]): Op[] => [
  ...Array.from({ length: size }, (): Op => ({ kind: 'event' })),
  ...Array.from({ length: size }, (): Op => ({ kind: 'claim', pick: 0 })),
  ...ends.flatMap(([pick, outcome, ms]): Op[] => [
    { kind: 'answer', pick, outcome },
    { kind: 'clock', ms },
    { kind: 'end', pick },
  ]),
]);
/** The histories that every engine is tested with. */
export const history = fc.oneof(anyHistory, failingHistory, burstHistory);
