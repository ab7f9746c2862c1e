/** The webhooks service: config, database, events, the delivery loop, door. */
import { apps, topicOf } from '@store/contract';
import { migrate, openDb } from '@store/db';
import { consume, type Message, Relay } from '@store/events';
import { serve } from '@store/rpc';
import { demandNamedKeys, Lifecycle, openTrust, purgeExpired, type Running, type StartOptions } from '@store/service';
import { readSettings } from './config.ts';
import { attempt, connectTimeoutMs, responseTimeoutMs } from './deliveries/attempt.ts';
import { DeliveryLoop } from './deliveries/dispatcher.ts';
import { LeaseOwners } from './deliveries/lease-owners.ts';
import { Pings } from './deliveries/pings.ts';
import { openResolver } from './deliveries/resolve.ts';
import type { AttemptOptions } from './deliveries/types.ts';
import { UnreadableSecrets } from './deliveries/unreadable-secrets.ts';
import { handleMessages, wants } from './events/consume-events.ts';
import { purgeOldEvents } from './events/forget-old.ts';
import { migrations } from './migrations/all.ts';
import { openStreamDoor } from './monitor/stream-door.ts';
import { StreamHub } from './monitor/stream-hub.ts';
import { Replicas } from './replicas.ts';
import { webhooksVerbs } from './rpc.ts';
import { sealedRows } from './sealed.ts';
import type { Webhooks } from './webhooks.ts';

export async function start({ env, log, transport, clock, metrics }: StartOptions): Promise<Running & { streamAddress: string }> {
  const config = readSettings(env);
  const life = new Lifecycle(log);
  const schema = 'webhooks';
  await migrate({ url: config.DATABASE_URL, schema, migrations });
  const db = await openDb({ url: config.DATABASE_URL, schema, entities: [], poolMax: config.DATABASE_POOL_MAX, clock });
  life.onStop('database', () => db.close());
  try {
    await demandNamedKeys(
      db,
      sealedRows.map((rows) => ({ ...rows, setting: 'SECRET_KEYS', ids: config.SECRET_KEYS.ids })),
    );
  } catch (error) {
    await life.stop();
    throw error;
  }
  const trust = openTrust(config, db.clock);
  const relay = new Relay({ url: config.DATABASE_URL, schema, transport, log });
  const reach: AttemptOptions = {
    allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
    denyCidrs: config.WEBHOOK_DENY_CIDRS,
    caPem: config.WEBHOOK_CA_FILE,
    resolver: openResolver(),
    connectTimeoutMs,
    responseTimeoutMs,
    ports: { always: [443], from: config.WEBHOOK_PORT_MIN },
  };
  const owners = new LeaseOwners(db);
  const unreadable = new UnreadableSecrets(log);
  metrics?.count(
    'store_webhook_secrets_unreadable_total',
    'Deliveries that ended unsent, as no key opens their secret.',
    () => unreadable.count,
  );
  const app: Webhooks = {
    db,
    outbox: { db, wake: () => relay.wake() },
    keyRing: config.SECRET_KEYS,
    trust,
    reach,
    ownHost: config.PUBLIC_URL,
    post: (request) => attempt({ ...request, options: reach }),
    pings: new Pings(config.WEBHOOK_IN_FLIGHT_MAX, () => loop.inFlight),
    owners,
    unreadable,
    wake: () => {
      loop.wake();
      replicas.wake();
    },
    announce: (news) => replicas.announce(news),
    log,
  };
  const loop = new DeliveryLoop(app, { retryWaitsMs: config.WEBHOOK_RETRY_WAITS_MS, inFlightMax: config.WEBHOOK_IN_FLIGHT_MAX });

  const hub = new StreamHub(app);
  const replicas = new Replicas(config.DATABASE_URL, {
    owner: owners.own,
    onLock: (isHeld) => owners.hold(isHeld),
    onWake: () => loop.wake(),
    onNews: (news) => hub.hear(news),
    onGap: () => hub.reload(),
    log,
  });
  const handle = consume({
    db,
    log,
    wants: (message) => wants(app, message),
    handle: (em, messages: Message[]) => handleMessages(app, em, messages),
  });
  await transport.subscribe({ group: 'webhooks', topics: apps.webhooks.hears.map(topicOf), handle });
  replicas.start();
  life.onStop('replicas', () => replicas.stop());
  relay.start();
  life.onStop('relay', () => relay.stop());
  loop.start();
  life.onStop('delivery loop', () => loop.stop());
  life.onStop('housekeeping', purgeExpired(db, log, config.EVENT_RETENTION_DAYS));
  life.onStop('event log', purgeOldEvents(db, log));

  const server = await serve({ 'store.webhooks.v1.Webhooks': webhooksVerbs(app) }, { listen: config.WEBHOOKS_LISTEN, trust, log });
  life.onStop('rpc', () => server.stop());
  const door = await openStreamDoor(hub, { listen: config.WEBHOOKS_STREAM_LISTEN, trust });
  life.onStop('stream', () => door.stop());
  // First of all: what is taken while the doors close would not end before this process does.
  life.onStop('claims', () => loop.stopClaiming());
  return { address: server.address, streamAddress: door.address, stop: () => life.stop() };
}
