/**
 * A TCP proxy that simulates the network in front of a server. It drops every connection, delays what
 * it forwards, goes half-open (it accepts and forwards nothing, as when the return path is lost), or
 * freezes (current connections stay silent until they are closed, new ones work).
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { resetSocket } from './reset-socket.ts';

export interface TcpProxy {
  port: number;
  /** The server's port; connections are refused until it is known. */
  forwardTo(port: number): void;
  /** Resets every connection and accepts none until `heal`. */
  drop(): void;
  /** Delays every byte by this long, in both directions, in order. */
  slow(ms: number): void;
  /** Accepts and keeps connections, and lets nothing through. */
  mute(): void;
  /** Current connections forward nothing any more, and neither end sees the other close; new ones work. */
  freeze(): void;
  /** Restores everything except frozen connections: delayed bytes are sent, connections made while mute are reset. */
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  /** Opened while nothing was forwarded: the server does not know of it. */
  stillborn: boolean;
  /** Permanently: both ends believe that the connection is open until their own checks fail. */
  frozen: boolean;
}

export async function openTcpProxy(): Promise<TcpProxy> {
  let upstream = 0;
  let state: 'open' | 'dropping' | 'mute' = 'open';
  let delayMs = 0;
  const pairs = new Set<Pair>();

  const end = (pair: Pair) => {
    pairs.delete(pair);
    resetSocket(pair.client);
    resetSocket(pair.server);
  };
  const pump = (pair: Pair, from: Socket, to: Socket) => {
    let last = Promise.resolve();
    let waiting = 0;
    // Once a byte is delayed nothing overtakes it, not even the end of the connection.
    const inOrder = (pass: () => void) => {
      if (delayMs === 0 && waiting === 0) return pass();
      const dueMs = performance.now() + delayMs;
      waiting += 1;
      last = last.then(async () => {
        await wait(Math.max(0, dueMs - performance.now()));
        waiting -= 1;
        if (!to.destroyed && !pair.frozen) pass();
      });
    };
    // A slow reader slows the writer down, as without a proxy.
    from.on('data', (chunk: Buffer) => inOrder(() => void (to.write(chunk) || from.pause())));
    to.on('drain', () => state !== 'mute' && !pair.frozen && from.resume());
    from.on('end', () => inOrder(() => to.end()));
    from.on('error', () => pair.frozen || end(pair));
    from.on('close', () => pair.frozen || pairs.delete(pair));
  };

  const proxy = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (state === 'dropping' || upstream === 0) return resetSocket(client);
    const server = connect({ port: upstream, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const pair: Pair = { client, server, stillborn: state === 'mute', frozen: false };
    pairs.add(pair);
    pump(pair, client, server);
    pump(pair, server, client);
    if (state === 'mute') pause(pair);
  });
  const pause = ({ client, server }: Pair) => {
    client.pause();
    server.pause();
  };
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    port: (proxy.address() as AddressInfo).port,
    forwardTo: (port) => {
      upstream = port;
    },
    drop: () => {
      state = 'dropping';
      for (const pair of [...pairs]) if (!pair.frozen) end(pair);
    },
    slow: (ms) => {
      delayMs = ms;
    },
    mute: () => {
      state = 'mute';
      for (const pair of pairs) pause(pair);
    },
    freeze: () => {
      for (const pair of pairs) {
        pair.frozen = true;
        pause(pair);
      }
    },
    heal: () => {
      state = 'open';
      delayMs = 0;
      for (const pair of [...pairs]) {
        if (pair.frozen) continue;
        if (pair.stillborn) end(pair);
        else for (const socket of [pair.client, pair.server]) socket.resume();
      }
    },
    close: async () => {
      for (const pair of [...pairs]) end(pair);
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** The server's address with the proxy's port, which leads there. */
export function through(network: TcpProxy, address: string): string {
  const [, port] = /:(\d+)(?:\/\w+)?$/.exec(address)!;
  network.forwardTo(Number(port));
  return address.replace(`:${port}`, `:${network.port}`);
}
