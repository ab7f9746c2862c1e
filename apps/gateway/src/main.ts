/** The gateway: config, database, key gate, events, the services behind it, door. */
import { setTimeout as wait } from 'node:timers/promises';
import { apps, serviceOf, topicOf } from '@store/contract';
import { migrate, openDb } from '@store/db';
import { consume, Relay } from '@store/events';
import type { WebhooksDefinition } from '@store/protos/webhooks/v1/Webhooks.ts';
import { client, connect } from '@store/rpc';
import {
  addressVariable,
  demandNamedKeys,
  Lifecycle,
  openTrust,
  purgeExpired,
  type Running,
  readServiceConfig,
  type StartOptions,
} from '@store/service';
import { recordAudit } from './audit/record-audit.ts';
import { settings } from './config.ts';
import type { Gateway } from './gateway.ts';
import { BodyRoom } from './http/body-room.ts';
import type { Pipeline } from './http/exchange.ts';
import type { OwnVerbs } from './http/forward.ts';
import { Routes } from './http/routes.ts';
import { listen } from './http/server.ts';
import { streamAccess } from './http/stream-access.ts';
import { streamProxy } from './http/stream-proxy.ts';
import { UnauthorizedFlood } from './http/unauthorized-flood.ts';
import { openKeyGate } from './key-gate/open-key-gate.ts';
import { countKeyGate, KeyGateWithFallback } from './key-gate/with-fallback.ts';
import { keyHashesOfStore } from './keys/find-key.ts';
import { KeyUsage } from './keys/key-usage.ts';
import { consumeRevocations } from './keys/revoke-api-key.ts';
import { migrations } from './migrations/index.ts';
import { gatewayVerbs } from './rpc.ts';
import { hashedKeys, sealedRows } from './sealed.ts';
import { openPasswords } from './staff/passwords.ts';
import { CacheValidity } from './stores/cache-validity.ts';
import { listenForChanges } from './stores/change-notices.ts';

export async function start({ env, log, transport, clock, metrics }: StartOptions): Promise<Running> {
  const config = readServiceConfig(settings, env);
  const life = new Lifecycle(log);
  const schema = 'gateway';
  const url = config.DATABASE_URL;
  await migrate({ url, schema, migrations });
  const db = await openDb({ url, schema, entities: [], poolMax: config.DATABASE_POOL_MAX, clock });
  life.onStop('database', () => db.close());
  try {
    await demandNamedKeys(db, [
      ...sealedRows.map((rows) => ({ ...rows, setting: 'SECRET_KEYS', ids: config.SECRET_KEYS.ids })),
      hashedKeys(config.KEY_PEPPERS),
    ]);
  } catch (error) {
    await life.stop();
    throw error;
  }
  const trust = openTrust(config, db.clock);
  const relay = new Relay({ url, schema, transport, log });
  const cacheValidity = new CacheValidity(config.REDIS_URL !== '');
  const keyGate = await openKeyGate({
    url: config.REDIS_URL,
    ca: config.REDIS_CA_FILE,
    pepper: config.KEY_PEPPERS[0]!.secret,
    clock: db.clock,
    log,
    onMemoryLost: () => cacheValidity.memoryLost(),
  });
  life.onStop('keyGate', () => keyGate.stop());
  if (metrics && keyGate instanceof KeyGateWithFallback) countKeyGate(metrics, keyGate);
  const usage = new KeyUsage(db, log);
  const channels = new Map(apps.gateway.calls.map((name) => [name as string, connect(config[addressVariable(name)], trust)]));
  for (const [name, channel] of channels) life.onStop(`${name} client`, () => channel.close());
  const app: Gateway = {
    db,
    outbox: { db, wake: () => relay.wake() },
    keyGate,
    cacheValidity,
    usage,
    passwords: openPasswords(config.PASSWORD_SCRYPT_COST),
    webhooks: client<WebhooksDefinition>(channels.get('webhooks')!, serviceOf('webhooks')),
    config: { peppers: config.KEY_PEPPERS, keyRing: config.SECRET_KEYS },
    trust,
    log,
  };

  const notices = listenForChanges(
    url,
    {
      onKeys: (hashes) => keyGate.forget(hashes),
      onStore: async (storeId) => keyGate.forget(await keyHashesOfStore(db, storeId)),
      onConnected: () => cacheValidity.connected(),
      onLost: () => cacheValidity.lost(),
    },
    log,
  );
  life.onStop('change notices', () => notices.stop());
  // Every app's changes are in the audit trail (D183).
  await transport.subscribe({ group: 'gateway', topics: apps.gateway.hears.map(topicOf), handle: consume(recordAudit(app)) });
  await transport.subscribe({ group: 'gateway-revocations', topics: [topicOf('gateway')], handle: consumeRevocations(app) });
  relay.start();
  life.onStop('relay', () => relay.stop());
  usage.start();
  life.onStop('key usage', () => usage.stop());
  life.onStop('housekeeping', purgeExpired(db, log, config.EVENT_RETENTION_DAYS));

  const parts: Pipeline = {
    app,
    routes: new Routes(new Set(['gateway', ...channels.keys()])),
    forwarder: { channels, own: gatewayVerbs(app) as unknown as OwnVerbs, room: new BodyRoom() },
    flood: new UnauthorizedFlood(db.clock, config.UNAUTHORIZED_PER_MINUTE),
    metrics,
  };
  const server = await listen(parts, {
    host: config.GATEWAY_HOST,
    port: config.GATEWAY_PORT,
    trustedProxies: config.TRUSTED_PROXIES,
    adminUpstream: config.ADMIN_UPSTREAM,
    publicUrl: config.PUBLIC_URL,
    stream: streamProxy({ upstream: config.WEBHOOKS_STREAM_ADDRESS, access: streamAccess(parts), trust, log }),
  });
  life.onStop('http', () => server.stop());
  life.onStop('readiness', async () => {
    server.sayNotReady();
    await wait(config.GATEWAY_NOT_READY_MS);
  });
  return { address: server.address, stop: () => life.stop() };
}
