/**
 * Proxies that drop the connection of a chosen message: a statement to PostgreSQL, a call over gRPC, or a command to Redis. Either the server
 * never gets it, or it was carried out and its answer does not come back.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { endTogether, resetSocket } from '../kit/reset-socket.ts';

export type When = 'before' | 'after';

/** Asked of each message, whichever connection carries it; undefined: it is not cut. */
export type Cut<Message> = (message: Message) => When | undefined;

export interface MessageCuts<Message> {
  /** The port of a proxy in front of this server. */
  before(host: string, port: number): Promise<number>;
  /** Once one was cut, no more is. */
  watch(cut: Cut<Message>): void;
  /** Ends the watch; whether one was cut. */
  unwatch(): boolean;
  close(): Promise<void>;
}

/** How both sides of one connection are read, in parts; the answer to a message has its number. */
export interface Reading<Message> {
  ofClient(chunk: Buffer): { bytes: Buffer; begins?: { number: number; message: Message } }[];
  /** The connection of an answer that is not to come back ends at a part of it that is not `isPartial`. */
  ofServer(chunk: Buffer): { bytes: Buffer; answers: number; isPartial?: boolean }[];
  /** No message may follow one whose answer is not to come back. */
  inOrder?: boolean;
}

export function openMessageCuts<Message>(read: () => Reading<Message>): MessageCuts<Message> {
  let watch: { cut: Cut<Message>; isCut: boolean } | undefined;
  const sockets = new Set<Socket>();
  const servers: Server[] = [];

  const decide = (message: Message) => {
    if (!watch || watch.isCut) return undefined;
    const when = watch.cut(message);
    watch.isCut = when !== undefined;
    return when;
  };
  const pass = (client: Socket, server: Socket) => {
    const { ofClient, ofServer, inOrder } = read();
    let unanswered: number | undefined;
    const end = endTogether([client, server], sockets);
    client.on('data', (chunk) => {
      for (const { bytes, begins } of ofClient(chunk)) {
        if (begins && inOrder && unanswered !== undefined) continue;
        const when = begins && decide(begins.message);
        if (when === 'before') return end();
        if (when === 'after') unanswered = begins!.number;
        server.write(bytes);
      }
    });
    server.on('data', (chunk) => {
      for (const { bytes, answers, isPartial } of ofServer(chunk)) {
        if (answers !== unanswered) client.write(bytes);
        else if (!isPartial) return end();
      }
    });
  };
  return {
    before: async (host, port) => {
      const proxy = createServer({ noDelay: true }, (client) => pass(client, connect({ host, port, noDelay: true })));
      servers.push(proxy.listen(0, '127.0.0.1'));
      await once(proxy, 'listening');
      return (proxy.address() as AddressInfo).port;
    },
    watch: (cut) => {
      watch = { cut, isCut: false };
    },
    unwatch: () => {
      const { isCut } = watch!;
      watch = undefined;
      return isCut;
    },
    close: async () => {
      for (const socket of sockets) resetSocket(socket);
      for (const server of servers) {
        server.close();
        await once(server, 'close');
      }
    },
  };
}
