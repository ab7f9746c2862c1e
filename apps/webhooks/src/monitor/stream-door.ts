/**
 * The HTTP door that the gateway carries GET /webhook_monitor/stream from (decision D179). Like the rpc
 * door it believes the caller it is given, so it listens where only the gateway reaches it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Caller, decodeCaller } from '@store/rpc';
import type { StreamHub, Watcher } from './stream-hub.ts';

export interface StreamDoor {
  /** host:port that it listens on. */
  address: string;
  stop(): Promise<void>;
}

/** Shorter than any proxy's patience with a silent connection. */
const heartbeatDefaultMs = 15_000;
/** A watcher that reads so slowly is cut off, and loads anew when it is back. */
const unreadBytesMax = 256 * 1024;
const retryAfterSeconds = 30;
/** What a browser waits before it connects again. */
const reconnectMs = 3_000;

export async function openStreamDoor(hub: StreamHub, listenOn: string, heartbeatMs = heartbeatDefaultMs): Promise<StreamDoor> {
  const server = createServer((request, response) => answer(hub, request, response, heartbeatMs));
  const cut = listenOn.lastIndexOf(':');
  const host = listenOn.slice(0, cut);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(listenOn.slice(cut + 1)), host, resolve);
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

function answer(hub: StreamHub, request: IncomingMessage, response: ServerResponse, heartbeatMs: number): void {
  const caller = callerOf(request);
  if (request.method !== 'GET' || request.url !== '/stream') {
    refuse(response, 404, 'Not found');
    return;
  }
  if (caller?.actor.type !== 'user' || caller.storeId <= 0) {
    refuse(response, 403, 'Only the gateway may ask, for staff');
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
  const heartbeat = setInterval(() => write(response, ': still here\n\n'), heartbeatMs);
  response.on('error', () => response.destroy());
  response.once('close', () => {
    clearInterval(heartbeat);
    hub.leave(watcher);
  });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  response.write(`retry: ${reconnectMs}\n\n`);
  // From here on nothing is missed: what the page shows is fetched after this line.
  watcher.send('reload', '{}');
}

function write(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return;
  response.write(text);
  if (response.writableLength > unreadBytesMax) response.destroy();
}

/** Nobody, when the header is absent or no caller. */
function callerOf({ headers }: IncomingMessage): Caller | undefined {
  const text = headers['x-caller'];
  if (typeof text !== 'string') return undefined;
  try {
    return decodeCaller(Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify({ error }));
}
