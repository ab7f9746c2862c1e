import type { Log } from '@store/service';
import { createClient, createCluster } from 'redis';
import { clusterUrl, type RedisAddress } from './redis-address.ts';

/** Calls of the key gate to the server that holds a key; each rejects at once without a connection. */
export interface RedisConnection {
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  set(key: string, value: string, options?: { expiration: { type: 'PX'; value: number } }): Promise<unknown>;
  del(keys: string[]): Promise<unknown>;
  time(): Promise<unknown[]>;
  scriptLoad(text: string): Promise<unknown>;
  connect(): Promise<unknown>;
  destroy(): void;
}

const connectTimeoutMs = 2_000;
const reconnectMaxMs = 500;
/** TCP keepalive detects a peer that vanished. */
const keepAliveAfterMs = 10_000;

/** Time limit for a server that is asked which master has which slots. */
const silentAfterMs = 3_000;

function socketOf(ca: string | undefined, isTls: boolean) {
  const reconnectStrategy = (retries: number) => Math.min(50 * 2 ** Math.min(retries, 10), reconnectMaxMs) + Math.random() * 50;
  const socket = { connectTimeout: connectTimeoutMs, keepAlive: true, keepAliveInitialDelay: keepAliveAfterMs, reconnectStrategy };
  if (!isTls) return socket;
  return ca === undefined ? { ...socket, tls: true as const } : { ...socket, tls: true as const, ca };
}

export function newClient({ url, ca }: RedisAddress, log: Log) {
  const client = createClient({
    url,
    RESP: 3,
    // Otherwise the ACL user would need one more command.
    disableClientInfo: true,
    disableOfflineQueue: true,
    // Its own limit of 5 s is a timer per command that also expires after the answer; `withReplyTimeout` limits every command.
    commandOptions: { timeout: 0 },
    socket: socketOf(ca, ca !== undefined),
  });
  const outage = outageLog(log);
  client.on('error', outage.lost);
  client.on('ready', outage.over);
  return client;
}

/** Logs a lost connection once, until it is back. */
function outageLog(log: Log): { lost(error: Error): void; over(): void } {
  let saidSo = false;
  return {
    lost: (error) => {
      if (!saidSo) log.warn({ err: error }, 'Redis connection lost; reconnecting');
      saidSo = true;
    },
    over: () => {
      saidSo = false;
    },
  };
}

/** A client of a cluster that connects to each master when its first key is asked for. */
export function newClusterClient({ url, ca }: RedisAddress, log: Log) {
  const [, scheme, username, password, hosts] = clusterUrl.exec(url)!;
  const isTls = scheme === 'rediss';
  const credentials = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
  const client = createCluster({
    RESP: 3,
    rootNodes: hosts!.split(',').map((host) => ({ url: `${scheme}://${host}` })),
    // A master that does not answer would otherwise delay news of the others.
    minimizeConnections: true,
    // Each failing call asks for the map itself (redis-cluster.ts).
    topologyRefreshOnReconnectionAttemptStrategy: false,
    defaults: {
      ...credentials,
      disableClientInfo: true,
      disableOfflineQueue: true,
      pingInterval: silentAfterMs / 3,
      socket: { ...socketOf(ca, isTls), socketTimeout: silentAfterMs },
    },
  });
  const outage = outageLog(log);
  client.on('error', outage.lost);
  client.on('node-error', outage.lost);
  client.on('node-ready', outage.over);
  return client;
}
