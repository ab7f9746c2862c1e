/** The unread rest of a refused body: the connection stays open for a moment, as closing it at once would discard the answer. */
import type { Request, Response } from 'express';

/** Node itself drops a body of this size and keeps the connection. */
const keptConnectionBytes = 64 * 1024;
const droppedBytesMax = 1024 * 1024;
export const lingerMs = 2_000;

/** The client waits for permission to send its body (`Expect: 100-continue`). */
export function waitsForContinue(request: Request): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

export function leavesMuchUnread(request: Request): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  const announced = Number(request.headers['content-length'] ?? 0);
  return announced > keptConnectionBytes || (announced > 0 && waitsForContinue(request));
}

export function endAfterLingering(request: Request, response: Response): void {
  let dropped = 0;
  const end = () => {
    clearTimeout(timer);
    request.off('data', drop).off('end', end).off('close', end);
    response.end();
  };
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > droppedBytesMax) request.off('data', drop).pause();
  };
  const timer = setTimeout(end, lingerMs);
  request.on('data', drop).once('end', end).once('close', end);
  request.resume();
}
