/** Metrics of deliveries: outcomes of this process's attempts and deliveries, and pending ones in the schema. */
import type { Log, Metrics } from '@store/service';
import { failureReasons } from '../receivers/types.ts';
import type { DeliveryState } from './attempt-ended.ts';
import { type AttemptOutcome, isSuccess, secretUnreadable } from './schedule.ts';

/** A closed list: a receiver can send any status, so the status itself is no label. */
const attemptEnds = ['success', 'http_error', ...failureReasons, secretUnreadable];
const deliveryEnds = ['succeeded', 'failed', 'skipped'] as const;

function endOf(outcome: AttemptOutcome): string {
  if (outcome.kind === 'failed') return outcome.reason;
  return isSuccess(outcome) ? 'success' : 'http_error';
}

/** Secrets that no key of SECRET_KEYS decrypts (D207) are logged at most this often. */
const unreadableLineEveryMs = 60_000;
/** Counting more rows costs more than the figure is worth. */
const rowsMax = 100_000;
const pending = `(select due_at from webhooks.deliveries where state = 'pending' and not held limit ${rowsMax}) as pending`;

export class DeliveryMetrics {
  readonly #log: Pick<Log, 'error'>;
  readonly #monotonicMs: () => number;
  readonly #attempts = new Map<string, number>();
  readonly #deliveries = new Map<string, number>();
  #unreadable = 0;
  #unreadableLogged = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<Log, 'error'>, monotonicMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#monotonicMs = monotonicMs;
  }

  note(outcomes: AttemptOutcome[], states: DeliveryState['state'][]): void {
    for (const outcome of outcomes) add(this.#attempts, endOf(outcome));
    for (const state of states) add(this.#deliveries, state);
  }

  /** A delivery ends unsent, as no key decrypts its subscription's secret. */
  noteUnreadable(subscriptionId: number, error: Error): void {
    this.#unreadable += 1;
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#loggedAtMs < unreadableLineEveryMs) return;
    const fields = { err: error, subscription_id: subscriptionId, deliveries: this.#unreadable - this.#unreadableLogged };
    this.#log.error(fields, 'No key of SECRET_KEYS decrypts the secret of a subscription: its deliveries end unsent');
    this.#loggedAtMs = nowMs;
    this.#unreadableLogged = this.#unreadable;
  }

  showOn(metrics: Metrics, inFlight: () => number): void {
    const unreadable = 'Deliveries that ended unsent, as no key opens their secret.';
    metrics.count('store_webhook_secrets_unreadable_total', unreadable, () => this.#unreadable);
    for (const outcome of attemptEnds)
      metrics.count('store_webhook_attempts_total', 'Attempts by how they ended.', () => this.#attempts.get(outcome) ?? 0, { outcome });
    const help = 'Deliveries whose last attempt ended, by how.';
    for (const state of deliveryEnds)
      metrics.count('store_webhook_deliveries_total', help, () => this.#deliveries.get(state) ?? 0, { state });
    metrics.gauge('store_webhook_in_flight', 'Deliveries that this process has under way.', inFlight);
    showSchema(metrics);
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function showSchema(metrics: Metrics): void {
  metrics.figure({
    name: 'store_webhook_due_deliveries',
    help: `Deliveries whose time has come and that no process has claimed, among ${rowsMax} pending ones at most.`,
    text: `select count(*) filter (where due_at <= clock_timestamp()) as value from ${pending}`,
  });
  metrics.figure({
    name: 'store_webhook_due_oldest_seconds',
    help: `How long the oldest of them has been due, among ${rowsMax} pending ones at most.`,
    text: `select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0)) as value from ${pending}`,
  });
  metrics.figure({
    name: 'store_webhook_subscriptions_disabled',
    help: 'Subscriptions that were disabled because their deliveries failed.',
    text: 'select count(*) as value from webhooks.subscriptions where disabled_at is not null and not active and deleted_at is null',
  });
}
