/**
 * A simulation around the delivery engine: one subscription, its deliveries, workers that stall and die between any two effects, a clock
 * that jumps. It does with the model what the service does in its transactions, and keeps its own records, based on the specification and
 * not on the engine's code; a broken rule throws.
 */
import type { DeliveryState, EngineState } from '../src/deliveries/attempt-ended.ts';
import type { Outcome } from '../src/receivers/types.ts';
import type { ModelInput, modelStep } from './delivery-model.ts';
import {
  changedBy,
  type Delivery,
  failuresAllowed,
  type Held,
  isOpen,
  newSubscription,
  type Op,
  pick,
  retried,
  rule,
  type SubscriptionOp,
  succeeded,
  type WorkerOp,
  waits,
} from './engine-rules.ts';

export class EngineWorld {
  readonly #step: typeof modelStep;
  #nowMs = Date.parse('2026-11-21T12:00:00Z');
  #subscription = newSubscription;
  readonly #deliveries: Delivery[] = [];
  #held: Held[] = [];
  #ended: Held[] = [];
  #leases = 0;
  /** Own records. */
  #failureCount = 0;
  #replayFailures = 0;
  #disabledAtMs: number | null = null;

  constructor(engine: typeof modelStep) {
    this.#step = engine;
  }

  run(ops: readonly Op[]): void {
    for (const op of ops) {
      this.#apply(op);
      this.#check();
    }
    this.#heal();
    this.#check();
  }

  #apply(op: Op): void {
    switch (op.kind) {
      case 'event':
      case 'replay':
        // Fan-out adds nothing for a subscription that may not receive.
        if (this.#mayPost()) this.#add(op.kind === 'replay');
        return;
      case 'clock':
        this.#nowMs += op.ms;
        return;
      case 'next_due':
        this.#nowMs = Math.max(this.#nowMs, ...this.#pending().map(({ state }) => state.dueAtMs));
        return;
      case 'just_before_due':
        if (this.#pending().length > 0) this.#nowMs = Math.min(...this.#pending().map(({ state }) => state.dueAtMs)) - 1;
        return;
      default:
        if ('pick' in op) this.#applyToWorker(op);
        else this.#applyToSubscription(op.kind);
    }
  }

  #applyToWorker(op: WorkerOp): void {
    const held = pick(this.#held, op.pick);
    if (op.kind === 'claim') this.#claim(pick(this.#pending(), op.pick));
    if (op.kind === 'claim_any') this.#claim(pick(this.#deliveries, op.pick));
    if (op.kind === 'send') this.#send(held);
    if (op.kind === 'answer') this.#send(held, op.outcome);
    if (op.kind === 'end') this.#end(held);
    if (op.kind === 'repeat_end') this.#repeatEnd(pick(this.#ended, op.pick));
    if (op.kind === 'lose') this.#lose(held);
  }

  #applyToSubscription(kind: SubscriptionOp['kind']): void {
    this.#subscription = changedBy(kind, this.#subscription, this.#nowMs);
    if (kind === 'reset') [this.#failureCount, this.#replayFailures] = [0, 0];
    if (kind === 'reset' || kind === 'enable') this.#disabledAtMs = null;
    if (kind === 'disable' || kind === 'revoke' || kind === 'delete') this.#skip(this.#pending());
  }

  #pending(): Delivery[] {
    return this.#deliveries.filter(({ state }) => state.state === 'pending');
  }

  #mayPost(): boolean {
    const { active, deleted, keyRevokedAtMs, keyExpiresAtMs } = this.#subscription;
    return active && !deleted && keyRevokedAtMs === null && !(keyExpiresAtMs !== null && this.#nowMs >= keyExpiresAtMs);
  }

  #add(manual: boolean): void {
    const state: DeliveryState = { state: 'pending', attempts: 0, dueAtMs: this.#nowMs, manual };
    this.#deliveries.push({ state, lease: 0, manual, posts: 0, losses: 0, counted: [], notBeforeMs: this.#nowMs, cancelled: false });
  }

  #stepOf(delivery: Delivery, input: ModelInput) {
    const before: EngineState = Object.freeze({ delivery: Object.freeze(delivery.state), subscription: Object.freeze(this.#subscription) });
    const result = this.#step(before, input, this.#nowMs);
    delivery.state = result.state.delivery;
    this.#subscription = result.state.subscription;
    if (!this.#mayPost() && delivery.state.state === 'skipped') delivery.cancelled = true;
    return { before, effects: result.effects };
  }

  #claim(delivery: Delivery | undefined): void {
    if (!delivery) return;
    const { before, effects } = this.#stepOf(delivery, { kind: 'claimed' });
    const sends = effects.filter((effect) => effect.kind === 'send');
    if (before.delivery.state !== 'pending') rule(sends.length === 0, 'only a pending delivery is sent');
    const [send] = sends;
    if (!send) return;
    rule(sends.length === 1, 'one claim is one POST');
    rule(this.#mayPost(), 'Delivery 5 and 6: a disabled, revoked, expired or deleted subscription receives nothing');
    rule(!delivery.cancelled, 'D152: what was pending when the subscription was switched off does not resume');
    rule(this.#nowMs >= delivery.notBeforeMs, 'Delivery 3: the wait between attempts is kept');
    rule(send.attempt === delivery.counted.length + 1, 'a lost attempt keeps its number, an ended one does not');
    rule(send.attempt <= 5, 'Delivery 3: up to 5 attempts');
    delivery.lease = ++this.#leases;
    this.#held.push({ delivery, lease: delivery.lease, attempt: send.attempt, outcome: undefined, sent: false });
  }

  /** One POST of a claim, whatever is asked; the first answer counts. */
  #send(held: Held | undefined, outcome?: Outcome): void {
    if (!held) return;
    if (!held.sent) held.delivery.posts += 1;
    held.sent = true;
    held.outcome ??= outcome;
  }

  #end(held: Held | undefined): void {
    if (!held?.outcome) return;
    this.#held = this.#held.filter((one) => one !== held);
    this.#ended.push(held);
    // As record.ts: an attempt whose lease was lost changes nothing.
    if (held.delivery.lease === held.lease) this.#record(held, held.outcome);
  }

  #record({ delivery, attempt }: Held, outcome: Outcome): void {
    const { before, effects } = this.#stepOf(delivery, { kind: 'ended', outcome });
    if (before.delivery.state !== 'leased') rule(effects.length === 0, 'an end that is recorded twice does nothing');
    if (before.delivery.state !== 'leased') return;
    delivery.lease = 0;
    delivery.counted.push(outcome);
    const [log, ...others] = effects.filter((effect) => effect.kind === 'log');
    rule(others.length === 0 && log?.attempt === attempt && log.success === succeeded(outcome), 'Delivery 1: every attempt is logged once');
    this.#keepBooks(delivery, outcome, before);
    const cancelsPending = effects.some((effect) => effect.kind === 'cancel_pending');
    if (cancelsPending) this.#skip(this.#pending());
    const endsReplays = effects.some((effect) => effect.kind === 'cancel_replays');
    const hasFailed = delivery.state.state === 'failed';
    const mayEnd = delivery.manual && hasFailed && this.#replayFailures >= failuresAllowed;
    rule(endsReplays === mayEnd, 'D140: five failed replays end the others');
    if (endsReplays) this.#skip(this.#pending().filter(({ manual }) => manual));
    const notices = effects.flatMap((effect) => (effect.kind === 'notice' ? [effect.notice] : []));
    const disabledNow = before.subscription.active && !this.#subscription.active;
    rule(notices.includes('disabled') === disabledNow, 'staff get one notice of a disabling');
    rule(cancelsPending === disabledNow, 'disabling cancels what is pending');
    rule(notices.includes('delivery_exhausted') === hasFailed, 'staff get a notice of a delivery that finally failed');
  }

  #keepBooks(delivery: Delivery, outcome: Outcome, before: EngineState): void {
    const finallyFailed = !succeeded(outcome) && (!retried(outcome) || delivery.counted.length === 5);
    if (succeeded(outcome)) {
      [this.#failureCount, this.#replayFailures] = [0, 0];
      rule(delivery.state.state === 'succeeded', 'Delivery 1: any 2xx is a success');
    } else if (finallyFailed) {
      rule(delivery.state.state === 'failed', 'Delivery 2 and 3: a final outcome or the fifth failure ends it');
      if (delivery.manual) this.#replayFailures += 1;
      else this.#failureCount += 1;
      const reaches = this.#failureCount >= failuresAllowed && before.subscription.active && !delivery.manual;
      if (reaches) this.#disabledAtMs = this.#nowMs;
      rule(this.#subscription.active === (before.subscription.active && !reaches), 'Delivery 5: disabled at 5, and by nothing else');
    } else if (delivery.state.state === 'pending') {
      delivery.notBeforeMs = this.#nowMs + waits[delivery.counted.length - 1]!;
      rule(delivery.state.dueAtMs === delivery.notBeforeMs, 'D138: the wait is measured from the end of the attempt');
    } else {
      rule(delivery.state.state === 'skipped' && !this.#mayPost(), 'Delivery 2: this outcome is retried');
    }
  }

  #repeatEnd(held: Held | undefined): void {
    // The commit's answer was lost and the result is recorded again; by then nobody holds the lease.
    if (!held || held.delivery.state.state === 'leased') return;
    const now = () => JSON.stringify([held.delivery.state, this.#subscription]);
    const before = now();
    const { effects } = this.#stepOf(held.delivery, { kind: 'ended', outcome: held.outcome! });
    rule(effects.length === 0, 'an end that is recorded twice does nothing');
    rule(now() === before, 'an end that is recorded twice changes nothing');
  }

  /** The lease expires. The worker may be dead, or stalled: then it still sends and records its result later. */
  #lose(held: Held | undefined): void {
    if (!held || held.delivery.lease !== held.lease) return;
    const { delivery } = held;
    const { attempts } = delivery.state;
    const mayGoOn = this.#mayPost();
    this.#stepOf(delivery, { kind: 'lost' });
    delivery.lease = 0;
    delivery.losses += 1;
    delivery.notBeforeMs = this.#nowMs;
    rule(delivery.state.attempts === attempts, 'D150: a failure of ours spends no attempt');
    rule(delivery.state.state === (mayGoOn ? 'pending' : 'skipped'), 'a lost attempt is due again, where it may be');
    rule(!mayGoOn || delivery.state.dueAtMs <= this.#nowMs, 'a lost attempt is due at once');
  }

  #skip(pending: Delivery[]): void {
    for (const delivery of pending) {
      delivery.state = { ...delivery.state, state: 'skipped' };
      delivery.cancelled = true;
    }
  }

  #check(): void {
    rule(this.#subscription.failureCount === this.#failureCount, 'Delivery 5: failure_count counts final failures since the last success');
    rule(this.#subscription.replayFailures === this.#replayFailures, 'D140: failed replays are counted since the last success');
    rule(this.#subscription.disabledAtMs === this.#disabledAtMs, 'disabled_at is the moment of the disabling');
    for (const { state, counted, posts, losses, cancelled } of this.#deliveries) {
      rule(state.attempts === counted.length, 'attempts counts what ended');
      rule(posts <= 5 + losses, 'P13: POSTs are at most 5 and one for each crash in flight');
      if (cancelled) rule(!isOpen(state), 'D152: what was cancelled stays so');
    }
  }

  /** Recovery: all claimed deliveries end, all due ones are sent, until nothing is left. */
  #heal(): void {
    const ok: Outcome = { kind: 'response', status: 200, durationMs: 1 };
    for (let turn = 0; turn < 20; turn++) {
      for (const held of [...this.#held]) {
        this.#send(held, ok);
        this.#end(held);
      }
      this.#apply({ kind: 'next_due' });
      for (const delivery of this.#deliveries) this.#claim(delivery);
    }
    rule(!this.#deliveries.some(({ state }) => isOpen(state)), 'nothing stays unfinished');
  }
}
