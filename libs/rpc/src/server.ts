/** The gRPC server of a service: a table of rpc names and verbs. */
import { type Metadata, type MethodDefinition, Server, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { encodeView, grpcDefinition, root } from '@store/contract';
import { Problem } from '@store/problem';
import type { RpcLog } from './call.ts';
import type { Caller } from './caller.ts';
import { handlers } from './handlers.ts';
import { statusOf } from './problem-metadata.ts';
import { openCaller } from './signed-caller.ts';
import { callerIn, serverCredentials, type Trust } from './trust.ts';

export interface RpcServer {
  /** host:port that it listens on. */
  address: string;
  /** Lets calls in flight finish, then closes; forced after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const requestBytesMax = 16 * 1024 * 1024;
/** Lists in pages are answered in slices (note 0260); this is more than what the caps allow of one record or of another list. */
const answerBytesMax = 64 * 1024 * 1024;
/** Most of the time that a stop may take: calls that change many rows may take longer than others, and must not be cut off. */
const graceDefaultMs = 18_000;

const serverOptions = {
  'grpc.max_receive_message_length': requestBytesMax,
  'grpc.max_send_message_length': answerBytesMax,
  'grpc.enable_channelz': 0,
};

/** Options of every channel. */
export const channelOptions = {
  ...serverOptions,
  'grpc.max_receive_message_length': answerBytesMax,
  'grpc.max_send_message_length': requestBytesMax,
};

/** Detects a client that vanished. Longer than the longest call, which a ping after GOAWAY may end (grpc-node#3068). */
const serverKeepalive = { 'grpc.keepalive_time_ms': 60_000, 'grpc.keepalive_timeout_ms': 10_000 };

/**
 * A client looks its server's name up only when a connection ends, so connections end: processes that were added get their
 * share of calls within this time. Calls under way go on, on the old connection, for longer than any call may take.
 */
const connectionAgeDefaultMs = 5 * 60_000;
const connectionGraceMs = 60_000;

interface ServeOptions {
  /** host:port; port 0 chooses a free one. */
  listen: string;
  /** Keys and certificates under which callers are accepted. */
  trust: Trust;
  log: RpcLog;
  /** Shorter in tests. */
  connectionAgeMs?: number;
}

/** Serves `verbs` as the service of that full name, such as store.catalog.v1.Catalog. */
export async function serve(services: Record<string, object>, { listen, trust, log, connectionAgeMs }: ServeOptions): Promise<RpcServer> {
  const server = new Server({
    ...serverOptions,
    ...serverKeepalive,
    'grpc.max_connection_age_ms': connectionAgeMs ?? connectionAgeDefaultMs,
    'grpc.max_connection_age_grace_ms': connectionGraceMs,
    interceptors: [refuseStrangers(trust, log)],
  });
  const callerOf = (metadata: Metadata) => callers.get(metadata)!;
  for (const [name, verbs] of Object.entries(services)) {
    const definition = fastDefinition(name);
    // grpc-js refuses a service without rpcs, and an app may have none yet.
    if (Object.keys(definition).length > 0) server.addService(definition, handlers(name, verbs, { callerOf, log }));
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(listen, serverCredentials(trust.tls), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return {
    address: `${listen.slice(0, listen.lastIndexOf(':'))}:${port}`,
    stop: (graceMs = graceDefaultMs) => stop(server, graceMs),
  };
}

/** The same answer for a caller that is missing, malformed, forged, expired or signed for another rpc. */
const stranger = statusOf(new Problem('unauthenticated', 'A call without its caller is refused'));

/** Verified callers of calls under way. */
const callers = new WeakMap<Metadata, Caller>();

/** Checks a call by its headers alone: without a valid signature no byte of the message is read. */
function refuseStrangers({ keys }: Trust, log: RpcLog): ServerInterceptor {
  let refused = 0;
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const signed = callerIn(metadata);
            const caller = signed && openCaller(keys, signed, path);
            if (caller) {
              callers.set(metadata, caller);
              return proceed(metadata);
            }
            refused += 1;
            // Logged at powers of ten only, so that a flood does not fill the disk.
            if (Number.isInteger(Math.log10(refused))) log.error({ rpc: path, refused }, 'A call without its caller was refused');
            call.sendStatus(stranger);
          },
        }),
    });
}

/**
 * Answers are encoded straight from the view by the contract's own writer: the usual serializer first copies every message
 * through fromObject, which on a list costs more than the encoding.
 */
function fastDefinition(name: string): Record<string, MethodDefinition<unknown, unknown>> {
  return Object.fromEntries(
    Object.entries(grpcDefinition(name)).map(([method, described]) => {
      const type = root.lookupService(name).methods[method]!.resolvedResponseType!;
      const responseSerialize = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value) : encodeView(type, value as object));
      return [method, { ...described, responseSerialize }];
    }),
  );
}

/** tryShutdown can wait forever for dead clients, so a timeout bounds it. */
function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
