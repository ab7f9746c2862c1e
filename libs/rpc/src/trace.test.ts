import { afterEach, expect, test } from '@jest/globals';
import { ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api';
import { derivedIds, openRequestSpan, openSpan, traceBy } from './trace.ts';

let end: () => void = () => undefined;
afterEach(() => end());

/** The traces of those ids in a process that samples one in ten under this key. */
function traced(key: string, ids: string[], at: (id: string) => Span | undefined = (id) => openRequestSpan(id, 'GET /', {})): string[] {
  const random = { generateTraceId: () => 'random', generateSpanId: () => 'random' };
  const tracer = {
    startSpan: (_name: string, { root }: { root?: boolean }, context = ROOT_CONTEXT) => {
      const traceId = root ? derivedIds(random).generateTraceId() : trace.getSpanContext(context)!.traceId;
      return trace.wrapSpanContext({ traceId, spanId: derivedIds(random).generateSpanId(), traceFlags: 1 } as SpanContext);
    },
  };
  end = traceBy(tracer as never, { ratio: 0.1, key });
  return ids.map((id) => at(id)?.spanContext().traceId ?? '');
}

test('tracing of a request follows from a secret key alone, alike in all processes', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => `request-${n}`);
  const one = traced('key of this installation', ids);
  const chosen = ids.filter((_, n) => one[n] !== '');
  expect(chosen.length).toBeGreaterThan(120);
  expect(chosen.length).toBeLessThan(300);
  expect(traced('key of this installation', ids, (id) => openSpan(id, 'call', { kind: 'CLIENT' }))).toEqual(one);
  const elsewhere = traced('another key', chosen).filter((id) => id !== '');
  expect(elsewhere.length).toBeLessThan(chosen.length / 3);
});
