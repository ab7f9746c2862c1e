import { randomUUID } from 'node:crypto';
import { keyPrefix } from '../keys/key-text.ts';

const acceptable = /^[A-Za-z0-9._-]{8,128}$/;

/** Whether a request can have that id. */
export const isRequestId = (text: string): boolean => acceptable.test(text);

/** A client's own request id when it is harmless, else a new one (D23); a key sent by mistake would be logged and kept. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && acceptable.test(sent) && !sent.includes(keyPrefix) ? sent : randomUUID();
}
