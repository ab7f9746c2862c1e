/** Notifications contain keys; the rows are read once per notification, and sent only to watchers of each row's own store. */
import { messageType, renderView } from '@store/contract';
import { attemptsByKey, monitoredAttemptView } from '../deliveries/attempt.view.ts';
import type { ChangedKey, Heard } from '../replicas.ts';
import type { RowKey } from '../row-key.ts';
import { subscriptionsByKey } from '../subscriptions/find-subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Webhooks } from '../webhooks.ts';

export interface Watcher {
  storeId: number;
  /** Sends one event of the stream; a watcher that does not keep up is disconnected. */
  send(event: string, data: string): void;
  end(): void;
}

/** Staff of one store, each with a few tabs. */
const perStoreMax = 25;
const watchersMax = 250;

const attemptType = messageType('store.webhooks.v1.MonitoredAttempt');
const subscriptionType = messageType('store.webhooks.v1.MonitoredSubscription');
const shown = () => true;

export class StreamHub {
  readonly #app: Pick<Webhooks, 'db' | 'log'>;
  readonly #watchers = new Set<Watcher>();

  constructor(app: Pick<Webhooks, 'db' | 'log'>) {
    this.#app = app;
  }

  /** False when there are too many watchers. */
  join(watcher: Watcher): boolean {
    if (this.#watchers.size >= watchersMax || this.#of(watcher.storeId).length >= perStoreMax) return false;
    this.#watchers.add(watcher);
    return true;
  }

  leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }

  endAll(): void {
    for (const watcher of this.#watchers) watcher.end();
  }

  /** Notifications may have been missed: watchers fetch the monitor again. */
  reload(): void {
    for (const watcher of this.#watchers) watcher.send('reload', '{}');
  }

  publish(changed: Heard): void {
    // Nothing is read without watchers.
    if (this.#watchers.size === 0) return;
    this.#send(changed).catch((error: unknown) => {
      this.#app.log.warn({ err: error }, 'Changes for the live stream could not be read');
      this.reload();
    });
  }

  async #send(changed: Heard): Promise<void> {
    const { db } = this.#app;
    const [attempts, subscriptions] = [this.#watched(changed.attempts), this.#watched(changed.subscriptions)];
    if (attempts.length > 0) {
      for (const row of await attemptsByKey(db, attempts)) {
        const attempt = renderView(attemptType, monitoredAttemptView(row), shown);
        this.#sendTo(row.store_id, 'attempt', `{"webhook_subscription_id":${row.subscription_id},"delivery_attempt":${attempt}}`);
      }
    }
    if (subscriptions.length > 0) {
      const now = db.clock.now();
      for (const found of await subscriptionsByKey(db, subscriptions)) {
        const { id, storeId, deletedAt } = found;
        const text = `{"webhook_subscription":${renderView(subscriptionType, monitoredView(found, now), shown)}}`;
        if (deletedAt) this.#sendTo(storeId, 'subscription_deleted', `{"id":${id},"deleted_at":"${deletedAt.toISOString()}"}`);
        else this.#sendTo(storeId, 'subscription', text);
      }
    }
  }

  /** Those of stores that somebody watches. A process of the release before does not say of which store one is. */
  #watched(keys: ChangedKey[] = []): RowKey[] {
    const stores = new Set([...this.#watchers].map(({ storeId }) => storeId));
    return keys.flatMap(({ storeId, id }) => {
      if (storeId === undefined) return [...stores].map((one) => ({ storeId: one, id }));
      return stores.has(storeId) ? { storeId, id } : [];
    });
  }

  #sendTo(storeId: number, event: string, data: string): void {
    for (const watcher of this.#of(storeId)) watcher.send(event, data);
  }

  #of(storeId: number): Watcher[] {
    return [...this.#watchers].filter((watcher) => watcher.storeId === storeId);
  }
}
