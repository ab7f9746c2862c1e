/** Opens the parts of webhooks at its start, and its background work. */
import { demandNamedKeys, type ServiceParts } from '@store/service';
import type { ownSettings } from './config.ts';
import { DeliveryMetrics } from './deliveries/delivery-metrics.ts';
import { Dispatcher } from './deliveries/dispatcher.ts';
import { LeaseOwners } from './deliveries/leases.ts';
import { PostLimiter } from './deliveries/post-limiter.ts';
import { forgetEveryMs, forgetOld } from './events/forget-old.ts';
import { StreamHub } from './monitor/stream-hub.ts';
import { attempt, connectTimeoutMs, responseTimeoutMs } from './receivers/attempt.ts';
import { KeptSockets } from './receivers/kept-sockets.ts';
import { openResolver } from './receivers/resolve.ts';
import type { AttemptOptions } from './receivers/types.ts';
import { Replicas } from './replicas.ts';
import { sealedRows } from './sealed.ts';
import type { Webhooks } from './webhooks.ts';

/** The verbs' context, and the background work. */
export interface OpenWebhooks extends Webhooks {
  dispatcher: Dispatcher;
  replicas: Replicas;
  hub: StreamHub;
}

type Parts = ServiceParts<typeof ownSettings>;

export async function openWebhooks({ config, database, db, outbox, log, trust, metrics, life }: Parts): Promise<OpenWebhooks> {
  const { ids } = config.SECRET_KEYS;
  await demandNamedKeys(
    db,
    sealedRows.map((rows) => ({ ...rows, setting: 'SECRET_KEYS', ids })),
  );
  const reach = reachOf(config);
  const owners = new LeaseOwners(db);
  const kept = new KeptSockets();
  life.onStop('connections to receivers', async () => kept.close());
  const deliveryMetrics = new DeliveryMetrics(log);
  const app: Webhooks = {
    db,
    outbox,
    keyRing: config.SECRET_KEYS,
    trust: { keys: trust.from('gateway') },
    reach,
    ownHost: config.PUBLIC_URL,
    isProduction: config.NODE_ENV === 'production',
    post: (request) => attempt({ ...request, options: reach, kept }),
    limiter: new PostLimiter(config.WEBHOOK_IN_FLIGHT_MAX),
    owners,
    metrics: deliveryMetrics,
    wake: () => {
      dispatcher.wake();
      replicas.wake();
    },
    announce: (changed) => replicas.announce(changed),
    log,
  };
  const dispatcher = new Dispatcher(app, { retryWaitsMs: config.WEBHOOK_RETRY_WAITS_MS });
  if (metrics) deliveryMetrics.showOn(metrics, () => dispatcher.inFlight);
  const hub = new StreamHub(app);
  const replicas = new Replicas(database.sessionUrl, {
    owner: owners.own,
    onLock: (isHeld) => owners.hold(isHeld),
    onWake: () => dispatcher.wake(),
    onChanges: (changed) => hub.publish(changed),
    onGap: () => hub.reload(),
    log,
  });
  return { ...app, dispatcher, replicas, hub };
}

function reachOf(config: Parts['config']): AttemptOptions {
  return {
    allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
    denyCidrs: config.WEBHOOK_DENY_CIDRS,
    caPem: config.WEBHOOK_CA_FILE,
    resolver: openResolver(),
    connectTimeoutMs,
    responseTimeoutMs,
    ports: { always: [443], from: config.WEBHOOK_PORT_MIN },
  };
}

export function runInBackground({ dispatcher, replicas, db }: OpenWebhooks, { life }: Parts): void {
  // Stopped after the dispatcher: its session holds the lock on the leases until the last result is recorded.
  replicas.start();
  life.onStop('replicas', () => replicas.stop());
  dispatcher.start();
  life.onStop('dispatcher', () => dispatcher.stop());
  // A delivery claimed during the stop would not end before this process does.
  life.beforeStop('claims', () => dispatcher.stopClaiming());
  life.every('old events', forgetEveryMs, () => forgetOld(db));
}
