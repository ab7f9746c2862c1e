import { deprecationHeaders, type Member } from '@store/contract';
import type { Channel } from '@store/rpc';
import type { Metrics } from '@store/service';
import type { Request, Response } from 'express';
import type { Gateway, GatewayCall } from '../gateway.ts';
import type { Admission } from '../key-gate/key-gate.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import type { SessionRecord } from '../staff/find-session.ts';
import type { BodyRoom } from './body-room.ts';
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

/** The gateway's own verbs by rpc name; they receive the same request message as a service. */
export type OwnVerbs = Record<string, (request: never, call: GatewayCall) => Promise<unknown>>;

export interface Forwarder {
  /** gRPC channels by app; the gateway's own endpoints need none. */
  channels: Map<string, Channel>;
  own: OwnVerbs;
  room: BodyRoom;
}

/** One step of answering a request: adds to the exchange, or throws the Problem that refuses it. */
export type Step = (exchange: Exchange, parts: Pipeline) => void | Promise<void>;

export interface KeyCaller {
  hash: string;
  record: KeyRecord;
  /** The key gate's answer, which has counted this request. */
  admission: Admission;
}

export interface RequestMessage {
  fields: Record<string, unknown>;
  /** The client's Idempotency-Key, with the digest that identifies an identical request (D185). */
  idempotency: { key: string; hash: Uint8Array } | undefined;
  /** A dry run: nothing is stored (D202). */
  dryRun: boolean;
  /** The versions of the record of which one is to be changed (D285). */
  ifMatch?: string;
  /** The body of a dry run as it was sent. */
  sent?: Record<string, unknown>;
}

export interface Answered {
  status: number;
  members: Member[];
  headers: [string, string | string[]][];
  /** Of an answer that is sent in pieces: the items of its member `list`, as JSON. */
  rest?: { list: string; items: AsyncIterable<string>; cancel(): void };
}

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly ip: string;
  /** Decoded segments of the path below /api/v1. */
  readonly segments: string[];
  readonly query: string;
  /** The endpoint of method and path, looked up once; a step decides whether the caller may use it. */
  readonly match: Match | undefined;
  key: KeyCaller | undefined;
  /** The key's limit in requests per minute; undefined until the request is known to be within it. */
  effectiveLimit: number | undefined;
  /** The scope that the request used: empty until every check has passed, and for endpoints without a scope. */
  scopeUsed: string;
  session: SessionRecord | undefined;
  message: RequestMessage | undefined;
  answered: Answered | undefined;
}

/** Creates the exchange of one request; `target`: path and query relative to /api/v1. */
export function openExchange(routes: Routes, request: Request, response: Response, target = request.url): Exchange {
  const [path, ...query] = target.split('?');
  // A target in absolute form (`GET http://any.host/api/v1/…`) is treated as this server's path, whatever its host.
  const segments = segmentsOf(path!.replace(/^https?:\/\/[^/]*/i, ''));
  const requestId = requestIdOf(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', requestId);
  const match = routes.match(request.method, segments);
  const deprecation = match?.endpoint.deprecation;
  if (deprecation) for (const [name, value] of deprecationHeaders(deprecation)) response.setHeader(name, value);
  return {
    request,
    response,
    requestId,
    ip: request.ip ?? '',
    segments,
    query: query.join('?'),
    match,
    key: undefined,
    effectiveLimit: undefined,
    scopeUsed: '',
    session: undefined,
    message: undefined,
    answered: undefined,
  };
}

export function storeIdOf({ key, session }: Exchange): number | undefined {
  return key?.record.store.storeId ?? session?.storeId;
}

export async function take(steps: Step[], exchange: Exchange, parts: Pipeline): Promise<void> {
  for (const step of steps) {
    const pending = step(exchange, parts);
    if (pending) await pending;
  }
}
