/**
 * Proxies that drop the connection of a chosen message: a call over gRPC, or a command to Redis. Either the server never gets it, or it
 * was carried out and its answer does not come back.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { endTogether, resetSocket } from '../kit/reset-socket.ts';

export interface MessageCuts {
  /** The port of a proxy in front of this server. */
  before(host: string, port: number): Promise<number>;
  /** Cuts the message of this number, from 1, whichever connection carries it. */
  watch(number: number, when: 'before' | 'after'): void;
  /** Ends the watch; whether one was cut. */
  unwatch(): boolean;
  close(): Promise<void>;
}

/** A part of what one side sends. What a client begins has a name that is also that of its answer. */
interface Part {
  bytes: Buffer;
  begins?: number;
  answers?: number;
}

export interface Protocol {
  ofClient(): (chunk: Buffer) => Part[];
  ofServer(): (chunk: Buffer) => Part[];
}

export function openMessageCuts({ ofClient, ofServer }: Protocol): MessageCuts {
  let watch: { number: number; when: 'before' | 'after'; seen: number; isCut: boolean } | undefined;
  const sockets = new Set<Socket>();
  const servers: Server[] = [];

  const pass = (client: Socket, server: Socket) => {
    const [split, splitAnswers] = [ofClient(), ofServer()];
    let unanswered: number | undefined;
    const end = endTogether([client, server], sockets);
    client.on('data', (chunk) => {
      for (const { bytes, begins } of split(chunk)) {
        if (begins !== undefined && watch && !watch.isCut && ++watch.seen === watch.number) {
          watch.isCut = true;
          if (watch.when === 'before') return end();
          unanswered = begins;
        }
        server.write(bytes);
      }
    });
    server.on('data', (chunk) => {
      for (const { bytes, answers } of splitAnswers(chunk)) {
        if (unanswered !== undefined && answers === unanswered) return end();
        client.write(bytes);
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
    watch: (number, when) => {
      watch = { number, when, seen: 0, isCut: false };
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

/** RFC 9113: a preface, then frames of nine bytes and their payload. A call is a stream that the client's HEADERS open. */
const prefaceLength = 24;
const frameHead = 9;
const headersType = 1;

export const grpcCalls: Protocol = {
  ofClient: () => inFrames(prefaceLength, (bytes, stream, type) => ({ bytes, ...(type === headersType && { begins: stream }) })),
  ofServer: () => inFrames(0, (bytes, stream) => ({ bytes, answers: stream })),
};

function inFrames(preface: number, partOf: (bytes: Buffer, stream: number, type: number) => Part): (chunk: Buffer) => Part[] {
  let rest = Buffer.alloc(0);
  let ahead = preface;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const parts: Part[] = [];
    const take = (length: number): Buffer => {
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      return bytes;
    };
    if (rest.length >= ahead && ahead > 0) {
      parts.push({ bytes: take(ahead) });
      ahead = 0;
    }
    while (ahead === 0 && rest.length >= frameHead && rest.length >= frameHead + rest.readUIntBE(0, 3)) {
      const [type, stream] = [rest[3]!, rest.readUInt32BE(5) & 0x7fffffff];
      parts.push(partOf(take(frameHead + rest.readUIntBE(0, 3)), stream, type));
    }
    return parts;
  };
}

/** A client sends what it asks in one piece each time; any answer after it ends the connection whose answer is to be lost. */
export const redisCommands: Protocol = {
  ofClient: () => (bytes) => [{ bytes, begins: 0 }],
  ofServer: () => (bytes) => [{ bytes, answers: 0 }],
};
