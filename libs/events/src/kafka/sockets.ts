/**
 * kafkajs keeps using a socket after a timeout (tulios/kafkajs#1783). Here a socket without an answer for too long is destroyed: its
 * pending requests fail, and the next request opens a new one.
 */
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { kafkaTiming } from '../timing.ts';

const checksPerSilence = 20;

/** Offset of the correlation id, after the length. */
const apiKeyAt = 4;
const joinGroup = 11;
const syncGroup = 14;

export function kafkaSockets(silenceMaxMs: number = kafkaTiming.silenceMaxMs): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const options = { host, port };
    const named = isIP(host) ? {} : { servername: host };
    const socket = ssl ? connectTls({ ...options, ...named, ...(ssl as ConnectionOptions) }, onConnect) : connect(options, onConnect);
    socket.setKeepAlive(true, kafkaTiming.keepAliveAfterMs);
    endWhenSilent(socket, silenceMaxMs);
    return socket;
  };
}

/** Destroys the socket when a written request has had no answer for too long. */
function endWhenSilent(socket: Socket, silenceMaxMs: number): void {
  let unansweredSinceMs: number | undefined;
  let allowedMs = silenceMaxMs;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = ((...args: unknown[]) => {
    unansweredSinceMs ??= performance.now();
    if (waitsForOthers(args[0])) allowedMs = kafkaTiming.joinMaxMs;
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
