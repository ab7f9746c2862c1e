/** One request and its answer; each step adds what it has found out. */
import type { Metrics } from '@store/service';
import type { Request, Response } from 'express';
import type { Gateway } from '../gateway.ts';
import type { SessionRecord } from '../staff/find-session.ts';
import type { KeyCaller } from './authenticate-key.ts';
import type { Answered, Forwarder } from './forward.ts';
import type { RequestMessage } from './read-message.ts';
import { requestIdOf } from './request-id.ts';
import { type Match, type Routes, segmentsOf } from './routes.ts';
import type { UnauthorizedFlood } from './unauthorized-flood.ts';

/** What the steps receive; built once, in main.ts. */
export interface Pipeline {
  app: Gateway;
  routes: Routes;
  forwarder: Forwarder;
  flood: UnauthorizedFlood;
  metrics?: Metrics;
}

/** One step of answering a request: adds to the exchange, or throws the Problem that refuses it. */
export type Step = (exchange: Exchange, parts: Pipeline) => void | Promise<void>;

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly ip: string;
  /** Decoded segments of the path below /api/v1. */
  readonly segments: string[];
  /** The raw query text, without "?". */
  readonly query: string;
  /** The endpoint of method and path, looked up once; a step decides whether the caller may use it. */
  readonly match: Match | undefined;
  /** The key that calls, once it is authenticated. */
  key: KeyCaller | undefined;
  /** The key's limit in requests per minute; undefined until the request is known to be within it. */
  effectiveLimit: number | undefined;
  /** The scope that the request used: empty until every check has passed, and for endpoints without a scope. */
  scopeUsed: string;
  /** The staff session that calls, once it is authenticated. */
  session: SessionRecord | undefined;
  /** The rpc's request, once it is read. */
  message: RequestMessage | undefined;
  /** The endpoint's answer. */
  answered: Answered | undefined;
}

/** Creates the exchange of one request; `target`: path and query relative to /api/v1. */
export function openExchange(routes: Routes, request: Request, response: Response, target = request.url): Exchange {
  const [path, ...query] = target.split('?');
  // A target in absolute form (`GET http://any.host/api/v1/…`) is treated as this server's path, whatever its host.
  const segments = segmentsOf(path!.replace(/^https?:\/\/[^/]*/i, ''));
  const requestId = requestIdOf(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', requestId);
  return {
    request,
    response,
    requestId,
    ip: request.ip ?? '',
    segments,
    query: query.join('?'),
    match: routes.match(request.method, segments),
    key: undefined,
    effectiveLimit: undefined,
    scopeUsed: '',
    session: undefined,
    message: undefined,
    answered: undefined,
  };
}

/** The store of the caller; none before authentication. */
export function storeIdOf({ key, session }: Exchange): number | undefined {
  return key?.record.store.storeId ?? session?.storeId;
}

/** Runs the steps in order; the first that throws ends the request. */
export async function take(steps: Step[], exchange: Exchange, parts: Pipeline): Promise<void> {
  for (const step of steps) {
    const pending = step(exchange, parts);
    if (pending) await pending;
  }
}
