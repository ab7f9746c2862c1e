/** A browser that has logged in to an account has its own count of failures, so that others do not lock it out; no other access. */
import { randomUUID } from 'node:crypto';
import type { KeyRing } from '@store/db';

/** Name with `__Host-`: a browser accepts it only over HTTPS, for this host and the whole path. */
const cookieName = '__Host-device';
const cookie = /(?:^|;\s*)__Host-device=([^;\s]{1,400})/;
const keptSeconds = 365 * 24 * 3_600;

export interface Device {
  id: string;
  token: string;
}

/** The device of a request to this account; undefined when its token is invalid or of another account. */
export function deviceOf(keyRing: KeyRing, account: string, cookies: string | undefined): Device | undefined {
  const token = cookie.exec(cookies ?? '')?.[1];
  if (token === undefined) return undefined;
  try {
    return { id: keyRing.open(Buffer.from(token, 'base64url').toString(), bound(account)).toString(), token };
  } catch {
    // Forged, truncated, of another account, or encrypted under a removed key: treated as absent.
    return undefined;
  }
}

export function newDevice(keyRing: KeyRing, account: string): Device {
  const id = randomUUID();
  return { id, token: Buffer.from(keyRing.seal(Buffer.from(id), bound(account))).toString('base64url') };
}

export function setDeviceCookie({ token }: Device): string {
  return `${cookieName}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${keptSeconds}`;
}

const bound = (account: string) => `device of ${account}`;
