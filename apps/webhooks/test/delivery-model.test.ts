import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DeliveryState, EngineState, EngineStep, SubscriptionState } from '../src/deliveries/attempt-ended.ts';
import { modelStep } from './delivery-model.ts';
import { failed, history, status } from './engine-histories.ts';
import { BrokenRule, newSubscription } from './engine-rules.ts';
import { EngineWorld } from './engine-world.ts';

const historiesPerRun = 10_000;

const holdsFor = (engine: typeof modelStep) => fc.property(history, (ops) => new EngineWorld(engine).run(ops));

test(`the rules hold over ${historiesPerRun} random histories of crashes, repeats, clock jumps, disabling and revoking`, () => {
  fc.assert(holdsFor(modelStep), { numRuns: historiesPerRun });
}, 120_000);

describe('an engine with a single fault is detected by the same histories', () => {
  type Change = (result: EngineStep, before: EngineState, input: Parameters<typeof modelStep>[1], nowMs: number) => EngineStep;
  const broken =
    (change: Change): typeof modelStep =>
    (before, input, nowMs, waitsMs) =>
      change(modelStep(before, input, nowMs, waitsMs), before, input, nowMs);
  const withDelivery = (result: EngineStep, changes: Partial<DeliveryState>): EngineStep => ({
    ...result,
    state: { ...result.state, delivery: { ...result.state.delivery, ...changes } },
  });
  const withSubscription = (result: EngineStep, changes: Partial<SubscriptionState>): EngineStep => ({
    ...result,
    state: { ...result.state, subscription: { ...result.state.subscription, ...changes } },
  });
  const isEnd = (input: { kind: string }) => input.kind === 'ended';

  const mutants: [string, typeof modelStep][] = [
    [
      'a lost attempt is spent',
      broken((r, b, i) =>
        i.kind === 'lost' && b.delivery.state === 'leased' ? withDelivery(r, { attempts: b.delivery.attempts + 1 }) : r,
      ),
    ],
    ['a lost attempt waits', broken((r, _b, i, now) => (i.kind === 'lost' ? withDelivery(r, { dueAtMs: now + 60_000 }) : r))],
    [
      'the wait counts from when it was due',
      broken((r, b, i) =>
        isEnd(i) && r.state.delivery.state === 'pending' ? withDelivery(r, { dueAtMs: b.delivery.dueAtMs + 60_000 }) : r,
      ),
    ],
    [
      'a fifth failure is retried',
      broken((r, b, i) =>
        isEnd(i) && b.delivery.attempts === 4 && r.state.delivery.state === 'failed' ? withDelivery(r, { state: 'pending' }) : r,
      ),
    ],
    [
      'every failed attempt is counted',
      broken((r, b, i) =>
        isEnd(i) && r.state.delivery.state === 'pending' ? withSubscription(r, { failureCount: b.subscription.failureCount + 1 }) : r,
      ),
    ],
    ['a replay is counted', (before, input, now) => modelStep({ ...before, delivery: { ...before.delivery, manual: false } }, input, now)],
    [
      'a success resets nothing',
      broken((r, b, i) =>
        isEnd(i) && r.state.delivery.state === 'succeeded' ? withSubscription(r, { failureCount: b.subscription.failureCount }) : r,
      ),
    ],
    [
      'disabled only at exactly 5',
      broken((r, b, i) =>
        isEnd(i) && r.state.subscription.failureCount > 5
          ? withSubscription(r, { active: b.subscription.active, disabledAtMs: b.subscription.disabledAtMs })
          : r,
      ),
    ],
    ['failed replays end nothing', broken((r) => ({ ...r, effects: r.effects.filter((effect) => effect.kind !== 'cancel_replays') }))],
    ['disabling cancels nothing', broken((r) => ({ ...r, effects: r.effects.filter((effect) => effect.kind !== 'cancel_pending') }))],
    [
      'a disabling is dated again',
      broken((r, b, i, now) => (isEnd(i) && b.subscription.disabledAtMs !== null ? withSubscription(r, { disabledAtMs: now }) : r)),
    ],
    [
      'an end is told twice and counts twice',
      (before, input, now) =>
        modelStep(isEnd(input) ? { ...before, delivery: { ...before.delivery, state: 'leased' } } : before, input, now),
    ],
    [
      'expiry is not looked at',
      (before, input, now) => modelStep({ ...before, subscription: { ...before.subscription, keyExpiresAtMs: null } }, input, now),
    ],
    [
      'a disabled subscription keeps its retries',
      broken((r, _b, i) => (isEnd(i) && r.state.delivery.state === 'skipped' ? withDelivery(r, { state: 'pending' }) : r)),
    ],
    ['it is sent before it is due', (before, input, now) => modelStep(before, input, input.kind === 'claimed' ? now + 30_000 : now)],
    [
      'it is sent while another holds it',
      (before, input, now) =>
        modelStep(
          input.kind === 'claimed' && before.delivery.state === 'leased'
            ? { ...before, delivery: { ...before.delivery, state: 'pending' } }
            : before,
          input,
          now,
        ),
    ],
    [
      '410 is retried',
      (before, input, now) =>
        modelStep(
          before,
          isEnd(input) && 'outcome' in input && input.outcome.kind === 'response' && input.outcome.status === 410
            ? { kind: 'ended', outcome: status(503) }
            : input,
          now,
        ),
    ],
    [
      '429 is final',
      (before, input, now) =>
        modelStep(
          before,
          isEnd(input) && 'outcome' in input && input.outcome.kind === 'response' && input.outcome.status === 429
            ? { kind: 'ended', outcome: status(404) }
            : input,
          now,
        ),
    ],
    ['an end is not logged', broken((r) => ({ ...r, effects: r.effects.filter((effect) => effect.kind !== 'log') }))],
  ];
  test.each(mutants)('%s', (_title, engine) => {
    const result = fc.check(holdsFor(engine), { numRuns: 3_000, endOnFailure: true });
    expect(result.failed).toBe(true);
    expect(result.errorInstance).toBeInstanceOf(BrokenRule);
  });
});

describe('cases that the histories do not cover', () => {
  const nowMs = 1_000_000;
  const state = (subscription: Partial<SubscriptionState> = {}, delivery: Partial<DeliveryState> = {}): EngineState => ({
    delivery: { state: 'leased', attempts: 0, dueAtMs: 0, manual: false, ...delivery },
    subscription: { ...newSubscription, ...subscription },
  });
  const notices = ({ effects }: EngineStep) =>
    effects.flatMap((effect) => (effect.kind === 'notice' ? [`${effect.notice} ${effect.failureCount}`] : []));

  test.each([
    [0, ['delivery_exhausted 1']],
    [1, ['delivery_exhausted 2']],
    [2, ['delivery_exhausted 3', 'failing_60 3']],
    [3, ['delivery_exhausted 4', 'failing_80 4']],
    [4, ['delivery_exhausted 5', 'disabled 5']],
    [5, ['delivery_exhausted 6', 'disabled 6']],
  ])('a final failure at failure_count %d tells the staff side %j', (failureCount, expected) => {
    expect(notices(modelStep(state({ failureCount }), { kind: 'ended', outcome: status(410) }, nowMs))).toEqual(expected);
  });

  test('an attempt that was in flight when the subscription was disabled takes the count past 5 and disables nothing again (D152)', () => {
    const before = state({ active: false, failureCount: 5, disabledAtMs: 7 });
    const { state: after, effects } = modelStep(before, { kind: 'ended', outcome: status(404) }, nowMs);
    expect(after.subscription).toMatchObject({ active: false, failureCount: 6, disabledAtMs: 7 });
    expect(effects.map(({ kind }) => kind)).toEqual(['log', 'notice']);
  });

  test('a success of a disabled subscription resets the count and enables nothing', () => {
    const { state: after } = modelStep(
      state({ active: false, failureCount: 5, disabledAtMs: 7 }),
      { kind: 'ended', outcome: status(204) },
      nowMs,
    );
    expect(after.subscription).toMatchObject({ active: false, failureCount: 0, disabledAtMs: 7 });
  });

  test('the key expires at the very millisecond of expires_at (D8)', () => {
    const pending = (keyExpiresAtMs: number) => modelStep(state({ keyExpiresAtMs }, { state: 'pending' }), { kind: 'claimed' }, nowMs);
    expect(pending(nowMs + 1).effects).toEqual([{ kind: 'send', attempt: 1 }]);
    expect(pending(nowMs)).toMatchObject({ state: { delivery: { state: 'skipped' } }, effects: [] });
  });

  test('the waits are those of the setting (D153)', () => {
    const waits = [10, 20, 30, 40];
    for (const [attempts, wait] of waits.entries()) {
      const { state: after } = modelStep(state({}, { attempts }), { kind: 'ended', outcome: failed('timeout') }, nowMs, waits);
      expect(after.delivery).toMatchObject({ state: 'pending', attempts: attempts + 1, dueAtMs: nowMs + wait });
    }
  });
});
