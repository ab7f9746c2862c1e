/** The gRPC server of a service: a table of rpc names and verbs. */
import {
  Metadata,
  type MethodDefinition,
  Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { grpcDefinitions, root } from '@store/contract';
import { Problem, texts } from '@store/problem';
import type { Caller } from './caller.ts';
import { asMessage, statusOf } from './problem-metadata.ts';
import { openCaller } from './signed-caller.ts';
import { callerIn, serverCredentials, type Trust } from './trust.ts';

/** One call as a verb sees it. */
export interface Call {
  caller: Caller;
  /** The caller's deadline, in milliseconds since the epoch. */
  deadlineMs: number;
  /** Full path of the rpc, such as /store.catalog.v1.Catalog/CreateBrand. */
  rpc: string;
}

/** An answer with more than its message: its own status, headers, or encoded bytes. */
export class Reply<Message> {
  readonly message: Message | undefined;
  readonly options: ReplyOptions;
  constructor(message: Message | undefined, options: ReplyOptions) {
    this.message = message;
    this.options = options;
  }
}

export interface ReplyOptions {
  /** HTTP status; the endpoint's own when absent. */
  status?: number;
  /** HTTP headers of the answer. */
  headers?: Record<string, string>;
  /** Set-Cookie headers; only for verbs that the gateway answers itself. */
  cookies?: string[];
  /** The encoded message, when an earlier answer is replayed. */
  bytes?: Uint8Array;
}

/** The verbs of a service, typed from its generated definition. */
export type Verbs<Definition> = {
  [Rpc in keyof Definition as Definition[Rpc] extends LooseMethod ? Rpc : never]: Definition[Rpc] extends {
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseSerialize: (value: infer Response) => Buffer;
  }
    ? (request: Request, call: Call) => Promise<Response | Reply<Response>>
    : never;
};

/** One verb of a service with the app's context, typed from the generated definition. */
export type VerbOf<App, Definition, Rpc extends keyof Definition> = Definition[Rpc] extends {
  requestDeserialize: (bytes: Buffer) => infer Request;
  responseSerialize: (value: infer Response) => Buffer;
}
  ? (app: App, request: Request, call: Call) => Promise<Response | Reply<Response>>
  : never;

interface LooseMethod {
  path: string;
}

export interface RpcLog {
  error(fields: object, message: string): void;
}

export interface RpcServer {
  /** host:port that it listens on. */
  address: string;
  /** Lets calls in flight finish, then closes; forced after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const messageBytesMax = 16 * 1024 * 1024;
const graceDefaultMs = 10_000;

/** Options that both ends of every channel share. */
export const channelOptions = {
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc.max_send_message_length': messageBytesMax,
  'grpc.enable_channelz': 0,
};

/** Detects a client that vanished. Longer than the longest call, which a ping after GOAWAY may end (grpc-node#3068). */
const serverKeepalive = { 'grpc.keepalive_time_ms': 60_000, 'grpc.keepalive_timeout_ms': 10_000 };

export interface ServeOptions {
  /** host:port; port 0 chooses a free one. */
  listen: string;
  /** Keys and certificates under which callers are accepted. */
  trust: Trust;
  log: RpcLog;
}

/** Serves `verbs` as the service of that full name, such as store.catalog.v1.Catalog. */
export async function serve(services: Record<string, object>, { listen, trust, log }: ServeOptions): Promise<RpcServer> {
  const server = new Server({ ...channelOptions, ...serverKeepalive, interceptors: [refuseStrangers(trust, log)] });
  for (const [name, verbs] of Object.entries(services)) {
    const definition = fastDefinition(name);
    // grpc-js refuses a service without rpcs, and an app may have none yet.
    if (Object.keys(definition).length > 0) server.addService(definition, handlers(name, verbs, log));
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
 * proto-loader's definition, but answers are encoded straight from the view: its own serializer first
 * copies every message through fromObject, which on a list costs more than the encoding.
 */
function fastDefinition(name: string): Record<string, MethodDefinition<unknown, unknown>> {
  const definition = grpcDefinitions[name] as unknown as Record<string, MethodDefinition<unknown, unknown>>;
  if (!definition) throw new Error(`no proto declares the service ${name}`);
  return Object.fromEntries(
    Object.entries(definition).map(([method, described]) => {
      const type = root.lookupService(name).methods[method]!.resolvedResponseType!;
      const responseSerialize = (value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(type.encode(value as object).finish());
      return [method, { ...described, responseSerialize }];
    }),
  );
}

function handlers(service: string, verbs: object, log: RpcLog): Record<string, UntypedHandleCall> {
  return Object.fromEntries(
    Object.entries(verbs).map(([name, verb]) => [
      name,
      unary(`/${service}/${name}`, verb as (request: unknown, call: Call) => Promise<unknown>, log),
    ]),
  );
}

/** Awaits the verb and answers; a rejection that escaped an async handler would end the process. */
function unary(name: string, verb: (request: unknown, call: Call) => Promise<unknown>, log: RpcLog): UntypedHandleCall {
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
    const caller = callers.get(call.metadata)!;
    answer(name, call, caller, verb)
      .then(({ head, value }) => {
        if (head) call.sendMetadata(head);
        callback(null, value);
      })
      .catch((error: unknown) => {
        const problem = error instanceof Problem ? error : new Problem('unavailable', texts.unexpected, {}, { cause: error });
        if (problem.status >= 500) log.error({ err: error, rpc: name, request_id: caller.requestId }, 'The call failed');
        const long = asMessage(problem);
        if (!long) return callback(statusOf(problem));
        call.sendMetadata(long.head);
        callback(null, long.bytes);
      });
  };
}

async function answer(
  rpc: string,
  call: ServerUnaryCall<unknown, unknown>,
  caller: Caller,
  verb: (request: unknown, call: Call) => Promise<unknown>,
): Promise<{ head: Metadata | undefined; value: unknown }> {
  const deadline = call.getDeadline();
  const deadlineMs = deadline instanceof Date ? deadline.getTime() : deadline;
  const value = await verb(call.request, { caller, deadlineMs, rpc });
  if (!(value instanceof Reply)) return { head: undefined, value };
  return { head: initialMetadata(value.options), value: value.options.bytes ?? value.message };
}

function initialMetadata(options: ReplyOptions): Metadata | undefined {
  if (!options.status && !options.headers) return undefined;
  const metadata = new Metadata();
  if (options.status) metadata.set('http-status', String(options.status));
  for (const [name, value] of Object.entries(options.headers ?? {})) metadata.set(`http-header-${name.toLowerCase()}`, value);
  return metadata;
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
