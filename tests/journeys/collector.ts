/** A collector of traces on this machine: it takes OTLP over HTTP as JSON. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@store/testbed/until';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, unknown>;
}

interface SentSpan extends Omit<Span, 'attributes'> {
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

const waitMaxMs = 60_000;

export async function openCollector() {
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Sent;
    const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    for (const span of sent) {
      const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
      spans.push({ ...span, attributes });
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      OTEL_TRACES_SAMPLER_KEY: 'key of these tests',
    },
    /** The spans of that request, once all of `names` have arrived; a name that is given twice, twice. */
    spansOf: async (requestId: string, names: string[]): Promise<Span[]> => {
      const found = () => spans.filter(({ attributes }) => attributes['store.request_id'] === requestId);
      const isThere = (name: string) => countOf(name, found()) >= names.filter((one) => one === name).length;
      await until(
        () => names.every(isThere),
        waitMaxMs,
        () => `the spans of ${requestId}: ${found().map(({ name }) => name)}`,
      );
      return found();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const countOf = (wanted: string, spans: Span[]) => spans.filter(({ name }) => name === wanted).length;
