/** The server from which the gateway proxies GET /webhook_monitor/stream (D179); like the rpc server it accepts only signed callers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { openCaller, signedCallerOf, type Trust } from '@store/rpc';
import type { ServiceParts } from '@store/service';
import type { ownSettings } from '../config.ts';
import type { StreamHub, Watcher } from './stream-hub.ts';

export interface StreamDoor {
  address: string;
  stop(): Promise<void>;
}

/** Shorter than any proxy's idle timeout. */
const heartbeatDefaultMs = 15_000;
/** A watcher that reads more slowly is disconnected, and reloads when it reconnects. */
const unreadBytesMax = 256 * 1024;
const retryAfterSeconds = 30;
/** The wait before a browser reconnects. */
const reconnectMs = 3_000;

interface StreamDoorOptions {
  listen: string;
  trust: Trust;
  heartbeatMs?: number;
}

export async function openStream({ hub }: { hub: StreamHub }, { config, trust, life }: StreamParts): Promise<{ streamAddress: string }> {
  const door = await openStreamDoor(hub, { listen: config.WEBHOOKS_STREAM_LISTEN, trust: trust.door });
  life.onStop('stream', () => door.stop());
  return { streamAddress: door.address };
}

type StreamParts = Pick<ServiceParts<typeof ownSettings>, 'config' | 'trust' | 'life'>;

export async function openStreamDoor(hub: StreamHub, options: StreamDoorOptions): Promise<StreamDoor> {
  const { listen, trust } = options;
  const server: Server = trust.tls ? createTlsServer({ ...trust.tls, requestCert: true, rejectUnauthorized: true }) : createServer();
  server.on('request', (request, response) => answer(hub, request, response, options));
  const cut = listen.lastIndexOf(':');
  const host = listen.slice(0, cut);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(listen.slice(cut + 1)), host, resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    address: `${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        hub.endAll();
        server.closeAllConnections();
      }),
  };
}

function answer(hub: StreamHub, request: IncomingMessage, response: ServerResponse, { trust, heartbeatMs }: StreamDoorOptions): void {
  const signed = signedCallerOf(request.headers['x-caller']);
  const caller = signed && openCaller(trust.keys, signed, `${request.method} ${request.url}`);
  if (!caller) {
    refuse(response, 401, 'A call without its caller is refused');
    return;
  }
  if (request.method !== 'GET' || request.url !== '/stream') {
    refuse(response, 404, 'Not found');
    return;
  }
  if (caller.actor.type !== 'user' || caller.storeId <= 0) {
    refuse(response, 403, 'Only staff of a store may watch');
    return;
  }
  const watcher: Watcher = {
    storeId: caller.storeId,
    send: (event, data) => write(response, `event: ${event}\ndata: ${data}\n\n`),
    end: () => response.end(),
  };
  if (!hub.join(watcher)) {
    response.setHeader('Retry-After', String(retryAfterSeconds));
    refuse(response, 429, 'Too many live streams are open');
    return;
  }
  const heartbeat = setInterval(() => write(response, ': still here\n\n'), heartbeatMs ?? heartbeatDefaultMs);
  response.on('error', () => response.destroy());
  response.once('close', () => {
    clearInterval(heartbeat);
    hub.leave(watcher);
  });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  response.write(`retry: ${reconnectMs}\n\n`);
  // Subscribed: the page fetches its data after this line, so it misses no change.
  watcher.send('reload', '{}');
}

function write(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return;
  response.write(text);
  if (response.writableLength > unreadBytesMax) response.destroy();
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify({ error }));
}
