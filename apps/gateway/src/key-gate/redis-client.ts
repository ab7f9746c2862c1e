/** The only place where the gateway opens a connection to Redis. */
import type { Log } from '@store/service';
import { createClient } from 'redis';

export interface RedisAddress {
  /** redis:// or, over TLS, rediss://, with the user and the password of an ACL. */
  url: string;
  /** PEM of the authority that signed Redis's certificate; absent: the authorities that Node trusts. */
  ca?: string | undefined;
}

const connectTimeoutMs = 2_000;
const reconnectMaxMs = 500;
/** TCP keepalive detects a peer that vanished. */
const keepAliveAfterMs = 10_000;

export function newClient({ url, ca }: RedisAddress, log: Log) {
  const reconnectStrategy = (retries: number) => Math.min(50 * 2 ** Math.min(retries, 10), reconnectMaxMs) + Math.random() * 50;
  const socket = { connectTimeout: connectTimeoutMs, keepAlive: true, keepAliveInitialDelay: keepAliveAfterMs, reconnectStrategy };
  const client = createClient({
    url,
    RESP: 3,
    disableOfflineQueue: true,
    socket: ca === undefined ? socket : { ...socket, tls: true, ca },
  });
  let saidSo = false;
  client.on('error', (error: Error) => {
    if (!saidSo) log.warn({ err: error }, 'Redis connection lost; reconnecting');
    saidSo = true;
  });
  client.on('ready', () => {
    saidSo = false;
  });
  return client;
}
