/** OpenTelemetry traces by OTLP over HTTP; off unless an endpoint is set. The SDK is loaded only then. */
import { derivedIds, traceBy } from '@store/rpc';
import { z } from 'zod';
import { BadConfig, readConfig, type Settings, setting, text } from './config.ts';

export const traceSettings = {
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(
    z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be a http:// or https:// URL' })]),
    '',
    'where traces are sent by OTLP over HTTP, such as http://collector:4318/v1/traces; empty: requests are not traced',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce.number().min(0).max(1),
    '0.01',
    'part of the requests that is traced, from 0 to 1; the same for every process',
  ),
  OTEL_TRACES_SAMPLER_KEY: setting(
    text,
    '',
    'secret of at least 16 characters that decides which request ids are traced; the same for every process, needed where traces are sent',
  ),
} satisfies Settings;

const keyLengthMin = 16;
const sendEveryMs = 1_000;

/** Traces this process as the service of that name; returns what sends the rest and ends it. */
export async function startTraces(name: string, env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const config = readConfig(traceSettings, env);
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: ratio, OTEL_TRACES_SAMPLER_KEY: key } = config;
  if (url === '') return async () => undefined;
  if (key.length < keyLengthMin) throw new BadConfig(`OTEL_TRACES_SAMPLER_KEY must have at least ${keyLengthMin} characters`);
  const { AlwaysOnSampler, BatchSpanProcessor, RandomIdGenerator, TracerProvider } = await import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `store-${name}` }),
    // Which requests are traced is decided before a span is made.
    sampler: new AlwaysOnSampler(),
    idGenerator: derivedIds(new RandomIdGenerator()),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), scheduledDelayMillis: sendEveryMs })],
  });
  const end = traceBy(provider.getTracer('store'), { ratio, key });
  return async () => {
    end();
    // A collector that is away must not keep the process from ending.
    await provider.shutdown().catch(() => undefined);
  };
}
