import { Problem, texts } from '@store/problem';
import { askForStore } from '@store/shares/asker';
import type { Request } from 'express';
import { findSession } from '../staff/find-session.ts';
import { hashToken } from '../staff/session-text.ts';
import { keepConnection } from './connection-shares.ts';
import type { Exchange, Pipeline } from './exchange.ts';

const sessionCookie = /(?:^|;\s*)__Host-sid=([^;]+)/;

/** A page that refreshes itself sends `X-Background: true`: that does not keep the session alive. */
export async function authenticateStaff(exchange: Exchange, parts: Parts): Promise<void> {
  await authenticate(exchange, parts, exchange.request.headers['x-background'] !== 'true');
}

/** The live stream does not keep the session alive. */
export async function authenticateWatcher(exchange: Exchange, parts: Parts): Promise<void> {
  await authenticate(exchange, parts, false);
}

type Parts = Pick<Pipeline, 'app' | 'flood'>;

async function authenticate(exchange: Exchange, { app, flood }: Parts, isUse: boolean): Promise<void> {
  const { request, ip } = exchange;
  const token = bearerOf(request) ?? sessionCookie.exec(request.headers.cookie ?? '')?.[1];
  const hash = hashToken(token ?? '')?.toString('hex');
  const session = hash === undefined ? undefined : await flood.lookUp(ip, hash, () => findSession(app, token!, { isUse }));
  if (!session) throw new Problem('unauthenticated', texts.noCredentials);
  exchange.session = session;
  keepConnection(request);
  askForStore(session.storeId);
}

/** The bearer token takes precedence over the cookie. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}
