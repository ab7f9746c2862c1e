/**
 * Spans of a traced request. Trace, sampling and the ids of the spans that others refer to are derived from the request's id and the
 * events' ids: these are in every call, outbox row, message and delivery already, so no further context travels or is stored. A client
 * may choose its request's id, so the hash has a key: nobody outside knows which ids are sampled.
 * While tracing is off, each of these functions returns at once.
 */
import { createHmac } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { systemRequestId } from './caller.ts';

interface SpanPlace {
  kind: keyof typeof SpanKind;
  /** Text from which its id is derived, for spans that are parents of others; absent: a random id. */
  id?: string;
  /** Text from which the parent's id is derived, or its id; absent: the request. */
  parent?: string | { spanId: string } | undefined;
  attributes?: Attributes;
}

interface Tracing {
  tracer: Tracer;
  /** Of 2^32: traces whose first four bytes are below it are sampled. */
  threshold: number;
  key: string;
}

let tracing: Tracing | undefined;
/** The ids of the span that is being started; undefined: random ones. */
let wanted: { traceId?: string; spanId?: string } = {};

/** Begins to trace the requests whose ids hash, under `key`, into the part `ratio` of all; returns what ends it. */
export function traceBy(tracer: Tracer, { ratio, key }: { ratio: number; key: string }): () => void {
  tracing = { tracer, threshold: Math.round(ratio * 2 ** 32), key };
  return () => {
    tracing = undefined;
  };
}

/** For the SDK: gives the derived ids where there are some. */
export function derivedIds(random: { generateTraceId(): string; generateSpanId(): string }) {
  return {
    generateTraceId: () => wanted.traceId ?? random.generateTraceId(),
    generateSpanId: () => wanted.spanId ?? random.generateSpanId(),
  };
}

/** The text from which the id of the event's publication span is derived. */
export const publicationOf = (eventId: string): string => `event ${eventId}`;
const requestSpan = 'request';

export function openRequestSpan(requestId: string, name: string, attributes: Attributes): Span | undefined {
  return open(requestId, name, { kind: 'SERVER', id: requestSpan, attributes }, true);
}

/** A span of a request's work; undefined when the request is not traced. */
export function openSpan(requestId: string | null, name: string, place: SpanPlace): Span | undefined {
  return tracing && requestId ? open(requestId, name, place, false) : undefined;
}

function open(
  requestId: string,
  name: string,
  { kind, id, parent = requestSpan, attributes }: SpanPlace,
  isRoot: boolean,
): Span | undefined {
  if (!tracing || requestId === systemRequestId) return undefined;
  const { key } = tracing;
  const digest = createHmac('sha256', key).update(requestId).digest();
  if (digest.readUInt32BE(0) >= tracing.threshold) return undefined;
  const traceId = digest.toString('hex', 0, 16);
  const idOf = (seed: string) => createHmac('sha256', key).update(`${requestId}\n${seed}`).digest('hex').slice(0, 16);
  const options: SpanOptions = { kind: SpanKind[kind], attributes: { ...attributes, 'store.request_id': requestId }, root: isRoot };
  const parentId = typeof parent === 'string' ? idOf(parent) : parent.spanId;
  const context = isRoot
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
  wanted = { traceId, ...(id !== undefined && { spanId: idOf(id) }) };
  try {
    return tracing.tracer.startSpan(name, options, context);
  } finally {
    wanted = {};
  }
}

/** Spans of calls under way, by the caller that their further calls name. */
const spanOfCaller = new WeakMap<object, Span>();

export function openCallSpan(request: { requestId: string }, rpc: string, metadata: Metadata): Span | undefined {
  const span = openSpan(request.requestId, rpc, { kind: 'CLIENT', parent: spanOfCaller.get(request)?.spanContext() });
  if (span) metadata.set(spanHeader, span.spanContext().spanId);
  return span;
}

export function openAnswerSpan(caller: { requestId: string }, rpc: string, metadata: Metadata): Span | undefined {
  if (!tracing) return undefined;
  const sent = String(metadata.get(spanHeader)[0] ?? '');
  const span = openSpan(caller.requestId, rpc, { kind: 'SERVER', parent: isSpanId.test(sent) ? { spanId: sent } : undefined });
  if (span) spanOfCaller.set(caller, span);
  return span;
}

const spanHeader = 'store-span';
const isSpanId = /^[0-9a-f]{16}$/;

export function failSpan(span: Span | undefined, error: unknown): void {
  span?.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) }).end();
}

export async function inSpan<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  if (!span) return work();
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    failSpan(span, error);
    throw error;
  }
}
