/** Calls the endpoint's handler: the owning service over gRPC, or one of the gateway's own verbs. */
import { type Endpoint, messageOptions, renderItems, renderMembers } from '@store/contract';
import { Reply, type RequestPart, type StreamedAnswer, send, sendStreaming } from '@store/rpc';
import type { GatewayCall } from '../gateway.ts';
import type { Answered, Exchange, Forwarder, Pipeline } from './exchange.ts';
import { anonymous, type PreparedCaller, preparedCaller } from './prepared-caller.ts';

/** A duplicate waits up to 10 s for the first request's answer and then gets a 409 (D27); added to the normal deadline. */
const duplicateWaitMs = 10_000;

/** Calls the endpoint and returns its answer as JSON members. */
export async function forward(exchange: Exchange, { forwarder }: Pipeline): Promise<void> {
  const { endpoint } = exchange.match!;
  const { fields, idempotency, dryRun } = exchange.message!;
  const record = exchange.key?.record ?? exchange.session;
  const outgoing: Outgoing = {
    bytes: Buffer.from(endpoint.request.encode(fields).finish()),
    caller: record ? preparedCaller(record) : anonymous,
    part: { requestId: exchange.requestId, ip: exchange.ip, ...(idempotency && { idempotency }), ...(dryRun && { dryRun: true as const }) },
    deadlineMs: Date.now() + endpoint.deadlineMs + (idempotency ? duplicateWaitMs : 0),
  };
  exchange.answered = await (endpoint.app === 'gateway' ? answerHere(forwarder, exchange, outgoing) : ask(forwarder, exchange, outgoing));
}

interface Outgoing {
  bytes: Buffer;
  caller: PreparedCaller;
  part: RequestPart;
  deadlineMs: number;
}

async function ask({ channels }: Forwarder, { match }: Exchange, { bytes, caller, part, deadlineMs }: Outgoing): Promise<Answered> {
  const { endpoint } = match!;
  const from = { standing: caller.encoded, request: part };
  const channel = channels.get(endpoint.app)!;
  if (endpoint.streams) return streamed(endpoint, caller, await sendStreaming(channel, endpoint.rpc, bytes, from, deadlineMs));
  const answer = await send(channel, endpoint.rpc, bytes, from, deadlineMs, { read: endpoint.httpMethod === 'GET' });
  return {
    status: answer.status ?? endpoint.success,
    members: renderMembers(endpoint.response, answer.bytes, caller.holds),
    headers: answer.headers,
  };
}

function streamed({ response, success }: Endpoint, { holds }: PreparedCaller, answer: StreamedAnswer): Answered {
  async function* items() {
    for await (const bytes of answer.rest) yield renderItems(response, bytes, holds);
  }
  return {
    status: answer.status ?? success,
    members: renderMembers(response, answer.bytes, holds),
    headers: answer.headers,
    rest: { items: items(), cancel: answer.cancel },
  };
}

async function answerHere({ own }: Forwarder, exchange: Exchange, { bytes, caller, part, deadlineMs }: Outgoing): Promise<Answered> {
  const { endpoint } = exchange.match!;
  const request = endpoint.request.toObject(endpoint.request.decode(bytes), messageOptions);
  const call: GatewayCall = {
    caller: { ...caller.standing, ...part },
    deadlineMs,
    rpc: endpoint.rpc,
    session: exchange.session,
    effectiveLimit: exchange.effectiveLimit,
    cookies: exchange.request.headers.cookie,
    userAgent: exchange.request.headers['user-agent'],
  };
  const result = await own[endpoint.rpcName]!(request as never, call);
  const { message, options } = result instanceof Reply ? result : { message: result, options: undefined };
  const encoded = options?.bytes ?? endpoint.response.encode(message as object).finish();
  return {
    status: options?.status ?? endpoint.success,
    members: renderMembers(endpoint.response, encoded, caller.holds),
    headers: [
      ...Object.entries(options?.headers ?? {}),
      ...(options?.cookies ? [['Set-Cookie', options.cookies] as [string, string[]]] : []),
    ],
  };
}
