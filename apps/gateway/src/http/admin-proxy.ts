/**
 * Carries /admin to the admin panel's own server when ADMIN_UPSTREAM names one; never the API path. It stands before
 * anything that reads a body: a body that was read cannot be sent on.
 */
import { ServerResponse } from 'node:http';
import type { Log } from '@store/service';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { adminTarget } from './admin-path.ts';
import { problemFrom, sendProblem } from './answer.ts';
import { requestIdOf } from './request-id.ts';
import { waitsForContinue } from './unread-body.ts';

const proxyTimeoutDefaultMs = 30_000;

/**
 * What a client says of the way it came, and credentials that are the API's alone, do not reach the panel: its pages call
 * the API from the browser, and its server needs nobody's session.
 */
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

/** Cookies of the gateway's own: the session and the device. */
const ownCookies = new Set(['__Host-sid', '__Host-device']);

/** `upstream`: base URL that /admin is asked at, the path kept whole. */
export function adminProxy(upstream: string, log: Log, proxyTimeoutMs = proxyTimeoutDefaultMs): RequestHandler {
  const proxy = createProxyMiddleware<Request, Response>({
    target: upstream,
    ws: false,
    xfwd: false,
    followRedirects: false,
    proxyTimeout: proxyTimeoutMs,
    // The default plugins answer a failure in their own words.
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

/** The headers as the panel may believe them; a socket is never upgraded. */
function readdress(request: Request): void {
  // By the trusted proxies alone, so it must be read before the client's words are dropped.
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
