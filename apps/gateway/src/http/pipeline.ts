/**
 * The life of a request below /api/v1: request id → who is calling → rate limit → policy in the order
 * of decision D1 → the service → JSON. Each step is one call, in this order, in `handle`.
 */
import { type Problem, Problem as ProblemClass } from '@store/problem';
import type { Metrics } from '@store/service';
import type { Request, RequestHandler, Response } from 'express';
import { addressBlock } from '../address-block.ts';
import type { Gateway } from '../gateway.ts';
import { confirmPassword } from '../staff/confirm-password.ts';
import { problemFrom, sendJson, sendProblem } from './answer.ts';
import { authenticateKey, authenticateStaff, type KeyCaller } from './authenticate.ts';
import { nobody, standingOf } from './caller.ts';
import { checkOrigin } from './cookie-request.ts';
import { bare, envelope } from './envelope.ts';
import { type Answered, type Forwarder, forward, type Incoming } from './forward.ts';
import { judgeKey, judgeStaff } from './policy.ts';
import { requestIdOf } from './request-id.ts';
import { type Match, type Routes, segmentsOf } from './routes.ts';
import type { UnauthorizedFlood } from './unauthorized-flood.ts';

export interface Pipeline {
  app: Gateway;
  routes: Routes;
  forwarder: Forwarder;
  flood: UnauthorizedFlood;
  metrics?: Metrics;
}

/** Everything known of a request while it is answered. */
interface Visit {
  requestId: string;
  ip: string;
  segments: string[];
  query: string;
  key?: KeyCaller;
  /** The endpoint that the key may call; undefined until that is known. */
  match?: Match;
  storeId?: number;
}

/** Serves one request below /api/v1; `request.url` is relative to it. */
export function pipeline(parts: Pipeline): RequestHandler {
  return async (request, response) => {
    const startedAt = performance.now();
    const visit = visitOf(request);
    response.setHeader('X-Request-Id', visit.requestId);
    let failure: Problem | undefined;
    try {
      await handle(parts, request, response, visit);
    } catch (error) {
      failure = problemFrom(error);
      if (failure.status >= 500) parts.app.log.error({ err: error, request_id: visit.requestId }, 'The request failed');
      await refuse(parts, request, response, visit, failure);
    }
    const elapsedMs = performance.now() - startedAt;
    parts.metrics?.answered({
      method: request.method,
      route: (visit.match ?? parts.routes.match(request.method, visit.segments))?.endpoint.path ?? 'none',
      status: response.statusCode,
      seconds: elapsedMs / 1000,
    });
    parts.app.log.info(
      {
        request_id: visit.requestId,
        method: request.method,
        path: loggedPath(visit.segments),
        status: response.statusCode,
        ms: Math.round(elapsedMs),
        store_id: visit.storeId,
        key_id: visit.key?.record.keyId,
        error_code: failure?.kind,
      },
      'request',
    );
  };
}

/** No id or name in a path is this long: a key or token that a client put there by mistake is not logged. */
const loggedSegmentMax = 40;

function loggedPath(segments: string[]): string {
  return segments.map((segment) => `/${segment.length > loggedSegmentMax ? '[hidden]' : segment}`).join('');
}

function visitOf(request: Request): Visit {
  const [path, ...query] = request.url.split('?');
  return {
    requestId: requestIdOf(request.headers['x-request-id']),
    ip: request.ip ?? '',
    // A target in absolute form (`GET http://any.host/api/v1/…`) is this server's own path, whatever host it names.
    segments: segmentsOf(path!.replace(/^https?:\/\/[^/]*/i, '')),
    query: query.join('?'),
  };
}

async function handle(parts: Pipeline, request: Request, response: Response, visit: Visit): Promise<void> {
  if (request.method === 'OPTIONS') return allow(parts.routes, visit, response);
  const key = request.headers['x-api-key'];
  if (key !== undefined) return handleKey(parts, request, response, visit, String(key));
  const open = parts.routes.match(request.method, visit.segments);
  if (open?.endpoint.access.public) {
    checkOrigin(request);
    const answered = await forward(parts.forwarder, {
      ...incoming(request, response, visit),
      match: open,
      standing: nobody,
      own: { cookies: request.headers.cookie },
    });
    return succeed(request, response, answered, bare(answered.members));
  }
  const { session } = await authenticateStaff(parts, request);
  visit.storeId = session.storeId;
  const match = judgeStaff(parts.routes, request.method, visit.segments, session);
  const own = { sessionId: session.sessionId };
  const confirm = (password: string | undefined) => confirmPassword(parts.app, session, password, visit);
  const answered = await forward(parts.forwarder, {
    ...incoming(request, response, visit),
    match,
    standing: standingOf(session),
    own,
    confirm,
  });
  return succeed(request, response, answered, bare(answered.members));
}

async function handleKey(parts: Pipeline, request: Request, response: Response, visit: Visit, text: string): Promise<void> {
  const key = await authenticateKey(parts, { text, ip: visit.ip });
  visit.key = key;
  visit.storeId = key.record.store.storeId;
  const match = judgeKey(parts.routes, request.method, visit.segments, key.record);
  visit.match = match;
  const own = { effectiveLimit: key.limit };
  const answered = await forward(parts.forwarder, { ...incoming(request, response, visit), match, standing: standingOf(key.record), own });
  await complete(parts.app, visit, key);
  const timestamp = parts.app.db.clock.now().toISOString();
  return succeed(request, response, answered, envelope(answered.members, { requestId: visit.requestId, timestamp }));
}

function incoming(request: Request, response: Response, visit: Visit): Omit<Incoming, 'match' | 'standing' | 'own'> {
  const { query, requestId, ip, storeId } = visit;
  const holder = storeId === undefined ? `address:${addressBlock(ip)}` : `store:${storeId}`;
  return { request, response, query, requestId, ip, holder };
}

function succeed(request: Request, response: Response, answered: Answered, json: string): void {
  for (const [name, value] of answered.headers) response.setHeader(name, value);
  sendJson(request, response, answered.status, json);
}

/** The mark of a completed request is written before the last byte of the answer leaves (decision D13). */
async function complete(app: Gateway, visit: Visit, key: KeyCaller): Promise<void> {
  app.usage.record(key.record.keyId, visit.match?.endpoint.access.scope ?? '', app.db.clock.now());
  if (key.admission.markStale) await app.keyGate.complete(key.hash);
}

async function refuse(parts: Pipeline, request: Request, response: Response, visit: Visit, problem: Problem): Promise<void> {
  let shown = (problem.kind === 'unauthenticated' && parts.flood.count(visit.ip)) || problem;
  // Any answer but a 429 completes the request, errors included.
  if (visit.key) {
    try {
      await complete(parts.app, visit, visit.key);
    } catch (error) {
      shown = problemFrom(error);
      parts.app.log.error({ err: error, request_id: visit.requestId }, 'The completed request could not be marked');
    }
  }
  if (response.headersSent) return;
  sendProblem(request, response, shown, visit.requestId);
}

function allow(routes: Routes, visit: Visit, response: Response): void {
  const verbs = routes.verbs(visit.segments);
  if (verbs.length === 0) throw new ProblemClass('not_found', 'Not found');
  response.setHeader('Allow', verbs.join(', '));
  response.statusCode = 204;
  response.end();
}
