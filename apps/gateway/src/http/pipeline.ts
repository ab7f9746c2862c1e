/**
 * The processing of a request below /api/v1, as lists of steps: one each for keys, staff and public endpoints, built
 * from the same steps. A step that refuses throws, so each list is the order of checks (D1).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Problem, problemFrom } from '@store/problem';
import { Asker, anonymous, askedBy } from '@store/shares/asker';
import type { Request, RequestHandler, Response } from 'express';
import { errorCodeOf, sendProblem } from './answer.ts';
import { authenticateKey } from './authenticate-key.ts';
import { authenticateStaff } from './authenticate-staff.ts';
import { checkCookieProof, checkOrigin } from './cookie-proof.ts';
import { type Exchange, openExchange, type Pipeline, type Step, storeIdOf, take } from './exchange.ts';
import { forward } from './forward.ts';
import { hideStored } from './hide-stored.ts';
import { completeKeyRequest, limitKey } from './key-limit.ts';
import { checkPasswordAgain, checkPasswordLately } from './password-again.ts';
import {
  checkBilling,
  checkDeveloperApi,
  checkInternal,
  checkKeyRoute,
  checkPlanFeatures,
  checkReadOnlyResource,
  checkRole,
  checkScope,
  checkSecondFactor,
  checkStaffRoute,
  checkTestMode,
  noteScopeUsed,
} from './policy.ts';
import { readMessage } from './read-message.ts';
import { endRequestSpan, requestSpan } from './request-span.ts';
import { sendEnvelope, sendOwnResponse } from './send-success.ts';
import { withWhoChanged } from './who-changed.ts';

const keyRequest: Step[] = [
  authenticateKey, //       401
  limitKey, //              429
  checkBilling, //          402
  checkDeveloperApi, //     403
  checkTestMode, //         403
  checkReadOnlyResource, // 403
  checkInternal, //         403
  checkKeyRoute, //         404
  checkScope, //            403
  checkPlanFeatures, //     403
  noteScopeUsed,
  readMessage, //           400, 413
  forward, //               the rest: 400, 404, 409, 422, 500
  hideStored,
  completeKeyRequest,
  sendEnvelope,
];

const staffRequest: Step[] = [
  authenticateStaff, //     401
  checkCookieProof, //      403
  checkStaffRoute, //       404
  checkSecondFactor, //     403
  checkRole, //             403
  checkPlanFeatures, //     403
  checkPasswordLately, //   403
  readMessage, //           400, 413
  checkPasswordAgain, //    400, 403, 429
  forward,
  sendOwnResponse,
];

const publicRequest: Step[] = [
  checkOrigin, //           403
  readMessage, //           400, 413
  forward,
  sendOwnResponse,
];

const optionsRequest: Step[] = [sendAllowedMethods];

/** Serves one request below /api/v1; `request.url` is relative to it. */
export function pipeline(parts: Pipeline): RequestHandler {
  return (request, response) => {
    const asker = new Asker(anonymous);
    return askedBy(asker, () => serve(parts, asker, request, response));
  };
}

/** Status in the records of a read whose client closed the connection before its answer; as in other servers' logs. */
const clientGone = 499;

async function serve(parts: Pipeline, asker: Asker, request: Request, response: Response): Promise<void> {
  const startedAt = performance.now();
  const exchange = openExchange(parts.routes, request, response);
  response.once('close', () => {
    if (!response.writableFinished && mayEnd(exchange)) asker.leave();
  });
  const span = requestSpan(exchange);
  let problem: Problem | undefined;
  try {
    await take(stepsOf(exchange), exchange, parts);
  } catch (error) {
    problem = problemFrom(error);
    if (asker.isGone && response.destroyed) response.statusCode = clientGone;
    else if (problem.status === 500) parts.app.log.error({ err: error, request_id: exchange.requestId }, 'The request failed');
    await refuse(exchange, parts, problem);
  }
  endRequestSpan(span, exchange, problem);
  record(exchange, parts, { elapsedMs: performance.now() - startedAt, problem });
}

/** Whether the work for a request may end with its client. A write goes on: its client sends it again without knowing how far it came. */
function mayEnd({ request, match }: Exchange): boolean {
  return request.method === 'GET' || match?.endpoint.access.public === true;
}

function stepsOf({ request, match }: Exchange): Step[] {
  if (request.method === 'OPTIONS') return optionsRequest;
  if (request.headers['x-api-key'] !== undefined) return keyRequest;
  return match?.endpoint.access.public ? publicRequest : staffRequest;
}

/** By so much a 429 is late: a client that repeats its requests without a pause sends ten a second on a connection, not a thousand. */
const heldBackMs = 100;

async function refuse(exchange: Exchange, parts: Pipeline, problem: Problem): Promise<void> {
  const { request, response, requestId, ip } = exchange;
  let shown = (problem.kind === 'unauthenticated' && parts.flood.count(ip)) || problem;
  try {
    shown = await withWhoChanged(shown, exchange, parts);
    // Every answer except the 429 of its own limit completes a key's request, errors included.
    if (exchange.effectiveLimit !== undefined) await completeKeyRequest(exchange, parts);
  } catch (error) {
    shown = problemFrom(error);
    parts.app.log.warn({ err: error, request_id: requestId }, 'The completed request could not be marked');
  }
  if (shown.kind === 'rate_limited') await wait(heldBackMs);
  if (!response.headersSent && !response.destroyed) sendProblem(request, response, shown, requestId);
}

function sendAllowedMethods({ request, response, segments }: Exchange, { routes }: Pipeline): void {
  const httpMethods = routes.httpMethods(segments, { forKey: request.headers['x-api-key'] !== undefined });
  if (httpMethods.length === 0) throw new Problem('not_found', 'Not found');
  response.setHeader('Allow', httpMethods.join(', '));
  response.statusCode = 204;
  response.end();
}

/** Counts the answer and logs it; 401 and 429 are only counted (D259). */
function record(exchange: Exchange, { app, metrics }: Pipeline, { elapsedMs, problem }: { elapsedMs: number; problem?: Problem }): void {
  const { request, response, match, key, session } = exchange;
  const { method } = request;
  metrics?.answered({ method, route: match?.endpoint.path ?? 'none', status: response.statusCode, seconds: elapsedMs / 1000 });
  if (problem?.kind === 'unauthenticated' || problem?.kind === 'rate_limited') {
    app.refusals.count({ status: response.statusCode, ip: exchange.ip, keyId: key?.record.keyId });
    return;
  }
  const storeId = storeIdOf(exchange);
  if (storeId !== undefined) {
    app.requests.record({
      store_id: storeId,
      request_id: exchange.requestId,
      method,
      route: match?.endpoint.path ?? null,
      status: response.statusCode,
      error_code: problem ? errorCodeOf(problem) : null,
      key_id: key?.record.keyId ?? null,
      user_id: session?.userId ?? null,
      duration_ms: Math.round(elapsedMs),
      created_at: app.db.clock.now(),
    });
  }
  app.log.info(
    {
      request_id: exchange.requestId,
      method,
      // Never the path: it may hold a card number, or a key that a client put there by mistake (D265).
      route: match?.endpoint.path,
      status: response.statusCode,
      ms: Math.round(elapsedMs),
      store_id: storeId,
      key_id: key?.record.keyId,
      error_code: problem?.kind,
    },
    'request',
  );
}
