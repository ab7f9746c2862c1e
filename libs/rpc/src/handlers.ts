/** From a gRPC call to its verb and back: one answer, or a head and the messages after it. */
import { Metadata, type ServerUnaryCall, type ServerWritableStream, type sendUnaryData, type UntypedHandleCall } from '@grpc/grpc-js';
import { root } from '@store/contract';
import { type Problem, problemFrom } from '@store/problem';
import { Asker, askedBy, noteOthers } from '@store/shares/asker';
import { type Call, Reply, type ReplyOptions, type RpcLog } from './call.ts';
import type { Caller } from './caller.ts';
import { asMessage, statusOf } from './problem-metadata.ts';
import { inSpan, openAnswerSpan } from './trace.ts';

type UntypedVerb = (request: unknown, call: Call) => Promise<unknown>;

interface Handled {
  rpc: string;
  verb: UntypedVerb;
  callerOf: (metadata: Metadata) => Caller;
  log: RpcLog;
}

export function handlers(service: string, verbs: object, more: Pick<Handled, 'callerOf' | 'log'>): Record<string, UntypedHandleCall> {
  return Object.fromEntries(
    Object.entries(verbs).map(([name, verb]) => {
      const handled = { rpc: `/${service}/${name}`, verb: verb as UntypedVerb, ...more };
      return [name, root.lookupService(service).methods[name]?.responseStream ? streaming(handled) : unary(handled)];
    }),
  );
}

/** Awaits the verb and answers; a rejection that escaped an async handler would end the process. */
function unary(handled: Handled): UntypedHandleCall {
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
    const caller = handled.callerOf(call.metadata);
    const asker = askerOf(call, caller);
    const span = openAnswerSpan(caller, handled.rpc, call.metadata);
    askedBy(asker, () => inSpan(span, () => answer(handled, call, caller)))
      .then(({ head, value }) => {
        if (head) call.sendMetadata(head);
        callback(null, value);
      })
      .catch((error: unknown) => {
        const problem = noted(error, handled, caller, asker);
        const long = asMessage(problem);
        if (!long) return callback(statusOf(problem));
        call.sendMetadata(long.head);
        callback(null, long.bytes);
      });
  };
}

/** Sends the head and then the rest, no faster than the client reads. A client that is gone ends it. */
function streaming(handled: Handled): UntypedHandleCall {
  return (call: ServerWritableStream<unknown, unknown>) => {
    const caller = handled.callerOf(call.metadata);
    const asker = askerOf(call, caller);
    const span = openAnswerSpan(caller, handled.rpc, call.metadata);
    askedBy(asker, () => inSpan(span, () => stream(handled, call, caller))).catch((error: unknown) => {
      // grpc-js sends the status of an error that the call emits.
      if (!call.cancelled) call.emit('error', statusOf(noted(error, handled, caller, asker)));
    });
  };
}

type AnyCall = Pick<ServerUnaryCall<unknown, unknown>, 'getDeadline'> & { once(event: 'cancelled', listener: () => void): unknown };

/** The client's deadline may come first by what the call took to arrive. */
const deadlineMarginMs = 250;

/** The caller's store. It leaves when the call is cancelled, and at its deadline. */
function askerOf(call: AnyCall, { storeId, othersCall }: Caller): Asker {
  if (othersCall) noteOthers();
  const asker = new Asker(storeId, deadlineOf(call));
  call.once('cancelled', () => asker.leave());
  return asker;
}

function deadlineOf(call: Pick<AnyCall, 'getDeadline'>): number {
  const deadline = call.getDeadline();
  return deadline instanceof Date ? deadline.getTime() : deadline;
}

async function stream(handled: Handled, call: ServerWritableStream<unknown, unknown>, caller: Caller): Promise<void> {
  const { head, value, rest } = await answer(handled, call, caller);
  if (head) call.sendMetadata(head);
  const gone = new Promise<void>((resolve) => call.once('cancelled', () => resolve()));
  // The callback comes once the connection has taken the message.
  const written = (message: unknown) => Promise.race([new Promise<void>((resolve) => call.write(message, () => resolve())), gone]);
  await written(value);
  for await (const message of rest ?? []) {
    if (call.cancelled) return;
    await written(message);
  }
  call.end();
}

/** The Problem that the caller gets for an error; internal errors are logged. */
function noted(error: unknown, { rpc, log }: Handled, caller: Caller, asker: Asker): Problem {
  const problem = problemFrom(error);
  // A call that ended because its client left is no failure.
  const isLeft = asker.isGone && Date.now() < asker.deadlineMs - deadlineMarginMs;
  if (problem.status === 500 && !isLeft) log.error({ err: error, rpc, request_id: caller.requestId }, 'The call failed');
  return problem;
}

async function answer(
  { rpc, verb }: Handled,
  call: Pick<ServerUnaryCall<unknown, unknown>, 'request' | 'getDeadline'>,
  caller: Caller,
): Promise<{ head: Metadata | undefined; value: unknown; rest?: ReplyOptions['rest'] }> {
  const value = await verb(call.request, { caller, deadlineMs: deadlineOf(call), rpc });
  if (!(value instanceof Reply)) return { head: undefined, value };
  return { head: initialMetadata(value.options), value: value.options.bytes ?? value.message, rest: value.options.rest };
}

function initialMetadata(options: ReplyOptions): Metadata | undefined {
  if (!options.status && !options.headers) return undefined;
  const metadata = new Metadata();
  if (options.status) metadata.set('http-status', String(options.status));
  for (const [name, value] of Object.entries(options.headers ?? {})) metadata.set(`http-header-${name.toLowerCase()}`, value);
  return metadata;
}
