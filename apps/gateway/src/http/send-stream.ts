/** Writes a streamed answer: as fast as the client reads it, so that neither process holds much of it. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Answered } from './forward.ts';
import { leavesMuchUnread } from './unread-body.ts';

export interface StreamedBody {
  status: number;
  rest: NonNullable<Answered['rest']>;
  /** JSON before and after the items. */
  around: [before: string, after: string];
}

/**
 * The length is not known at the head, so it is sent in chunks, and HEAD has no Content-Length either. What fails after the
 * head closes the connection: a client sees that the body is incomplete. A client that leaves ends the rpc.
 */
export async function sendStream(request: Request, response: Response, { status, rest, around }: StreamedBody): Promise<void> {
  if (leavesMuchUnread(request)) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  if (request.method === 'HEAD') {
    rest.cancel();
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(body(rest.items, around), { objectMode: false }), response);
  } catch (error) {
    rest.cancel();
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* body(items: AsyncIterable<string>, [before, after]: StreamedBody['around']): AsyncGenerator<string> {
  yield before;
  let isFirst = true;
  for await (const some of items) {
    if (some === '') continue;
    yield isFirst ? some : `,${some}`;
    isFirst = false;
  }
  yield after;
}
