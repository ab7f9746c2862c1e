/** Metrics: outcomes of this process's attempts and deliveries, and pending ones in the schema. */
import type { Metrics } from '@store/service';
import { isSuccess } from './schedule.ts';
import { type AttemptOutcome, type DeliveryState, type FailureReason, secretUnreadable } from './types.ts';

const reasons: Record<FailureReason, true> = {
  timeout: true,
  refused: true,
  reset: true,
  dns: true,
  tls: true,
  blocked: true,
  not_https: true,
};

/** A closed list: a receiver can send any status, so the status itself is no label. */
const attemptEnds = ['success', 'http_error', ...Object.keys(reasons), secretUnreadable];
const deliveryEnds = ['succeeded', 'failed', 'skipped'] as const;

function endOf(outcome: AttemptOutcome): string {
  if (outcome.kind === 'failed') return outcome.reason;
  return isSuccess(outcome) ? 'success' : 'http_error';
}

export class DeliveryCounts {
  readonly #attempts = new Map<string, number>();
  readonly #deliveries = new Map<string, number>();

  /** Called after the results are committed. */
  note(outcomes: AttemptOutcome[], states: DeliveryState['state'][]): void {
    for (const outcome of outcomes) add(this.#attempts, endOf(outcome));
    for (const state of states) add(this.#deliveries, state);
  }

  showOn(metrics: Metrics): void {
    for (const outcome of attemptEnds)
      metrics.count('store_webhook_attempts_total', 'Attempts by how they ended.', () => this.#attempts.get(outcome) ?? 0, { outcome });
    for (const state of deliveryEnds)
      metrics.count(
        'store_webhook_deliveries_total',
        'Deliveries whose last attempt ended, by how.',
        () => this.#deliveries.get(state) ?? 0,
        {
          state,
        },
      );
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Counting more rows costs more than the figure is worth. */
const rowsMax = 100_000;

const pending = `(select due_at from webhooks.deliveries where state = 'pending' and not held limit ${rowsMax}) as pending`;

/** Pending deliveries of the schema, for whichever process. */
export function showBacklog(metrics: Metrics, inFlight: () => number): void {
  metrics.gauge('store_webhook_in_flight', 'Deliveries that this process has under way.', inFlight);
  metrics.figure({
    name: 'store_webhook_due_deliveries',
    help: `Deliveries whose time has come and that nobody has taken, among ${rowsMax} pending ones at most.`,
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
