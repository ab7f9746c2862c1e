/** Proxies /admin to the panel's own server (ADMIN_UPSTREAM). Mounted before any body parser: a body that was read cannot be forwarded. */
import { ServerResponse } from 'node:http';
import { problemFrom } from '@store/problem';
import type { Log } from '@store/service';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { adminTarget } from './admin-path.ts';
import { sendProblem } from './answer.ts';
import { requestIdOf } from './request-id.ts';
import { waitsForContinue } from './unread-body.ts';

const proxyTimeoutDefaultMs = 30_000;

/** Withheld: forwarding headers of the client, and credentials, as the panel's pages call the API from the browser. */
const withheld = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-api-key',
  'x-csrf-token',
  'authorization',
];

const ownCookies = new Set(['__Host-sid', '__Host-device']);

export function adminProxy(upstream: string, log: Log, proxyTimeoutMs = proxyTimeoutDefaultMs): RequestHandler {
  const proxy = createProxyMiddleware<Request, Response>({
    target: upstream,
    ws: false,
    xfwd: false,
    followRedirects: false,
    proxyTimeout: proxyTimeoutMs,
    // The default plugins would answer errors with bodies of their own.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, request, response) => {
          log.error({ err: error }, 'The admin panel did not answer');
          if (request && response instanceof ServerResponse) refuse(error, request, response);
          else response?.destroy();
        });
      },
    ],
  });
  return (request, response, next) => {
    const target = adminTarget(request.url);
    if (target === undefined) return next();
    request.url = target;
    if (waitsForContinue(request)) response.writeContinue();
    readdress(request);
    proxy(request, response, next).catch(next);
  };
}

/** Replaces the forwarding headers by trusted values; a socket is never upgraded. */
function readdress(request: Request): void {
  // Computed from the trusted proxies alone, so it is read before the client's headers are removed.
  const { ip, protocol, host } = request;
  for (const name of withheld) delete request.headers[name];
  for (const name of ['upgrade', 'expect']) delete request.headers[name];
  const cookie = foreignCookies(request.headers.cookie ?? '');
  if (cookie === '') delete request.headers.cookie;
  else request.headers.cookie = cookie;
  request.headers.connection = 'close';
  if (ip) request.headers['x-forwarded-for'] = ip;
  request.headers['x-forwarded-proto'] = protocol;
  if (host) request.headers['x-forwarded-host'] = host;
}

function foreignCookies(cookies: string): string {
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !ownCookies.has(pair.split('=')[0]!.trim()))
    .join('; ');
}

function refuse(error: Error, request: Request, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const requestId = requestIdOf(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', requestId);
  sendProblem(request, response, problemFrom(error), requestId);
}
