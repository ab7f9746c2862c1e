/** Writes a streamed answer only as fast as the client reads it, so that neither process buffers much. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { compressor, isWorthCompressing, markCompressed } from './compress.ts';
import type { Answered } from './exchange.ts';
import { leavesMuchUnread } from './unread-body.ts';

interface StreamedBody {
  status: number;
  rest: NonNullable<Answered['rest']>;
  around: [before: string, after: string];
}

/** Its first part tells whether to compress. A failure after the headers closes the connection; a client that disconnects ends the rpc. */
export async function sendStream(request: Request, response: Response, { status, rest, around }: StreamedBody): Promise<void> {
  if (leavesMuchUnread(request)) response.setHeader('Connection', 'close');
  const parts = body(rest.items, around);
  try {
    const first = (await parts.next()).value!;
    const compresses = isWorthCompressing(request, first);
    if (compresses) markCompressed(response);
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
    if (request.method === 'HEAD') {
      rest.cancel();
      response.end();
      return;
    }
    const whole = Readable.from(from(first, parts), { objectMode: false });
    await (compresses ? pipeline(whole, compressor(), response) : pipeline(whole, response));
  } catch (error) {
    rest.cancel();
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* from(first: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}

async function* body(items: AsyncIterable<string>, [before, after]: StreamedBody['around']): AsyncGenerator<string, undefined> {
  let lead = before;
  for await (const some of items) {
    if (some === '') continue;
    yield lead + some;
    lead = ',';
  }
  yield lead === before ? before + after : after;
}
