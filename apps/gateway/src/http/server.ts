/** The HTTP server: express at the edge, the pipeline below /api/v1, the reference, the admin panel and the operators' endpoints. */
import { createServer, type Server } from 'node:http';
import { serveDocs } from '@store/docs-site/serve';
import { Problem, problemFrom } from '@store/problem';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { adminFiles } from './admin-files.ts';
import { adminProxy } from './admin-proxy.ts';
import { sendJson, sendProblem } from './answer.ts';
import { shareConnections, shareRequests } from './connection-shares.ts';
import type { Pipeline } from './exchange.ts';
import { pipeline } from './pipeline.ts';
import { readiness } from './readiness.ts';
import { serveReference } from './reference.ts';
import { requestIdOf } from './request-id.ts';
import type { StreamProxy } from './stream-proxy.ts';
import { answerUnreadable } from './unreadable.ts';

export interface HttpOptions {
  host: string;
  port: number;
  trustedProxies: number;
  adminUpstream?: string;
  adminFolder?: string;
  publicUrl?: string;
  stream?: StreamProxy;
  /** Connections at once, shared out by address, known callers before strangers. Absent: any number. */
  connectionsMax?: number;
  timeouts?: Timeouts;
}

interface Timeouts {
  headersMs: number;
  requestMs: number;
  /** How often Node checks for connections past the two limits above; its default of 30 s would turn 10 s into up to 40. */
  checkEveryMs: number;
}

export const timeoutsDefault: Timeouts = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 500 };
/** Longer than a load balancer keeps idle connections. */
const keepAliveTimeoutMs = 65_000;
const headerBytesMax = 16 * 1024;

function httpApp(
  parts: Pipeline,
  {
    trustedProxies,
    adminUpstream = '',
    adminFolder = '',
    publicUrl = '',
    stream,
    connectionsMax,
  }: Omit<HttpOptions, 'host' | 'port' | 'timeouts'>,
  /** A stop has begun: load balancers should send requests elsewhere. */
  isClosing: () => boolean = () => false,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustedProxies);
  if (publicUrl.startsWith('https:')) app.use(onlyEncrypted);
  if (trustedProxies > 0 && connectionsMax !== undefined) app.use(shareRequests(connectionsMax, parts.app.db.clock));
  if (adminUpstream !== '') app.use(adminProxy(adminUpstream, parts.app.log));
  else if (adminFolder !== '') app.use(adminFiles(adminFolder));
  app.use((_request, response, next) => {
    // Every answer is for one caller only, and must be read as its Content-Type.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  const documents = serveReference(app, parts.routes.served, publicUrl);
  app.get('/healthz', (request, response) => sendJson(request, response, 200, '{"status":"ok"}'));
  app.get('/readyz', readiness(parts, isClosing));
  if (stream) app.get('/api/v1/webhook_monitor/stream', stream.handler);
  app.use('/api/v1', pipeline(parts));
  serveDocs(app, documents);
  app.use((request) => {
    throw new Problem('not_found', 'Not found', {}, { cause: request.path });
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', requestId);
    sendProblem(request, response, problemFrom(httpError(error)), requestId);
  });
  return app;
}

const yearSeconds = 31_536_000;

/** Browsers use TLS only from now on, so that nobody in between reads a session. */
function onlyEncrypted(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Strict-Transport-Security', `max-age=${yearSeconds}`);
  next();
}

/** A request that express itself refuses, such as a path that cannot be decoded, is a 400. */
function httpError(error: unknown): unknown {
  const status = (error as { status?: number }).status;
  return status === 400 ? new Problem('missing_parameter', 'Malformed request', {}, { cause: error }) : error;
}

interface HttpServer {
  address: string;
  /** /readyz answers 503 from now on, and connections end with their next answer; everything else continues. */
  sayNotReady(): void;
  stop(graceMs?: number): Promise<void>;
}

/** Together with the 5 s of not being ready, most of the 25 s in which a process must stop. */
const graceDefaultMs = 15_000;

export async function listen(parts: Pipeline, options: HttpOptions): Promise<HttpServer> {
  const { headersMs, requestMs, checkEveryMs } = options.timeouts ?? timeoutsDefault;
  let closing = false;
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      keepAliveTimeout: keepAliveTimeoutMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    httpApp(parts, options, () => closing),
  );
  const { connectionsMax, trustedProxies } = options;
  if (connectionsMax !== undefined) {
    if (trustedProxies === 0) shareConnections(server, connectionsMax);
    else server.maxConnections = connectionsMax;
  }
  answerUnreadable(server);
  // Without this Node asks for the body before the caller is authenticated.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const bound = server.address() as { port: number };
  return {
    address: `${options.host}:${bound.port}`,
    sayNotReady: () => {
      closing = true;
      closeAfterAnswers(server);
    },
    stop: (graceMs = graceDefaultMs) => {
      const stopped = stop(server, graceMs);
      options.stream?.endAll();
      return stopped;
    },
  };
}

const idleCheckMs = 50;

/** A client that keeps its connection opens the next one to another gateway: the stop closes none under a request. */
function closeAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
}

/** Drains with `Connection: close`; closes by force after the grace period. */
function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // A client that keeps its connection busy would delay the stop for the whole grace period.
    closeAfterAnswers(server);
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
