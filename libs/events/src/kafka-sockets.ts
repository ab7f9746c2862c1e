/**
 * The sockets of kafkajs. It lets a request time out and goes on with the same socket (tulios/kafkajs#1783), and a client
 * that disconnects waits for requests that nobody answers. A socket that is silent for too long is therefore destroyed:
 * that ends everything which waits for it, and the next request opens another one.
 */
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/** A broker answers every request; a fetch waits half a second for messages. */
const silenceMaxDefaultMs = 10_000;
/** Until every member of a group has come, which may take the group's rebalance time-out. */
const joinMaxMs = 65_000;
const checksPerSilence = 20;
const keepAliveDelayMs = 10_000;

/** Where the number of the request stands, behind the length. */
const apiKeyAt = 4;
const joinGroup = 11;
const syncGroup = 14;

export function kafkaSockets(silenceMaxMs = silenceMaxDefaultMs): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const options = { host, port };
    const named = isIP(host) ? {} : { servername: host };
    const socket = ssl ? connectTls({ ...options, ...named, ...(ssl as ConnectionOptions) }, onConnect) : connect(options, onConnect);
    socket.setKeepAlive(true, keepAliveDelayMs);
    endWhenSilent(socket, silenceMaxMs);
    return socket;
  };
}

/** Destroys the socket when what was written has had no answer for too long. */
function endWhenSilent(socket: Socket, silenceMaxMs: number): void {
  let unansweredSinceMs: number | undefined;
  let allowedMs = silenceMaxMs;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = ((...args: unknown[]) => {
    unansweredSinceMs ??= performance.now();
    if (waitsForOthers(args[0])) allowedMs = joinMaxMs;
    return write(...args);
  }) as Socket['write'];
  socket.on('data', () => {
    unansweredSinceMs = undefined;
    allowedMs = silenceMaxMs;
  });
  const check = setInterval(() => {
    if (unansweredSinceMs === undefined || performance.now() - unansweredSinceMs < allowedMs) return;
    socket.destroy(new Error(`no answer for ${allowedMs} ms`));
  }, silenceMaxMs / checksPerSilence);
  check.unref();
  socket.once('close', () => clearInterval(check));
}

function waitsForOthers(request: unknown): boolean {
  if (!Buffer.isBuffer(request) || request.length < apiKeyAt + 2) return false;
  const apiKey = request.readInt16BE(apiKeyAt);
  return apiKey === joinGroup || apiKey === syncGroup;
}
