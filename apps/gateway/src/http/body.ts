/** A JSON body within the limits of its endpoint (D199): 400 malformed, 413 too large, 408 too slow, refused while it arrives. */
import { isObject, parseBody } from '@store/contract';
import { Problem, texts } from '@store/problem';
import type { Request, Response } from 'express';
import { type BodyHolder, type BodyRoom, bodyUnreadable } from './body-room.ts';
import { JsonValueCount } from './json-values.ts';
import { waitsForContinue } from './unread-body.ts';

const contentType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const bytesPerSecondMin = 1024;
const judgedEveryMs = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

interface BodyBounds {
  bytesMax: number;
  room: BodyRoom;
  holder: BodyHolder;
}

/** Passes the raw body, empty when there is none, to `use`; its room is released when that returns. */
export async function withBody<T>(
  request: Request,
  response: Response,
  { bytesMax, room, holder }: BodyBounds,
  use: (raw: Buffer) => T,
): Promise<T> {
  const bytes = bytesToCome(request, bytesMax);
  if (bytes === 0) return use(Buffer.alloc(0));
  // Compressed bodies are not inflated: a small one can expand to a very large one (zip bomb).
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw bodyUnreadable();
  if (bytes > bytesMax) throw tooLarge();
  const leave = await room.enter(request, holder, bytes);
  try {
    if (waitsForContinue(request)) response.writeContinue();
    return use(await collect(request, Buffer.allocUnsafe(bytes), room.slowAfterMs));
  } finally {
    leave();
  }
}

/** The announced length; without one, the endpoint's limit. */
function bytesToCome(request: Request, bytesMax: number): number {
  if (request.headers['transfer-encoding'] !== undefined) return bytesMax;
  return Number(request.headers['content-length'] ?? 0);
}

/** Copies the bytes into `body` as they arrive; separate chunks of a finely split body would take many times its size. */
function collect(request: Request, body: Buffer, slowAfterMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const values = new JsonValueCount();
    const startedAt = performance.now();
    let length = 0;
    let timer = setTimeout(judge, slowAfterMs);
    function judge() {
      if (length >= ((performance.now() - startedAt) / 1_000) * bytesPerSecondMin) {
        timer = setTimeout(judge, judgedEveryMs);
        return;
      }
      stop();
      reject(tooSlow());
    }
    const stop = () => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('error', fail).off('close', fail);
      request.pause();
    };
    const take = (chunk: Buffer) => {
      if (length + chunk.length <= body.length && values.take(chunk)) {
        length += chunk.copy(body, length);
        return;
      }
      stop();
      reject(tooLarge());
    };
    const finish = () => {
      stop();
      resolve(body.subarray(0, length));
    };
    const fail = (error?: unknown) => {
      stop();
      reject(bodyUnreadable(error));
    };
    request.on('data', take).once('end', finish).once('error', fail).once('close', fail);
    // The request's events have already ended if the client has disconnected.
    if (request.destroyed) fail();
  });
}

const tooLarge = () => new Problem('too_large', texts.tooLarge);
/** The rest of the body is not waited for. */
const tooSlow = () => new Problem('too_slow', texts.tooSlow, { headers: { Connection: 'close' } });

export function parseObject(request: Request, raw: Buffer): Record<string, unknown> {
  if (!contentType.test(request.headers['content-type'] ?? ''))
    throw new Problem('missing_parameter', 'Content-Type must be application/json');
  const body = raw.length === 0 ? {} : parse(raw);
  if (!isObject(body)) throw new Problem('missing_parameter', 'Request body must be a JSON object');
  return body;
}

function parse(raw: Buffer): unknown {
  try {
    return parseBody(utf8.decode(raw));
  } catch (error) {
    // A SyntaxError, invalid UTF-8, or nesting deeper than the stack.
    throw new Problem('missing_parameter', texts.malformedJson, {}, { cause: error });
  }
}
