/** From a matched request to the answer's members: build the message, call, render. */
import { createHash } from 'node:crypto';
import { type Endpoint, type Member, messageFromBody, messageFromQuery, messageOptions, renderMembers } from '@store/contract';
import { Problem } from '@store/problem';
import { type Caller, type Channel, encodeRequestPart, Metadata, Reply, send } from '@store/rpc';
import type { Request, Response } from 'express';
import type { GatewayCall } from '../gateway.ts';
import { parseObject, readBody } from './body.ts';
import type { Standing } from './caller.ts';
import type { Match } from './routes.ts';

/** The gateway's own verbs by rpc name; a request message has the shape that a service would see. */
export type OwnVerbs = Record<string, (request: never, call: GatewayCall) => Promise<unknown>>;

export interface Forwarder {
  /** Channels by app; the gateway's own endpoints are answered here. */
  channels: Map<string, Channel>;
  own: OwnVerbs;
}

export interface Answered {
  status: number;
  members: Member[];
  headers: [string, string][];
}

export interface Incoming {
  request: Request;
  response: Response;
  match: Match;
  /** The raw query text, without "?". */
  query: string;
  standing: Standing;
  requestId: string;
  ip: string;
  /** What only the gateway's own verbs are told. */
  own: Pick<GatewayCall, 'sessionId' | 'effectiveLimit'>;
}

/** Calls the owning service and gives its answer as JSON members. */
export async function forward(forwarder: Forwarder, incoming: Incoming): Promise<Answered> {
  const { endpoint } = incoming.match;
  const { message, idempotency } = await requestMessage(incoming);
  const bytes = Buffer.from(endpoint.request.encode(message).finish());
  const part = { requestId: incoming.requestId, ip: incoming.ip, ...(idempotency && { idempotency }) };
  const deadlineMs = Date.now() + endpoint.deadlineMs;
  if (endpoint.app === 'gateway') return answerHere(forwarder, incoming, bytes, { ...incoming.standing.caller, ...part }, deadlineMs);
  const metadata = new Metadata();
  // Two messages joined are one: the standing part is encoded once per key, this part per request.
  metadata.set('caller-bin', Buffer.concat([incoming.standing.bytes, encodeRequestPart(part)]));
  const answer = await send(forwarder.channels.get(endpoint.app)!, endpoint.rpc, bytes, metadata, deadlineMs);
  return {
    status: answer.status ?? endpoint.success,
    members: renderMembers(endpoint.response, answer.bytes, incoming.standing.holds),
    headers: answer.headers,
  };
}

async function answerHere(forwarder: Forwarder, incoming: Incoming, bytes: Buffer, caller: Caller, deadlineMs: number): Promise<Answered> {
  const { endpoint } = incoming.match;
  const request = endpoint.request.toObject(endpoint.request.decode(bytes), messageOptions);
  const result = await forwarder.own[endpoint.method]!(request as never, { caller, deadlineMs, ...incoming.own });
  const { message, options } = result instanceof Reply ? result : { message: result, options: undefined };
  const encoded = options?.bytes ?? endpoint.response.encode(message as object).finish();
  return {
    status: options?.status ?? endpoint.success,
    members: renderMembers(endpoint.response, encoded, incoming.standing.holds),
    headers: Object.entries(options?.headers ?? {}),
  };
}

const takesBody = new Set(['POST', 'PUT', 'PATCH']);

async function requestMessage({ request, response, match, query }: Incoming) {
  const { endpoint, params } = match;
  if (!takesBody.has(endpoint.verb)) return { message: messageFromQuery(endpoint.request, params, new URLSearchParams(query)) };
  const raw = await readBody(request, response);
  const body = hasBodyFields(endpoint, params) ? messageFromBody(endpoint.request, parseObject(request, raw)) : {};
  return { message: { ...body, ...params }, idempotency: idempotencyOf(request, raw) };
}

/** An endpoint whose every field is in its path, such as restore, needs no body and no content type. */
function hasBodyFields(endpoint: Endpoint, params: Record<string, string>): boolean {
  return endpoint.request.fieldsArray.some((field) => field.name !== 'misshapen' && !(field.name in params));
}

const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

/** Idempotency-Key on POST and PATCH (decision D185), with what tells the same request from another. */
function idempotencyOf(request: Request, raw: Buffer): { key: string; hash: Uint8Array } | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKey.test(key)) {
    throw new Problem('missing_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces');
  }
  const hash = createHash('sha256').update(`${request.method} ${request.originalUrl}\n`).update(raw).digest();
  return { key, hash };
}
