import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@store/problem';
import { bearerOf } from './authenticate-staff.ts';
import type { Exchange } from './exchange.ts';

const refused = () => new Problem('forbidden', 'The request did not come from this site');

/** A page of another site may neither change data nor log in. */
export function checkOrigin({ request }: Pick<Exchange, 'request'>): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw refused();
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request.headers.host)) throw refused();
}

/** With the cookie, every method but reads (which change nothing) needs the session's CSRF token. */
export function checkCookieProof({ request, session }: Pick<Exchange, 'request' | 'session'>): void {
  if (bearerOf(request) !== undefined || request.method === 'GET' || request.method === 'HEAD') return;
  checkOrigin({ request });
  const token = request.headers['x-csrf-token'];
  const sent = createHash('sha256')
    .update(typeof token === 'string' ? token : '')
    .digest();
  if (!timingSafeEqual(sent, session!.csrfHash)) throw refused();
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
