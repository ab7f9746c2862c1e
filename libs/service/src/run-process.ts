import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AppName, groupsOf } from '@store/contract';
import { KafkaTransport, reportWeakTopics } from '@store/events';
import { fileBytes, integer, readConfig, type Settings, serviceSettings, setting, text } from './config.ts';
import { keysVariable, pairsOf } from './doors.ts';
import { brokersOf, kafkaAccess, kafkaSettings } from './kafka-settings.ts';
import { type Log, openLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { surviveRejections } from './rejections.ts';
import { measureSchema } from './schema-metrics.ts';
import type { Running, StartOptions } from './service.ts';
import { measureLag } from './service-metrics.ts';
import { startTraces, traceSettings } from './traces.ts';

export const processSettings = {
  KAFKA_BROKERS: setting(
    text.min(1, 'must name at least one host:port'),
    undefined,
    'comma-separated host:port of Kafka, which carries events between processes',
  ),
  KAFKA_PREFIX: setting(text, '', 'put before the names of topics and consumer groups, so that several installations can share brokers'),
  EVENT_RETENTION_DAYS: serviceSettings.EVENT_RETENTION_DAYS,
  ...kafkaSettings,
  ...traceSettings,
  LOG_LEVEL: setting(text, 'info', 'least severe log lines that are written'),
  HEALTH_PORT: setting(integer(0, 65_535), '0', 'port of /healthz, /readyz and /metrics; 0: none'),
  HEALTH_HOST: setting(text, '127.0.0.1', 'address of /healthz, /readyz and /metrics'),
} satisfies Settings;

/** A stop that takes longer is cut off here; the process manager would kill the process less cleanly. */
const stopMaxMs = 25_000;

/** Runs until a signal what `start` starts. `app`: the app whose groups and schema are measured; absent: a process that is none. */
export async function runProcess(name: string, start: (options: StartOptions) => Promise<Running>, app?: AppName): Promise<void> {
  const config = readConfig(processSettings, process.env);
  const log = openLog(name, config.LOG_LEVEL);
  const kafka = {
    brokers: brokersOf(config.KAFKA_BROKERS),
    prefix: config.KAFKA_PREFIX,
    access: kafkaAccess(process.env),
    log,
  };
  const transport = new KafkaTransport({
    ...kafka,
    clientId: name,
    onFatal: (error) => {
      log.fatal({ err: error }, 'A consumer stopped for good; ending, so that a new process takes its place');
      process.exit(1);
    },
  });
  let stopping = false;
  // Without a port there is nobody to serve metrics to, so nothing is counted.
  const metrics = config.HEALTH_PORT === 0 ? undefined : new Metrics(name);
  metrics?.ofProcess();
  const endTraces = await startTraces(name, process.env);
  const running = await start({ env: process.env, log, transport: metrics?.overTransport(transport) ?? transport, metrics });
  const survived = surviveRejections(log);
  metrics?.count('store_rejections_survived_total', 'Promises that rejected with nobody waiting.', () => survived.count);
  if (metrics) showCertificate(metrics, process.env.GRPC_TLS_CERT);
  if (app) warnOfKeys(app, log);
  // start() has already refused a missing DATABASE_URL.
  if (metrics && app) measureLag(metrics, kafka, groupsOf(app), log);
  const schema = metrics && app && measureSchema(metrics, process.env.DATABASE_URL!, app, log);
  const state = () => ({ stuck: transport.stuck(), stopping });
  const health = metrics && openHealth(config.HEALTH_HOST, config.HEALTH_PORT, metrics, state);
  health?.once('error', (error) => {
    log.fatal({ err: error }, `HEALTH_HOST ${config.HEALTH_HOST} and HEALTH_PORT ${config.HEALTH_PORT} cannot be listened to; ending`);
    process.exit(1);
  });
  log.info({ address: running.address }, 'started');
  const weak = reportWeakTopics({ ...kafka, retentionDays: config.EVENT_RETENTION_DAYS });
  metrics?.gauge('store_weak_topics', 'Settings of topics that could lose or repeat events, as found at the start.', weak.found);

  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stopMaxMs).unref();
    weak.stop();
    await running.stop();
    await transport.stop();
    await schema?.stop();
    await endTraces();
    health?.close();
    process.exit(0);
  };
  endWithParent(() => stop('the process that started this one ended'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.fatal({ err: error }, 'The stop failed');
        process.exit(1);
      });
    });
  }
}

/** A new certificate is read at the next start, so this is the one that is shown to callers until then. */
function showCertificate(metrics: Metrics, file = ''): void {
  const pem = fileBytes(file);
  if (!pem) return;
  const endsAt = Date.parse(new X509Certificate(pem).validTo) / 1_000;
  metrics.gauge('store_certificate_not_after_seconds', 'Unix time at which the certificate of GRPC_TLS_CERT ends.', () => endsAt);
}

function warnOfKeys(app: AppName, log: Log): void {
  const missing = pairsOf(app)
    .map(keysVariable)
    .filter((name) => !process.env[name]);
  if (process.env.SERVICE_KEYS) log.warn('SERVICE_KEYS is set: its holder can sign as any app. Remove it once the upgrade is done');
  else if (missing.length > 0) log.warn(`${missing.join(', ')} not set: calls between processes are rejected`);
}

/** Liveness is this process's own progress: restarting it does not help when PostgreSQL, Redis or Kafka is down. */
export function openHealth(
  host: string,
  port: number,
  metrics: Metrics,
  state: () => { stuck: string | undefined; stopping: boolean },
): Server {
  return createServer(async (request, response) => {
    // Metrics stay off the public port.
    if (request.url === '/metrics') {
      const text = await metrics.text();
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
      return;
    }
    const { stuck, stopping } = state();
    const fine = request.url === '/readyz' ? !stopping : stuck === undefined;
    response
      .writeHead(fine ? 200 : 503, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ status: fine ? 'ok' : (stuck ?? 'stopping') }));
  }).listen(port, host);
}

const parentCheckMs = 1_000;

/** Ends the process when the local fleet that started it was killed; STORE_PARENT_PID names that fleet. */
function endWithParent(stop: () => Promise<void>): void {
  const parent = Number(process.env.STORE_PARENT_PID);
  if (!parent) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop().catch(() => process.exit(1));
  }, parentCheckMs);
  timer.unref();
}
