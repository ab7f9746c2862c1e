/** Notifications contain ids; the rows are read once per notification, and sent only to watchers of each row's own store. */
import { messageType, renderView } from '@store/contract';
import { attemptsById, monitoredAttemptView } from '../deliveries/attempt.view.ts';
import { subscriptionsById } from '../subscriptions/find-subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { ChangedIds, Webhooks } from '../webhooks.ts';

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

  publish(changed: ChangedIds): void {
    // Nothing is read without watchers.
    if (this.#watchers.size === 0) return;
    this.#send(changed).catch((error: unknown) => {
      this.#app.log.warn({ err: error }, 'Changes for the live stream could not be read');
      this.reload();
    });
  }

  async #send({ attempts = [], subscriptions = [] }: ChangedIds): Promise<void> {
    const { db } = this.#app;
    const stores = [...new Set([...this.#watchers].map(({ storeId }) => storeId))];
    if (attempts.length > 0) {
      for (const row of await attemptsById(db, attempts, stores)) {
        const attempt = renderView(attemptType, monitoredAttemptView(row), shown);
        this.#sendTo(row.store_id, 'attempt', `{"webhook_subscription_id":${row.subscription_id},"delivery_attempt":${attempt}}`);
      }
    }
    if (subscriptions.length > 0) {
      const now = db.clock.now();
      for (const found of await subscriptionsById(db, subscriptions, stores)) {
        const { id, storeId, deletedAt } = found;
        const text = `{"webhook_subscription":${renderView(subscriptionType, monitoredView(found, now), shown)}}`;
        if (deletedAt) this.#sendTo(storeId, 'subscription_deleted', `{"id":${id},"deleted_at":"${deletedAt.toISOString()}"}`);
        else this.#sendTo(storeId, 'subscription', text);
      }
    }
  }

  #sendTo(storeId: number, event: string, data: string): void {
    for (const watcher of this.#of(storeId)) watcher.send(event, data);
  }

  #of(storeId: number): Watcher[] {
    return [...this.#watchers].filter((watcher) => watcher.storeId === storeId);
  }
}
