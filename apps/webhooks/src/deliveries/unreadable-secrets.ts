/** Secrets that no key of SECRET_KEYS can decrypt (D207): counted, and logged at most once a minute. */
import type { Log } from '@store/service';

const lineEveryMs = 60_000;

export class UnreadableSecrets {
  readonly #log: Pick<Log, 'error'>;
  readonly #monotonicMs: () => number;
  #count = 0;
  #unsaid = 0;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<Log, 'error'>, monotonicMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#monotonicMs = monotonicMs;
  }

  /** Deliveries that ended unsent since the start. */
  get count(): number {
    return this.#count;
  }

  note(subscriptionId: number, error: Error): void {
    this.#count += 1;
    this.#unsaid += 1;
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#saidAtMs < lineEveryMs) return;
    const fields = { err: error, subscription_id: subscriptionId, deliveries: this.#unsaid };
    this.#log.error(fields, 'No key of SECRET_KEYS opens the secret of a subscription: its deliveries end unsent');
    this.#saidAtMs = nowMs;
    this.#unsaid = 0;
  }
}
