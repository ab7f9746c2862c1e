/**
 * What is left of a body that the gateway does not want. A refusal is sent at once. Then the connection
 * stays open for a moment, because one that is closed while its client still sends takes the answer
 * with it; a little of the rest is thrown away, so that a client that sends slightly too much comes to
 * its end, and no more, as even what is thrown away costs time.
 */
import type { Request, Response } from 'express';

/** A body of this size is left to node, which drops it and keeps the connection. */
const keptConnectionBytes = 64 * 1024;
const droppedBytesMax = 1024 * 1024;
export const lingerMs = 2_000;

/** The client asks before it sends its body (`Expect: 100-continue`). */
export function waitsForContinue(request: Request): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

/** Whether the connection has to end because of what the client has still to send. */
export function leavesMuchUnread(request: Request): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  const announced = Number(request.headers['content-length'] ?? 0);
  return announced > keptConnectionBytes || (announced > 0 && waitsForContinue(request));
}

/** Ends the answer, which is sent already, once the client has had its chance to read it. */
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
