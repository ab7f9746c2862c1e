/** Compresses large answers to reads. Answers to writes stay plain: the length of a compressed one would tell of its secrets (BREACH). */
import { promisify } from 'node:util';
import { constants, createGzip, type Gzip, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** About five records. Fewer characters arrive no sooner compressed, and the least that compressing takes, 0.1 ms, is as much as it would save. */
const charactersMin = 8 * 1024;
/** Higher levels take up to 1.5 times the time and save at most 10 % more; a smaller window takes 96 kB of memory instead of 256. */
const options = { level: 1, windowBits: 13, memLevel: 7 };

/** On the thread pool: the event loop does not wait. */
const gzipped = promisify(gzip);

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Said on every answer to a read, as its bytes depend on that header. */
export function varyByEncoding(request: Request, response: Response): void {
  if (isRead(request)) response.setHeader('Vary', 'Accept-Encoding');
}

/** The ETag of a compressed answer is weak: the plain one has the same version and other bytes (RFC 9110, 8.8.1). */
export function markCompressed(response: Response): void {
  response.setHeader('Content-Encoding', 'gzip');
  const version = response.getHeader('ETag');
  if (version !== undefined) response.setHeader('ETag', `W/${version}`);
}

/** `json` is the answer, or the first part of one that is sent in pieces. */
export function isWorthCompressing(request: Request, json: string): boolean {
  return json.length >= charactersMin && isRead(request) && request.acceptsEncodings('gzip') === 'gzip';
}

export async function compressed(response: Response, json: string): Promise<Buffer> {
  const bytes = await gzipped(json, options);
  markCompressed(response);
  return bytes;
}

/** For a body that is sent in pieces: each is compressed at once, so that it leaves when it is written. */
export function compressor(): Gzip {
  return createGzip({ ...options, flush: constants.Z_SYNC_FLUSH });
}
