/**
 * The live stream of webhook deliveries (server-sent events). What it brings goes into the answers that are loaded already, so every
 * page that shows them follows.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';

export type LiveState = 'connecting' | 'live' | 'interrupted';

const attemptsMax = 50;
/** A browser gives up on a stream that is refused; the session may have ended, or too many pages watch. */
const againAfterMs = 15_000;
const countEveryMs = 2_000;

export function useLive(): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens a new stream.
  useEffect(() => {
    const source = new EventSource('/api/v1/webhook_monitor/stream');
    let again: ReturnType<typeof setTimeout> | undefined;
    const on = <Data>(name: string, take: (data: Data) => void) =>
      source.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data) as Data));
    /** A read that began before the news would put what was before it back. */
    const note = <Data>(queryKey: unknown[], after: (known: Data) => Data) => {
      client.setQueryData<Data>(queryKey, (known) => known && after(known));
      if (client.isFetching({ queryKey, exact: true }) > 0) void client.invalidateQueries({ queryKey, exact: true });
    };
    const reload = () => {
      for (const name of ['listMonitor', 'getMonitor', 'summarizeDeliveries', 'listNotices']) {
        void client.invalidateQueries({ queryKey: [name] });
      }
    };
    on('reload', () => {
      setState('live');
      reload();
    });
    let counting: ReturnType<typeof setTimeout> | undefined;
    on<AttemptNews>('attempt', ({ webhook_subscription_id: id, delivery_attempt }) => {
      note<Answer<'getMonitor'>>(['getMonitor', { params: { id } }], (known) => withAttempt(known, delivery_attempt));
      note<Answer<'listMonitor'>>(['listMonitor', {}], (known) => withLastSent(known, id, delivery_attempt));
      // The counts by hour are the API's; many attempts ask for them once.
      counting ??= setTimeout(() => {
        counting = undefined;
        void client.invalidateQueries({ queryKey: ['summarizeDeliveries'] });
      }, countEveryMs);
    });
    on<{ webhook_subscription: Schemas['MonitoredSubscription'] }>('subscription', ({ webhook_subscription }) => {
      note<Answer<'listMonitor'>>(['listMonitor', {}], (known) => withSubscription(known, webhook_subscription));
      note<Answer<'getMonitor'>>(['getMonitor', { params: { id: webhook_subscription.id } }], (known) => ({
        ...known,
        webhook_subscription,
      }));
      void client.invalidateQueries({ queryKey: ['listNotices'] });
    });
    on('subscription_deleted', reload);
    source.onerror = () => {
      setState('interrupted');
      if (source.readyState !== EventSource.CLOSED) return;
      // A request says whether the session is still there; without one the sign-in page takes over.
      void client.invalidateQueries({ queryKey: ['listMonitor'] });
      again = setTimeout(() => setAttempt((count) => count + 1), againAfterMs);
    };
    return () => {
      clearTimeout(again);
      clearTimeout(counting);
      source.close();
    };
  }, [client, attempt]);
  return state;
}

interface AttemptNews {
  webhook_subscription_id: number;
  delivery_attempt: Schemas['MonitoredAttempt'];
}

/** An attempt is news when it begins and again when it ends. */
function withAttempt(known: Answer<'getMonitor'>, attempt: Schemas['MonitoredAttempt']): Answer<'getMonitor'> {
  const others = known.recent_deliveries.filter(({ id }) => id !== attempt.id);
  const recent_deliveries = [attempt, ...others].sort((a, b) => b.id - a.id).slice(0, attemptsMax);
  const { webhook_subscription: subscription } = known;
  const isLater = subscription && attempt.created_at > (subscription.last_triggered_at ?? '');
  const webhook_subscription = isLater ? { ...subscription, last_triggered_at: attempt.created_at } : subscription;
  return { ...known, webhook_subscription, recent_deliveries };
}

function withLastSent(known: Answer<'listMonitor'>, id: number, { created_at: at }: Schemas['MonitoredAttempt']): Answer<'listMonitor'> {
  const isLater = (one: Schemas['MonitoredSubscription']) => one.id === id && at > (one.last_triggered_at ?? '');
  return {
    ...known,
    webhook_subscriptions: known.webhook_subscriptions.map((one) => (isLater(one) ? { ...one, last_triggered_at: at } : one)),
  };
}

function withSubscription(known: Answer<'listMonitor'>, subscription: Schemas['MonitoredSubscription']): Answer<'listMonitor'> {
  const isKnown = known.webhook_subscriptions.some(({ id }) => id === subscription.id);
  const webhook_subscriptions = isKnown
    ? known.webhook_subscriptions.map((one) => (one.id === subscription.id ? subscription : one))
    : [subscription, ...known.webhook_subscriptions];
  return { ...known, webhook_subscriptions };
}
