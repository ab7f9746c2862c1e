/**
 * A proxy that speaks PostgreSQL's protocol, and drops the connection of a chosen statement: before PostgreSQL gets it, or after it was
 * carried out and before its answer comes back. A statement is what ends with a Query or a Sync.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endTogether, resetSocket } from '../kit/reset-socket.ts';

export interface Statement {
  /** Among those of the schemas that are watched, from 1. */
  number: number;
  isCommit: boolean;
}

export type Cut = (statement: Statement) => 'before' | 'after' | undefined;

export interface CutProxy {
  port: number;
  /** Asks of each statement over the connections of these services whether it is cut; once one was, no more. */
  watch(schemas: string[], cut: Cut): void;
  /** Ends the watch; whether one was cut. */
  unwatch(): boolean;
  close(): Promise<void>;
}

interface Watch {
  schemas: string[];
  cut: Cut;
  seen: number;
  isCut: boolean;
}

/** Frontend messages that belong to a statement, and those that end one. */
const ofStatement = 'PBDECHFQS';
const ends = 'QS';
const readyForQuery = 'Z';
const commitText = /^Q....commit\0$/is;

export async function openCutProxy(upstream: number): Promise<CutProxy> {
  let watch: Watch | undefined;
  const sockets = new Set<Socket>();
  const proxy = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: upstream, host: '127.0.0.1', noDelay: true });
    const end = endTogether([client, server], sockets);
    pass(client, server, () => watch, end);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    watch: (schemas, cut) => {
      watch = { schemas, cut, seen: 0, isCut: false };
    },
    unwatch: () => {
      const { isCut } = watch!;
      watch = undefined;
      return isCut;
    },
    close: async () => {
      for (const socket of sockets) resetSocket(socket);
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function pass(client: Socket, server: Socket, watching: () => Watch | undefined, end: () => void): void {
  let schema: string | undefined;
  let statement: Buffer[] = [];
  /** Answers that are still to come before that of the last statement; the first is that of the start. */
  let [sent, answered] = [0, -1];
  let lastAnswer = Number.POSITIVE_INFINITY;

  const sendOn = (frame: Buffer) => {
    statement.push(frame);
    if (!ends.includes(typeOf(frame))) return;
    const whole = Buffer.concat(statement);
    statement = [];
    const cut = decide(whole);
    if (cut === 'before') return end();
    // Nothing follows a statement whose answer is not to come back.
    if (sent >= lastAnswer) return;
    sent += 1;
    if (cut === 'after') lastAnswer = sent;
    server.write(whole);
  };
  const decide = (whole: Buffer): ReturnType<Cut> => {
    const watch = watching();
    if (!watch || watch.isCut || schema === undefined || !watch.schemas.includes(schema)) return undefined;
    const cut = watch.cut({ number: ++watch.seen, isCommit: commitText.test(whole.toString('latin1')) });
    watch.isCut = cut !== undefined;
    return cut;
  };
  client.on(
    'data',
    framed((frame, isFirst) => {
      // Only the start has no type.
      if (isFirst) schema = /application_name\0store-([a-z]+)\0/.exec(frame.toString('latin1'))?.[1];
      if (isFirst || !ofStatement.includes(typeOf(frame))) server.write(frame);
      else sendOn(frame);
    }, true),
  );
  server.on(
    'data',
    framed((frame) => {
      if (answered + 1 < lastAnswer) client.write(frame);
      if (typeOf(frame) !== readyForQuery) return;
      answered += 1;
      if (answered === lastAnswer) end();
    }, false),
  );
}

const typeOf = (frame: Buffer): string => String.fromCharCode(frame[0]!);

/** Cuts what comes into messages: a type, and a length that does not count it; the first one of a client has no type. */
function framed(take: (frame: Buffer, isFirst: boolean) => void, startsWithoutType: boolean): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = startsWithoutType;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typed = isFirst ? 0 : 1;
      if (rest.length < typed + 4) return;
      const length = typed + rest.readUInt32BE(typed);
      if (rest.length < length) return;
      const frame = rest.subarray(0, length);
      rest = rest.subarray(length);
      const first = isFirst;
      isFirst = false;
      take(frame, first);
    }
  };
}
