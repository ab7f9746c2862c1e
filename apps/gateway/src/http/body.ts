/** Reads and parses a JSON body: what is malformed is a 400, what is too large a 413 (decision D24). */
import { isObject, parseBody } from '@store/contract';
import { Problem, texts } from '@store/problem';
import express, { type Request, type Response } from 'express';

export const bodyBytesMax = 5 * 1024 * 1024;

/** Compressed bodies are not inflated: a small bomb would become a large one. */
const readRaw = express.raw({ type: () => true, limit: bodyBytesMax, inflate: false });

const contentType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * express reads what is left of a body that is too large before it answers, so that the client has
 * sent it all and can read the answer. One announced to be longer than this is not waited for.
 */
const drainedBytesMax = 4 * bodyBytesMax;

/** The raw body; empty when there is none. */
export async function readBody(request: Request, response: Response): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > drainedBytesMax) {
    response.setHeader('Connection', 'close');
    throw new Problem('too_large', texts.tooLarge);
  }
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error ? reject(bodyProblem(error)) : resolve()));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function bodyProblem(error: unknown): Problem {
  const type = (error as { type?: string }).type;
  if (type === 'entity.too.large') return new Problem('too_large', texts.tooLarge, {}, { cause: error });
  return new Problem('missing_parameter', 'Request body could not be read', {}, { cause: error });
}

/** The body as an object. */
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
    // A SyntaxError, bytes that are no UTF-8, or nesting deeper than the stack.
    throw new Problem('missing_parameter', texts.malformedJson, {}, { cause: error });
  }
}
