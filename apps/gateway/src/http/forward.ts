/** Calls the endpoint's handler: the owning service over gRPC, or one of the gateway's own verbs. */
import { type Endpoint, including, itemsOf, listName, messageOptions, renderMembers, versionOf } from '@store/contract';
import { unexpected } from '@store/problem';
import { Reply, type RequestPart, type StreamedAnswer, send, sendStreaming } from '@store/rpc';
import { bounded } from '@store/service';
import { othersCall, paced, presentAsker, presentHolder } from '@store/shares/asker';
import type { GatewayCall } from '../gateway.ts';
import type { Answered, Exchange, Forwarder, Pipeline } from './exchange.ts';
import { inSlices, isTooLarge, shorterPage } from './in-slices.ts';
import { linked } from './link-next.ts';
import { anonymous, type PreparedCaller, preparedCaller } from './prepared-caller.ts';

/** A duplicate waits up to 10 s for the first request's answer and then gets a 409 (D27); added to the normal deadline. */
const duplicateWaitMs = 10_000;

/** Calls the endpoint and returns its answer as JSON members. */
export async function forward(exchange: Exchange, { forwarder }: Pipeline): Promise<void> {
  const { endpoint } = exchange.match!;
  const { fields, idempotency, dryRun, ifMatch } = exchange.message!;
  const record = exchange.key?.record ?? exchange.session;
  const caller = askingFor(exchange, record ? preparedCaller(record) : anonymous);
  const part = {
    requestId: exchange.requestId,
    ip: exchange.ip,
    ...(idempotency && { idempotency }),
    ...(dryRun && { dryRun: true as const }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(othersCall(presentHolder()) && { othersCall: true as const }),
  };
  const call = (asked: Fields) => {
    const bytes = Buffer.from(endpoint.request.encode(asked).finish());
    const deadlineMs = Date.now() + endpoint.deadlineMs + (idempotency ? duplicateWaitMs : 0);
    return (endpoint.app === 'gateway' ? answerHere : ask)(forwarder, exchange, { bytes, caller, part, deadlineMs });
  };
  const answered = await (endpoint.httpMethod === 'GET' ? read(endpoint, fields, call) : call(fields));
  exchange.answered = linked(exchange, answered);
}

/** The caller with the fields that `include` names. */
function askingFor({ match, query }: Exchange, caller: PreparedCaller): PreparedCaller {
  if (match!.endpoint.onRequest.length === 0 || query === '') return caller;
  return { ...caller, holds: including(caller.holds, new URLSearchParams(query)) };
}

/** The answer to a read: a page of a list in slices where it is too large to be read whole, and never a 413, as a read has no body. */
async function read({ list }: Endpoint, fields: Fields, call: (fields: Fields) => Promise<Answered>): Promise<Answered> {
  try {
    return await call(fields).catch((error: unknown) => {
      if (list && isTooLarge(error)) return (fields.after === undefined ? inSlices : shorterPage)(list, fields, call);
      throw error;
    });
  } catch (error) {
    throw isTooLarge(error) ? unexpected(error) : error;
  }
}

type Fields = Record<string, unknown>;

interface Outgoing {
  bytes: Buffer;
  caller: PreparedCaller;
  part: RequestPart;
  deadlineMs: number;
}

async function ask({ channels }: Forwarder, { match }: Exchange, { bytes, caller, part, deadlineMs }: Outgoing): Promise<Answered> {
  const { endpoint } = match!;
  const from = { fixedPart: caller.encoded, request: part };
  const channel = channels.get(endpoint.app)!;
  if (endpoint.streams) return streamed(endpoint, caller, await sendStreaming(channel, endpoint.rpc, bytes, from, deadlineMs));
  const answer = await send(channel, endpoint.rpc, bytes, from, deadlineMs, { read: endpoint.httpMethod === 'GET' });
  return {
    status: answer.status ?? endpoint.success,
    members: renderMembers(endpoint.response, answer.bytes, caller.holds),
    headers: [...answer.headers, ...versionHeader(endpoint, answer.bytes, caller, part)],
  };
}

/** ETag, where the answer is that of the record's GET (D285). */
function versionHeader({ record, response }: Endpoint, bytes: Uint8Array, { holds }: PreparedCaller, { dryRun }: RequestPart) {
  return record === response && !dryRun ? [['ETag', `"${versionOf(response, bytes, holds)}"`] as [string, string]] : [];
}

function streamed({ response, success }: Endpoint, { holds }: PreparedCaller, answer: StreamedAnswer): Answered {
  const list = listName(response);
  async function* items() {
    for await (const bytes of answer.rest) yield await paced(() => itemsOf(renderMembers(response, bytes, holds), list));
  }
  return {
    status: answer.status ?? success,
    members: renderMembers(response, answer.bytes, holds),
    headers: answer.headers,
    rest: { list, items: items(), cancel: answer.cancel },
  };
}

async function answerHere({ own }: Forwarder, exchange: Exchange, { bytes, caller, part, deadlineMs }: Outgoing): Promise<Answered> {
  const { endpoint } = exchange.match!;
  const request = endpoint.request.toObject(endpoint.request.decode(bytes), messageOptions);
  const call: GatewayCall = {
    caller: { ...caller.fixedPart, ...part },
    deadlineMs,
    rpc: endpoint.rpc,
    session: exchange.session,
    effectiveLimit: exchange.effectiveLimit,
    cookies: exchange.request.headers.cookie,
    userAgent: exchange.request.headers['user-agent'],
  };
  const verb = bounded(endpoint, own[endpoint.rpcName]!);
  const result = await until(deadlineMs, () => verb(request as never, call as never));
  const { message, options } = result instanceof Reply ? result : { message: result, options: undefined };
  const encoded = options?.bytes ?? endpoint.response.encode(message as object).finish();
  return {
    status: options?.status ?? endpoint.success,
    members: renderMembers(endpoint.response, encoded, caller.holds),
    headers: [
      ...Object.entries(options?.headers ?? {}),
      ...versionHeader(endpoint, encoded, caller, part),
      ...(options?.cookies ? [['Set-Cookie', options.cookies] as [string, string[]]] : []),
    ],
  };
}

/** A verb of the gateway ends at its deadline, as those of services do. */
async function until<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const asker = presentAsker();
  if (!asker) return work();
  asker.deadlineMs = deadlineMs;
  const timer = setTimeout(() => asker.leave(), deadlineMs - Date.now());
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
