/**
 * Sends HTTP/1.1 requests over kept-alive connections and measures them. It writes to the sockets
 * directly: on two cores a full HTTP client would cost more than what it measures.
 */
import { connect, type Socket } from 'node:net';
import { percentile } from '../kit/load.ts';

/** One request as its bytes are sent. */
export type WireRequest = Buffer;

export interface LoadOptions {
  host: string;
  port: number;
  connections: number;
  seconds: number;
  /** The n-th request of the run. */
  request: (n: number) => WireRequest | undefined;
}

export interface LoadResult {
  requests: number;
  /** Seconds that the run actually took. */
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

export function wireRequest(method: string, path: string, headers: Record<string, string>, body?: string): WireRequest {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const lines = Object.entries({
    Host: 'bench',
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
  });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

/** Runs the load; every connection has one request under way at any time. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endAt = startedAt + options.seconds * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      drive(
        options,
        () => (performance.now() < endAt ? options.request(next++) : undefined),
        (status, ms) => {
          latencies.push(ms);
          statuses[status] = (statuses[status] ?? 0) + 1;
        },
      ),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { requests: latencies.length, seconds, perSecond: latencies.length / seconds, p50Ms, p99Ms, statuses };
}

function drive(
  { host, port }: LoadOptions,
  next: () => WireRequest | undefined,
  done: (status: string, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true });
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const send = () => {
      const request = next();
      if (!request) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = answerEnd(received);
      if (end === undefined || received.length < end) return;
      done(received.toString('latin1', 9, 12), performance.now() - sentAt);
      received = Buffer.alloc(0);
      send();
    });
  });
}

/** Where the answer ends: after its headers and the bytes that Content-Length states. */
function answerEnd(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return headEnd + 4 + Number(length);
}

/** One request with each key: a key's own limit applies once it has completed a request (specification, Limits). */
export async function useEachKey(port: number, keys: string[]): Promise<void> {
  const request = (n: number) => (n < keys.length ? wireRequest('GET', '/api/v1/key', { 'X-API-Key': keys[n]! }) : undefined);
  await load({ host: '127.0.0.1', port, connections: 8, seconds: 600, request });
}
