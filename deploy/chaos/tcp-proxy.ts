/**
 * A TCP proxy that stands for the network in front of a server: it drops every connection, holds what
 * it forwards back for a while, or goes half-open (it accepts, and forwards nothing, as when the way
 * back has vanished without a word).
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface TcpProxy {
  port: number;
  /** Where the server listens; connections are refused until it is known. */
  forwardTo(port: number): void;
  /** Ends every connection with a reset and accepts none until `heal`. */
  drop(): void;
  /** Holds every byte back for so long, in both directions, in order. */
  slow(ms: number): void;
  /** Accepts and keeps connections, and lets nothing through. */
  mute(): void;
  /** As if nothing had been: what was held back goes on, connections that were made while mute are reset. */
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  /** Made while nothing came through: its other end knows nothing of it. */
  stillborn: boolean;
}

export async function openTcpProxy(): Promise<TcpProxy> {
  let upstream = 0;
  let state: 'open' | 'dropping' | 'mute' = 'open';
  let delayMs = 0;
  const pairs = new Set<Pair>();

  const end = (pair: Pair) => {
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  };
  const pump = (pair: Pair, from: Socket, to: Socket) => {
    let last = Promise.resolve();
    let waiting = 0;
    // Once something is held back nothing overtakes it, the connection's end neither.
    const inOrder = (pass: () => void) => {
      if (delayMs === 0 && waiting === 0) return pass();
      const dueMs = performance.now() + delayMs;
      waiting += 1;
      last = last.then(async () => {
        await wait(Math.max(0, dueMs - performance.now()));
        waiting -= 1;
        if (!to.destroyed) pass();
      });
    };
    // Whoever reads slowly slows the writer down, as without a proxy.
    from.on('data', (chunk: Buffer) => inOrder(() => void (to.write(chunk) || from.pause())));
    to.on('drain', () => state !== 'mute' && from.resume());
    from.on('end', () => inOrder(() => to.end()));
    from.on('error', () => end(pair));
    from.on('close', () => pairs.delete(pair));
  };

  const proxy = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (state === 'dropping' || upstream === 0) return void client.resetAndDestroy();
    const server = connect({ port: upstream, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const pair: Pair = { client, server, stillborn: state === 'mute' };
    pairs.add(pair);
    pump(pair, client, server);
    pump(pair, server, client);
    if (state === 'mute') freeze(pair);
  });
  const freeze = ({ client, server }: Pair) => {
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
      for (const pair of [...pairs]) end(pair);
    },
    slow: (ms) => {
      delayMs = ms;
    },
    mute: () => {
      state = 'mute';
      for (const pair of pairs) freeze(pair);
    },
    heal: () => {
      state = 'open';
      delayMs = 0;
      for (const pair of [...pairs]) {
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
