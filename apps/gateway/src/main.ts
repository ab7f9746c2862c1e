import { setTimeout as wait } from 'node:timers/promises';
import { apps } from '@store/contract';
import { bindVerbs } from '@store/rpc';
import { type Running, type ServiceDeclaration, type ServiceParts, type StartOptions, startService } from '@store/service';
import { recordAudit } from './audit/record-audit.ts';
import { own } from './config.ts';
import type { Gateway } from './gateway.ts';
import { BodyRoom } from './http/body-room.ts';
import type { Pipeline } from './http/exchange.ts';
import { Routes } from './http/routes.ts';
import { listen } from './http/server.ts';
import { streamAccess } from './http/stream-access.ts';
import { streamProxy } from './http/stream-proxy.ts';
import { UnauthorizedFlood } from './http/unauthorized-flood.ts';
import { consumeRevocations } from './keys/consume-revocations.ts';
import { migrations } from './migrations/all.ts';
import { openGateway } from './open-gateway.ts';
import { verbs } from './rpc.ts';
import { entities } from './tables.ts';
import { writeInBackground } from './write-in-background.ts';

export const gateway: ServiceDeclaration<Gateway, typeof own> = {
  app: 'gateway',
  settings: own,
  migrations,
  entities,
  open: openGateway,
  consumer: () => recordAudit,
  groups: (app) => ({ 'gateway-revocations': consumeRevocations(app) }),
  background: writeInBackground,
  doors: openDoor,
};

export const start = (options: StartOptions): Promise<Running> => startService(gateway, options);

async function openDoor(app: Gateway, { config, life, trust, log, metrics, channel }: ServiceParts<typeof own>) {
  const channels = new Map(apps.gateway.calls.map((name) => [name as string, channel(name)]));
  const forwarder = { channels, own: bindVerbs(verbs, app), room: new BodyRoom() };
  const flood = new UnauthorizedFlood(app.db.clock, config.UNAUTHORIZED_PER_MINUTE);
  const pipeline: Pipeline = { app, routes: new Routes(new Set(['gateway', ...channels.keys()])), forwarder, flood, metrics };
  const server = await listen(pipeline, {
    host: config.GATEWAY_HOST,
    port: config.GATEWAY_PORT,
    connectionsMax: config.GATEWAY_CONNECTIONS_MAX,
    trustedProxies: config.TRUSTED_PROXIES,
    adminUpstream: config.ADMIN_UPSTREAM,
    adminFolder: config.ADMIN_FILES,
    publicUrl: config.PUBLIC_URL,
    stream: streamProxy({ upstream: config.WEBHOOKS_STREAM_ADDRESS, access: streamAccess(pipeline), trust: trust.toward('webhooks'), log }),
  });
  life.onStop('http', () => server.stop());
  life.onStop('readiness', () => {
    server.sayNotReady();
    return wait(config.GATEWAY_NOT_READY_MS);
  });
  return { address: server.address };
}
