/** Who is calling: a key (X-API-Key, and only there), or staff with a session. */
import { Problem, texts } from '@store/problem';
import type { Request } from 'express';
import type { Gateway } from '../gateway.ts';
import type { Admission } from '../key-gate/key-gate.ts';
import { judge } from '../key-gate/rate-limit.ts';
import { findKey } from '../keys/find-key.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import { hashKey, keyHashes, parseKey } from '../keys/key-text.ts';
import { findSession, type SessionRecord } from '../staff/find-session.ts';
import { hashToken } from '../staff/session-text.ts';
import { checkCookieRequest } from './cookie-request.ts';
import type { UnauthorizedFlood } from './unauthorized-flood.ts';

export interface KeyCaller {
  kind: 'key';
  hash: string;
  record: KeyRecord;
  admission: Admission;
  /** Requests per minute that hold now. */
  limit: number;
}

export interface StaffCaller {
  kind: 'staff';
  session: SessionRecord;
}

/** What it takes to know a caller. */
export interface Authenticator {
  app: Gateway;
  flood: UnauthorizedFlood;
}

/** A version that no key gate gave out: the request is counted and nothing is kept. */
const keepNothing = -1;

const invalidKey = () => new Problem('unauthenticated', texts.invalidKey);

/** Unknown, malformed, revoked and expired keys are refused with one body, so that nobody learns which it was. */
export async function authenticateKey({ app, flood }: Authenticator, { text, ip }: { text: string; ip: string }): Promise<KeyCaller> {
  if (!parseKey(text)) throw invalidKey();
  const { peppers } = app.config;
  const hash = hashKey(peppers[0]!, text).toString('hex');
  const askedAtMs = app.cacheValidity.nowMs();
  let admission = await app.keyGate.admit(hash);
  if (admission.revoked) throw invalidKey();
  let record = app.cacheValidity.believes(hash, askedAtMs) ? admission.record : undefined;
  if (!record) {
    // Only the database may still know the key by an older pepper.
    const find = () => findKey(app, keyHashes(peppers, text));
    record = admission.record ? await find() : await flood.lookUp(ip, hash, find, ({ revoked }) => !revoked);
    if (!record) throw invalidKey();
    admission = await rememberAnew(app, hash, record, admission);
    // A revoked record is told to the key gate all the same: it buries the key again if it had lost that.
    if (admission.revoked || record.revoked) throw invalidKey();
  }
  // Expired from the very millisecond of expires_at on (decision D8), by the server's clock.
  if (record.expiresAtMs > 0 && admission.nowMs >= record.expiresAtMs) throw invalidKey();
  const verdict = judge(admission, record);
  if (!verdict.admitted) throw rateLimited(verdict);
  return { kind: 'key', hash, record, admission, limit: verdict.limit };
}

/** What was read from the database takes the place of what the key gate remembered, while changes are heard of. */
async function rememberAnew(app: Gateway, hash: string, record: KeyRecord, admission: Admission): Promise<Admission> {
  const { hears } = app.cacheValidity;
  if (admission.count === 0 || record.revoked) {
    const kept = await app.keyGate.remember(hash, record, hears ? admission.version : keepNothing);
    // Not kept: Redis may be away, and come back with what it had.
    if (hears && kept.record) app.cacheValidity.checked(hash);
    return kept;
  }
  // The request is counted already; its old record goes, and the next request brings the new one.
  if (hears) {
    await app.keyGate.forget([hash]);
    app.cacheValidity.checked(hash);
  }
  return admission;
}

/** 429 with the headers of the specification's Limits, and only there. */
export function rateLimited(verdict: { limit: number; resetSeconds: number; retryAfterSeconds: number }): Problem {
  return new Problem('rate_limited', texts.rateLimited, {
    headers: {
      'X-RateLimit-Limit': String(verdict.limit),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(verdict.resetSeconds),
      'Retry-After': String(verdict.retryAfterSeconds),
    },
  });
}

const sessionCookie = /(?:^|;\s*)__Host-sid=([^;]+)/;

/** Staff by bearer token, or by cookie with the proofs that a browser's own page sent it. */
export async function authenticateStaff({ app, flood }: Authenticator, request: Request): Promise<StaffCaller> {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const cookie = sessionCookie.exec(request.headers.cookie ?? '')?.[1];
  const token = bearer ?? cookie;
  const hash = hashToken(token ?? '')?.toString('hex');
  const session = hash === undefined ? undefined : await flood.lookUp(request.ip ?? '', hash, () => findSession(app, token!));
  if (!session) throw new Problem('unauthenticated', texts.noCredentials);
  if (bearer === undefined) checkCookieRequest(request, session);
  return { kind: 'staff', session };
}
