/** From a matched request to the answer's members: build the message, call, render. */
import { createHash } from 'node:crypto';
import { type Endpoint, type Member, messageFromBody, messageFromQuery, messageOptions, renderMembers } from '@store/contract';
import { Problem, texts } from '@store/problem';
import { type Caller, type Channel, Reply, send } from '@store/rpc';
import type { Request, Response } from 'express';
import type { GatewayCall } from '../gateway.ts';
import { parseObject, withBody } from './body.ts';
import type { BodyRoom } from './body-room.ts';
import type { Standing } from './caller.ts';
import type { Match } from './routes.ts';

/** The gateway's own verbs by rpc name; a request message has the shape that a service would see. */
export type OwnVerbs = Record<string, (request: never, call: GatewayCall) => Promise<unknown>>;

export interface Forwarder {
  /** Channels by app; the gateway's own endpoints are answered here. */
  channels: Map<string, Channel>;
  own: OwnVerbs;
  room: BodyRoom;
}

export interface Answered {
  status: number;
  members: Member[];
  headers: [string, string | string[]][];
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
  /** Whose share of the room for bodies this request's takes. */
  holder: string;
  /** What only the gateway's own verbs are told. */
  own: Pick<GatewayCall, 'sessionId' | 'effectiveLimit' | 'cookies'>;
  /** Throws unless the password is the caller's own; only staff have one. */
  confirm?: (password: string | undefined) => Promise<void>;
}

/** A duplicate waits up to 10 s for the first request's answer, and then gets its 409 (decision D27): time beside the work's own. */
const duplicateWaitMs = 10_000;

/** Calls the owning service and gives its answer as JSON members. */
export async function forward(forwarder: Forwarder, incoming: Incoming): Promise<Answered> {
  const { endpoint } = incoming.match;
  const { message, idempotency } = await requestMessage(incoming, forwarder.room);
  if (endpoint.access.passwordAgain) await confirmPassword(incoming, message);
  const bytes = Buffer.from(endpoint.request.encode(message).finish());
  const part = { requestId: incoming.requestId, ip: incoming.ip, ...(idempotency && { idempotency }) };
  const deadlineMs = Date.now() + endpoint.deadlineMs + (idempotency ? duplicateWaitMs : 0);
  if (endpoint.app === 'gateway') return answerHere(forwarder, incoming, bytes, { ...incoming.standing.caller, ...part }, deadlineMs);
  const from = { standing: incoming.standing.encoded, request: part };
  const answer = await send(forwarder.channels.get(endpoint.app)!, endpoint.rpc, bytes, from, deadlineMs, {
    read: endpoint.verb === 'GET',
  });
  return {
    status: answer.status ?? endpoint.success,
    members: renderMembers(endpoint.response, answer.bytes, incoming.standing.holds),
    headers: answer.headers,
  };
}

/** The password goes no further than here. */
async function confirmPassword({ confirm }: Incoming, message: Record<string, unknown>): Promise<void> {
  if (!confirm) throw new Problem('forbidden', texts.internal);
  await confirm(message.password as string | undefined);
  delete message.password;
}

async function answerHere(forwarder: Forwarder, incoming: Incoming, bytes: Buffer, caller: Caller, deadlineMs: number): Promise<Answered> {
  const { endpoint } = incoming.match;
  const request = endpoint.request.toObject(endpoint.request.decode(bytes), messageOptions);
  const result = await forwarder.own[endpoint.method]!(request as never, { caller, deadlineMs, rpc: endpoint.rpc, ...incoming.own });
  const { message, options } = result instanceof Reply ? result : { message: result, options: undefined };
  const encoded = options?.bytes ?? endpoint.response.encode(message as object).finish();
  return {
    status: options?.status ?? endpoint.success,
    members: renderMembers(endpoint.response, encoded, incoming.standing.holds),
    headers: [
      ...Object.entries(options?.headers ?? {}),
      ...(options?.cookies ? [['Set-Cookie', options.cookies] as [string, string[]]] : []),
    ],
  };
}

const takesBody = new Set(['POST', 'PUT', 'PATCH']);

async function requestMessage({ request, response, match, query, holder }: Incoming, room: BodyRoom) {
  const { endpoint, params } = match;
  if (!takesBody.has(endpoint.verb)) {
    return { message: messageFromQuery(endpoint.request, params, new URLSearchParams(query)), idempotency: undefined };
  }
  return withBody(request, response, { bytesMax: endpoint.bodyBytesMax, room, holder }, (raw) => {
    const body = hasBodyFields(endpoint, params) ? messageFromBody(endpoint.request, parseObject(request, raw)) : {};
    return { message: { ...body, ...params }, idempotency: idempotencyOf(request, raw) };
  });
}

/** An endpoint whose every field is in its path, such as restore, needs no body and no content type. */
function hasBodyFields(endpoint: Endpoint, params: Record<string, string>): boolean {
  return endpoint.request.fieldsArray.some((field) => field.name !== 'malformed' && !(field.name in params));
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
