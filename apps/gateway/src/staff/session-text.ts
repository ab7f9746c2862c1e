/** Session and CSRF tokens: 256 random bits, of which only the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto';

const tokenBytes = 32;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Name with `__Host-`: a browser accepts it only over HTTPS, for this host and the whole path. */
export const sessionCookie = '__Host-sid';
const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** The stored hash; undefined for a text that cannot be a token. */
export function hashToken(token: string): Buffer | undefined {
  return tokenPattern.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

export function setCookie(token: string): string {
  return `${sessionCookie}=${token}; ${cookieAttributes}`;
}

export function clearCookie(): string {
  return `${sessionCookie}=; ${cookieAttributes}; Max-Age=0`;
}
