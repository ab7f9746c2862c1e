import { randomUUID } from 'node:crypto';
import { keyPrefix } from '../keys/key-text.ts';

const acceptable = /^[A-Za-z0-9._-]{8,128}$/;

export const isRequestId = (text: string): boolean => acceptable.test(text);

/** The client's request id if it is safe, else a new one (D23); a key sent there by mistake would be logged and stored. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && acceptable.test(sent) && !sent.includes(keyPrefix) ? sent : randomUUID();
}
