/** Proxies the live stream to webhooks (D179). The session is checked at the start and every 20 s; only the signed caller is forwarded. */
import { ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import { Problem, problemFrom, texts } from '@store/problem';
import { type EncodedFixedPart, headerOf, type PeerTrust, type RequestPart, signCaller } from '@store/rpc';
import type { Log } from '@store/service';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { sendProblem } from './answer.ts';

export interface StreamAccess {
  /** Authorises the request; rejects with the refusal. From then on the answer has its request id. */
  admit(request: Request, response: Response): Promise<Watching>;
  /** Renders a refusal for this client, counting 401s against its address. */
  shownRefusal(error: unknown, request: Request): Problem;
}

interface Watching {
  fixedPart: EncodedFixedPart;
  request: RequestPart;
  /** Whether the admitted session is still valid; the check does not extend it. */
  stillMay(): Promise<boolean>;
}

/** The stream ends within a minute after its session (D179). */
const checkEveryDefaultMs = 20_000;
/** Three heartbeat intervals of webhooks. */
const silenceMaxMs = 45_000;

export interface StreamProxy {
  handler: RequestHandler;
  /** Ends open streams, which would otherwise delay the stop. */
  endAll(): void;
}

interface StreamProxyOptions {
  upstream: string;
  access: StreamAccess;
  trust: PeerTrust;
  log: Log;
  checkEveryMs?: number;
}

const door = '/stream';

export function streamProxy({ upstream, access, trust, log, checkEveryMs = checkEveryDefaultMs }: StreamProxyOptions): StreamProxy {
  const open = new Set<Response>();
  const proxy = createProxyMiddleware<Request, Response>({
    target: `${trust.tls ? 'https' : 'http'}://${upstream}`,
    ...(trust.tls && { agent: new Agent(trust.tls) }),
    pathRewrite: () => door,
    ws: false,
    xfwd: false,
    followRedirects: false,
    proxyTimeout: silenceMaxMs,
    // The default plugins would answer errors with bodies of their own.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, request, response) => {
          log.warn({ err: error }, 'The live stream of webhooks broke');
          if (request && response instanceof ServerResponse && !response.headersSent)
            sendProblem(request, response, problemFrom(error), requestIdOn(response));
          else response?.destroy();
        });
        server.on('proxyRes', (answer, request, response) => {
          if (answer.statusCode !== 401) return;
          // Webhooks rejected this process's signature: that says nothing about the client's session.
          log.error({}, 'Webhooks rejects the signature of this process: both need the same GATEWAY_TO_WEBHOOKS_KEYS and equal clocks');
          answer.resume();
          sendProblem(request, response, new Problem('unavailable', texts.unexpected), requestIdOn(response));
        });
      },
    ],
  });
  const handler: RequestHandler = async (request, response, next) => {
    // A key is refused by the pipeline, in its order of checks.
    if (request.headers['x-api-key'] !== undefined) return next();
    try {
      const { fixedPart, request: part, stillMay } = await access.admit(request, response);
      open.add(response);
      const watch = setInterval(() => void endUnless(stillMay, response, log), checkEveryMs);
      response.once('close', () => {
        clearInterval(watch);
        open.delete(response);
      });
      // Nothing sent by the client reaches webhooks: neither credentials nor a forged caller.
      request.headers = { 'x-caller': headerOf(signCaller(trust.keys, fixedPart, part, `GET ${door}`)), connection: 'close' };
      await proxy(request, response, next);
    } catch (error) {
      if (!response.headersSent) sendProblem(request, response, access.shownRefusal(error, request), requestIdOn(response));
      else response.destroy();
    }
  };
  return {
    handler,
    endAll: () => {
      for (const response of open) response.destroy();
    },
  };
}

const requestIdOn = (response: Response) => String(response.getHeader('X-Request-Id'));

/** If the session cannot be checked, the stream ends: the page reconnects. */
async function endUnless(stillMay: Watching['stillMay'], response: Response, log: Log): Promise<void> {
  try {
    if (await stillMay()) return;
  } catch (error) {
    log.warn({ err: error }, 'The session of a live stream could not be read; the stream ends');
  }
  response.destroy();
}
