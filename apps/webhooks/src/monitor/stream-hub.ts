/**
 * Who watches the live stream of which store, and what they are sent. News is ids; the rows are read
 * here, once per notice, and by the store of each row: nobody sees another store's.
 */
import { messageType, renderView } from '@store/contract';
import { isoTime } from '@store/db';
import { type AttemptRow, monitoredAttemptView } from '../deliveries/attempt.view.ts';
import { type SubscriptionRow, subscriptionsById } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { News, Webhooks } from '../webhooks.ts';

/** One open stream. */
export interface Watcher {
  storeId: number;
  /** Sends one event of the stream; a watcher that does not keep up ends itself. */
  send(event: string, data: string): void;
  end(): void;
}

/** Staff of one store at their screens, each with a few tabs. */
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

  /** False when there are too many already. */
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

  /** Something may have been missed: whoever watches fetches the monitor anew. */
  reload(): void {
    for (const watcher of this.#watchers) watcher.send('reload', '{}');
  }

  hear(news: News): void {
    // Nothing is read while nobody watches.
    if (this.#watchers.size === 0) return;
    this.#tell(news).catch((error: unknown) => {
      this.#app.log.error({ err: error }, 'News for the live stream could not be read');
      this.reload();
    });
  }

  async #tell({ attempts = [], subscriptions = [] }: News): Promise<void> {
    const { db } = this.#app;
    const stores = [...new Set([...this.#watchers].map(({ storeId }) => storeId))];
    if (attempts.length > 0) {
      const rows = await db.read<AttemptNews>('stream-attempts', attemptsByIds, [attempts, stores]);
      for (const row of rows) {
        const attempt = renderView(attemptType, monitoredAttemptView(row), shown);
        this.#send(row.store_id, 'attempt', `{"webhook_subscription_id":${row.subscription_id},"delivery_attempt":${attempt}}`);
      }
    }
    if (subscriptions.length > 0) {
      for (const row of await subscriptionsById(db, subscriptions, stores)) {
        if (row.deleted_at !== null)
          this.#send(row.store_id, 'subscription_deleted', `{"id":${row.id},"deleted_at":"${isoTime(row.deleted_at)}"}`);
        else this.#send(row.store_id, 'subscription', subscriptionJson(row));
      }
    }
  }

  #send(storeId: string, event: string, data: string): void {
    for (const watcher of this.#of(Number(storeId))) watcher.send(event, data);
  }

  #of(storeId: number): Watcher[] {
    return [...this.#watchers].filter((watcher) => watcher.storeId === storeId);
  }
}

function subscriptionJson(row: SubscriptionRow): string {
  return `{"webhook_subscription":${renderView(subscriptionType, monitoredView(row), shown)}}`;
}

interface AttemptNews extends AttemptRow {
  store_id: string;
  subscription_id: string;
}

const attemptsByIds = `
  select a.id::text, a.event, a.response_status, a.duration_ms, a.success, a.created_at::text, a.delivery_id::text,
    (select d.due_at::text from webhooks.deliveries d where d.store_id = s.store_id and d.id = a.delivery_id and d.state = 'pending') as next_attempt_at,
    s.store_id::text, a.subscription_id::text
  from webhooks.attempts a join webhooks.subscriptions s on s.id = a.subscription_id
  where a.id = any($1::bigint[]) and s.store_id = any($2::bigint[]) and s.deleted_at is null and a.ended_at is not null order by a.id`;
