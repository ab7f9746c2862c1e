/** Calls to a service: each has a caller and a deadline, and a Problem arrives as the service threw it. */
import { Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { grpcDefinition } from '@store/contract';
import { unexpected } from '@store/problem';
import { presentAsker } from '@store/shares/asker';
import { Breaker, lateFromMs, type Outcome } from './breaker.ts';
import type { Caller, RequestPart } from './caller.ts';
import { announcesProblem, isProblem, problemOf, refusalOf } from './problem-metadata.ts';
import { channelOptions } from './server.ts';
import { type EncodedFixedPart, fixedPartOf, signCaller } from './signed-caller.ts';
import { failSpan, openCallSpan } from './trace.ts';
import { channelCredentials, type PeerTrust, setCaller, type Tls } from './trust.ts';

/** The rpcs of a service as a client calls them, typed from its generated definition. */
export type Rpcs<Definition> = {
  [Rpc in keyof Definition as Definition[Rpc] extends { path: string } ? Rpc : never]: Definition[Rpc] extends {
    requestSerialize: (value: infer Request) => Buffer;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? (request: Request, call: { caller: Caller; deadlineMs: number }) => Promise<Response>
    : never;
};

/** The HTTP/2 connections to a service, made once per process. */
export interface Channel {
  readonly grpc: Client;
  /** A connection of their own: answers to calls would queue behind the bytes of a large stream (docs/performance.md). */
  readonly streams: Client;
  readonly keys: PeerTrust['keys'];
  /** Refuses calls while the service hangs, and calls beyond the limit of those in flight. */
  breaker: Breaker;
  close(): void;
}

/** Margin by which an inner call's deadline is shorter, so that the outer call can still report what timed out. */
const deadlineMarginMs = 20;

/** Unanswered probes on one connection before the next probes open a new one: the old connection's peer may be gone. */
const missesPerConnection = 4;

export function connect(address: string, { keys, tls }: PeerTrust): Channel {
  let grpc = open(address, tls);
  let streams = open(address, tls);
  let misses = 0;
  const probe = async () => {
    if (await answersAnything(grpc)) {
      misses = 0;
      return true;
    }
    misses += 1;
    if (misses % missesPerConnection === 0) {
      // Calls on the old connections still end with their answer or at their deadline.
      grpc.close();
      streams.close();
      grpc = open(address, tls);
      streams = open(address, tls);
    }
    return false;
  };
  const breaker = new Breaker({ probe });
  return {
    get grpc() {
      return grpc;
    },
    get streams() {
      return streams;
    },
    keys,
    breaker,
    close: () => {
      breaker.stop();
      grpc.close();
      streams.close();
    },
  };
}

function open(address: string, tls: Tls | undefined): Client {
  return new Client(address, channelCredentials(tls), {
    ...channelOptions,
    'grpc.service_config_disable_resolution': 1,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    // Its default of 30 s is longer than a rolling update of two processes: calls would fail until the next look-up.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    // Without this option grpc-js would share the connection that does not answer.
    'grpc.use_local_subchannel_pool': 1,
    // Detects a peer that vanished. Longer than the longest call, which a ping after GOAWAY would end (grpc-node#3068).
    'grpc.keepalive_time_ms': 40_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
}

const probeDeadlineMs = 1_000;

/** Calls an rpc that no service has: a live service answers UNIMPLEMENTED at once. */
function answersAnything(grpc: Client): Promise<boolean> {
  const nothing = Buffer.alloc(0);
  return new Promise((resolve) => {
    grpc.makeUnaryRequest('/store.Probe/Ping', same, same, nothing, new Metadata(), { deadline: Date.now() + probeDeadlineMs }, (error) =>
      resolve(error?.code === status.UNIMPLEMENTED),
    );
  });
}

/** A typed client of the service of that full name. */
export function client<Definition>(channel: Channel, service: string): Rpcs<Definition> {
  const rpcs: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(grpcDefinition(service))) {
    rpcs[name] = async (request: unknown, call: { caller: Caller; deadlineMs: number }) => {
      const from = { fixedPart: fixedPartOf(call.caller), request: call.caller };
      const answer = await send(channel, method.path, method.requestSerialize(request), from, call.deadlineMs - deadlineMarginMs);
      return method.responseDeserialize(answer.bytes);
    };
  }
  return rpcs as Rpcs<Definition>;
}

export interface Answer {
  bytes: Buffer;
  /** HTTP status that the service chose; undefined: the endpoint's default. */
  status: number | undefined;
  headers: [string, string][];
}

/** Serializes and deserializes: bytes are passed as they are. */
export const same = (bytes: Buffer): Buffer => bytes;

export interface From {
  fixedPart: EncodedFixedPart;
  request: RequestPart;
}

export interface SendOptions {
  /** The call changes nothing, so it is sent once more if it was lost. Never set for a change: it may have been applied. */
  read?: boolean;
}

/** Sends encoded bytes to an rpc and returns the encoded answer; the gateway forwards requests this way. */
export async function send(
  channel: Channel,
  rpc: string,
  bytes: Buffer,
  from: From,
  deadlineMs: number,
  options: SendOptions = {},
): Promise<Answer> {
  if (!Number.isFinite(deadlineMs)) throw unexpected(new Error('a call needs a deadline'));
  const givenMs = deadlineMs - Date.now();
  const leave = await channel.breaker.enter(turnUntilMs(deadlineMs));
  // A clock that is set must not lower the limit of calls.
  const beganAtMs = performance.now();
  let outcome: Outcome = 'lost';
  let answer: Answer & { isProblem: boolean };
  const metadata = new Metadata();
  const span = openCallSpan(from.request, rpc, metadata);
  try {
    setCaller(metadata, signCaller(channel.keys, from.fixedPart, from.request, rpc));
    answer = await sendOnce(channel, rpc, bytes, metadata, deadlineMs).catch((error: ServiceError) => {
      if (!options.read || error.code !== status.UNAVAILABLE || isProblem(error)) throw error;
      return sendOnce(channel, rpc, bytes, metadata, deadlineMs);
    });
    outcome = 'answered';
  } catch (error) {
    outcome = outcomeOf(error as ServiceError, givenMs);
    failSpan(span, error);
    throw problemOf(error as ServiceError);
  } finally {
    leave(outcome, { tookMs: performance.now() - beganAtMs, givenMs });
    span?.end();
  }
  if (answer.isProblem) throw refusalOf(answer.bytes);
  return answer;
}

/** Of a call's time: the rest is for its answer. */
const turnShare = 1 / 4;

/** How long a call waits for its turn. */
export function turnUntilMs(deadlineMs: number): number {
  const nowMs = Date.now();
  return nowMs + (deadlineMs - nowMs) * turnShare;
}

export function outcomeOf(error: ServiceError, givenMs: number): Outcome {
  if (isProblem(error)) return 'answered';
  if (error.code === status.DEADLINE_EXCEEDED) return givenMs >= lateFromMs ? 'late' : 'lost';
  return error.code === status.UNAVAILABLE || error.code === status.CANCELLED ? 'lost' : 'answered';
}

function sendOnce(
  channel: Channel,
  rpc: string,
  bytes: Buffer,
  metadata: Metadata,
  deadlineMs: number,
): Promise<Answer & { isProblem: boolean }> {
  return new Promise((resolve, reject) => {
    let head: Metadata | undefined;
    let forget: (() => void) | undefined;
    const call = withoutStack(() =>
      channel.grpc.makeUnaryRequest(
        rpc,
        same,
        same,
        bytes,
        metadata,
        { deadline: deadlineMs },
        (error: ServiceError | null, value?: Buffer) => {
          forget?.();
          if (error || value === undefined) reject(error);
          else resolve({ bytes: value, isProblem: announcesProblem(head), ...httpPart(head) });
        },
      ),
    );
    call.on('metadata', (received: Metadata) => {
      head = received;
    });
    // A call for a caller who is gone ends with it.
    forget = presentAsker()?.whenGone(() => call.cancel());
  });
}

/** grpc-js takes a stack trace of each call, in case it fails; the Problem that a failed call ends in has a stack of its own. */
function withoutStack<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function httpPart(head: Metadata | undefined): { status: number | undefined; headers: [string, string][] } {
  const headers: [string, string][] = [];
  let status: number | undefined;
  for (const [name, value] of Object.entries(head?.getMap() ?? {})) {
    if (name === 'http-status') status = Number(value);
    else if (name.startsWith('http-header-')) headers.push([name.slice('http-header-'.length), String(value)]);
  }
  return { status, headers };
}
