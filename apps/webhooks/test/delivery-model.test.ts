import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DeliveryState, EngineEffect, EngineState, EngineStep, SubscriptionState } from '../src/deliveries/attempt-ended.ts';
import { modelStep } from './delivery-model.ts';
import { failed, history, status } from './engine-histories.ts';
import { BrokenRule, newSubscription } from './engine-rules.ts';
import { EngineWorld } from './engine-world.ts';

const historiesPerRun = 10_000;
/** A run ends with the first history that breaks a rule; the rarest fault takes some 1,500. */
const detectedWithin = 100_000;

const holdsFor = (engine: typeof modelStep) => fc.property(history, (ops) => new EngineWorld(engine).run(ops));

test(`the rules hold over ${historiesPerRun} random histories with crashes`, () => {
  fc.assert(holdsFor(modelStep), { numRuns: historiesPerRun });
}, 120_000);

describe('an engine with a single fault is detected by the same histories', () => {
  type Engine = typeof modelStep;
  type Input = Parameters<Engine>[1];
  type Change = (result: EngineStep, before: EngineState, nowMs: number) => EngineStep;
  /** Changes what follows from inputs of a kind, where `after` is given only where it leaves the delivery in that state. */
  const when =
    (kind: Input['kind'], change: Change, after?: DeliveryState['state']): Engine =>
    (before, input, nowMs, waitsMs) => {
      const result = modelStep(before, input, nowMs, waitsMs);
      return input.kind === kind && (!after || result.state.delivery.state === after) ? change(result, before, nowMs) : result;
    };
  /** Changes what the engine is given. */
  const given =
    (change: (state: EngineState, input: Input, nowMs: number) => [EngineState, Input, number]): Engine =>
    (...asked) =>
      modelStep(...change(asked[0], asked[1], asked[2]));
  const delivery = ({ state, effects }: EngineStep, changes: Partial<DeliveryState>): EngineStep => ({
    state: { ...state, delivery: { ...state.delivery, ...changes } },
    effects,
  });
  const subscription = ({ state, effects }: EngineStep, changes: Partial<SubscriptionState>): EngineStep => ({
    state: { ...state, subscription: { ...state.subscription, ...changes } },
    effects,
  });
  const without = (kind: EngineEffect['kind']) =>
    when('ended', (r) => ({ ...r, effects: r.effects.filter((effect) => effect.kind !== kind) }));
  const inState = (state: EngineState, changes: Partial<DeliveryState>) => ({ ...state, delivery: { ...state.delivery, ...changes } });
  /** Takes one status for another. */
  const mistaking = (code: number, taken: number) =>
    given((b, i, now) => {
      const isIt = i.kind === 'ended' && i.outcome.kind === 'response' && i.outcome.status === code;
      return [b, isIt ? { kind: 'ended', outcome: status(taken) } : i, now];
    });

  const mutants: [string, Engine][] = [
    [
      'a lost attempt is spent',
      when('lost', (r, b) => (b.delivery.state === 'leased' ? delivery(r, { attempts: b.delivery.attempts + 1 }) : r)),
    ],
    ['a lost attempt waits', when('lost', (r, _b, now) => delivery(r, { dueAtMs: now + 60_000 }))],
    ['the wait counts from when it was due', when('ended', (r, b) => delivery(r, { dueAtMs: b.delivery.dueAtMs + 60_000 }), 'pending')],
    ['a fifth failure is retried', when('ended', (r, b) => (b.delivery.attempts === 4 ? delivery(r, { state: 'pending' }) : r), 'failed')],
    [
      'every failed attempt is counted',
      when('ended', (r, b) => subscription(r, { failureCount: b.subscription.failureCount + 1 }), 'pending'),
    ],
    ['a replay is counted', given((b, i, now) => [inState(b, { manual: false }), i, now])],
    ['a success resets nothing', when('ended', (r, b) => subscription(r, { failureCount: b.subscription.failureCount }), 'succeeded')],
    [
      'disabled only at exactly 5',
      when('ended', (r, { subscription: { active, disabledAtMs } }) =>
        r.state.subscription.failureCount > 5 ? subscription(r, { active, disabledAtMs }) : r,
      ),
    ],
    ['failed replays end nothing', without('cancel_replays')],
    ['disabling cancels nothing', without('cancel_pending')],
    [
      'a disabling is dated again',
      when('ended', (r, b, now) => (b.subscription.disabledAtMs !== null ? subscription(r, { disabledAtMs: now }) : r)),
    ],
    ['an end that is repeated counts twice', given((b, i, now) => [i.kind === 'ended' ? inState(b, { state: 'leased' }) : b, i, now])],
    ['expiry is ignored', given((b, i, now) => [{ ...b, subscription: { ...b.subscription, keyExpiresAtMs: null } }, i, now])],
    ['a disabled subscription keeps its retries', when('ended', (r) => delivery(r, { state: 'pending' }), 'skipped')],
    ['it is sent before it is due', given((b, i, now) => [b, i, i.kind === 'claimed' ? now + 30_000 : now])],
    [
      'it is sent while another holds it',
      given((b, i, now) => [i.kind === 'claimed' && b.delivery.state === 'leased' ? inState(b, { state: 'pending' }) : b, i, now]),
    ],
    ['410 is retried', mistaking(410, 503)],
    ['429 is final', mistaking(429, 404)],
    ['an end is not logged', without('log')],
  ];
  test.each(mutants)('%s', (_title, engine) => {
    const result = fc.check(holdsFor(engine), { numRuns: detectedWithin, endOnFailure: true });
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
  ])('a final failure at failure_count %d gives staff the notices %j', (failureCount, expected) => {
    expect(notices(modelStep(state({ failureCount }), { kind: 'ended', outcome: status(410) }, nowMs))).toEqual(expected);
  });

  test.each([
    ['a failure takes the count past 5 and disables nothing again (D152)', 404, 6, ['log', 'notice']],
    ['a success resets the count and enables nothing', 204, 0, ['log']],
  ])('of an attempt in flight at the disabling %s', (_title, code, failureCount, kinds) => {
    const before = state({ active: false, failureCount: 5, disabledAtMs: 7 });
    const { state: after, effects } = modelStep(before, { kind: 'ended', outcome: status(code) }, nowMs);
    expect(after.subscription).toMatchObject({ active: false, failureCount, disabledAtMs: 7 });
    expect(effects.map(({ kind }) => kind)).toEqual(kinds);
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
