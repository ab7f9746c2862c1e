/** Calls to server-streaming rpcs: the head first, and the messages after it as they are read. */
import { type ClientReadableStream, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Problem } from '@store/problem';
import type { Leave } from './breaker.ts';
import { type Answer, type Channel, type From, httpPart, outcomeOf, same, turnUntilMs } from './client.ts';
import { problemOf } from './problem-metadata.ts';
import { signCaller } from './signed-caller.ts';
import { failSpan, openCallSpan } from './trace.ts';
import { setCaller } from './trust.ts';

/** The head, of which `bytes` are the message, and what follows it. */
export interface StreamedAnswer extends Answer {
  /** Messages after the head; a failure rejects with its Problem. A caller that stops reading before the end must cancel. */
  rest: AsyncIterable<Buffer>;
  cancel(): void;
}

/** Sends encoded bytes to a server-streaming rpc; resolves with its head, or rejects with the Problem that it answered. */
export async function sendStreaming(channel: Channel, rpc: string, bytes: Buffer, from: From, deadlineMs: number): Promise<StreamedAnswer> {
  const startedAtMs = Date.now();
  const leave = await channel.breaker.enter(turnUntilMs(deadlineMs));
  const failed = (error: unknown): Problem => {
    leave(outcomeOf(error as ServiceError, deadlineMs - startedAtMs));
    return problemOf(error as ServiceError);
  };
  const metadata = new Metadata();
  const span = openCallSpan(from.request, rpc, metadata);
  try {
    setCaller(metadata, signCaller(channel.keys, from.fixedPart, from.request, rpc));
    const call = channel.streams.makeServerStreamRequest(rpc, same, same, bytes, metadata, { deadline: deadlineMs });
    const received = new Promise<Metadata>((resolve) => call.once('metadata', resolve));
    const messages = call[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const head = await messages.next();
    if (head.done) throw new Error('the stream ended before its head');
    span?.end();
    return { bytes: head.value, ...httpPart(await received), rest: restOf(messages, leave, failed), cancel: () => cancel(call, leave) };
  } catch (error) {
    failSpan(span, error);
    throw failed(error);
  }
}

async function* restOf(messages: AsyncIterator<Buffer>, leave: Leave, failed: (error: unknown) => Problem): AsyncGenerator<Buffer> {
  for (;;) {
    const message = await messages.next().catch((error: unknown) => {
      throw failed(error);
    });
    if (message.done) return leave('answered');
    yield message.value;
  }
}

function cancel(call: ClientReadableStream<Buffer>, leave: Leave): void {
  // Its own cancellation is an error of the stream, which nobody reads any more.
  call.on('error', () => undefined);
  call.cancel();
  leave('answered');
}
