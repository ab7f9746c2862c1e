/**
 * One POST to one receiver, on a connection of its own, to an address that the guard has let through.
 * Node's `timeout` is an idle timeout, which a receiver keeps alive byte by byte; the two timers here
 * run to the end whatever arrives. Nothing that the receiver says is kept but its status.
 */
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import tls from 'node:tls';
import { checkUrl, type Refusal, type Target } from './address-guard.ts';
import type { AttemptRequest, FailureReason, Outcome } from './types.ts';

/** Spec, Delivery 1; DNS and TLS are part of connecting (D152). */
export const connectTimeoutMs = 5_000;
export const responseTimeoutMs = 10_000;

const headBytesMax = 16 * 1024;
/** Read so that an honest receiver can finish its answer; the rest is of no use. */
const bodyBytesMax = 64 * 1024;
/** How long one of several addresses may take before the next is tried beside it. */
const nextAddressAfterMs = 1_000;

/** A timer that is late by more than this: our process stood still (frozen, starved of CPU), not the receiver. */
const stoodStillMs = 1_000;

/**
 * Keeps no connection and, unlike the global agent, takes no proxy from the environment. It resumes no TLS session: a
 * resumed one shows no certificate, so one that has expired would go unseen until the receiver's ticket ends (D208).
 */
const unpooled = new https.Agent({
  keepAlive: false,
  maxCachedSessions: 0,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
});

/** Making a context parses every root certificate (milliseconds), so each set of trusted certificates is made once. */
const secureContexts = new Map<string | undefined, tls.SecureContext>();

function secureContext(caPem: string | undefined): tls.SecureContext {
  const made = secureContexts.get(caPem);
  if (made) return made;
  const context = tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ...(caPem ? [caPem] : [])], minVersion: 'TLSv1.2' });
  secureContexts.set(caPem, context);
  return context;
}

const reasonOfRefusal: Record<Refusal['kind'], FailureReason> = {
  not_https: 'not_https',
  invalid: 'blocked',
  blocked: 'blocked',
  unresolvable: 'dns',
};

/** Judges the url again and posts the bytes; never rejects for anything that a url or a receiver can do. */
export async function attempt(request: AttemptRequest): Promise<Outcome> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const verdict = await checkUrl(request.url, request.options);
  if (!verdict.ok) return { kind: 'failed', reason: reasonOfRefusal[verdict.kind], durationMs: elapsedMs() };
  return new Exchange(verdict.target, request, elapsedMs).outcome;
}

/** One request and the two timers over it. It settles once, when its connection is gone. */
class Exchange {
  readonly outcome: Promise<Outcome>;
  #found: Outcome | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The last 1xx status; it is all there is when the receiver closes after it. */
  #interim = 0;
  #secured = false;
  readonly #elapsedMs: () => number;

  constructor(target: Target, { headers, body, options }: AttemptRequest, elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
    const request = https.request(requestOptions(target, { headers, body, options }));
    this.#startTimer(request, options.connectTimeoutMs - elapsedMs());
    request.once('socket', (socket) =>
      socket.once('secureConnect', () => {
        this.#secured = true;
        this.#startTimer(request, options.responseTimeoutMs);
      }),
    );
    request.on('information', ({ statusCode }) => {
      this.#interim = statusCode;
    });
    // Without a listener Node would report a reset; the receiver did answer, and no 1xx is a success.
    request.once('upgrade', (response, socket) => {
      this.#answered(response.statusCode!);
      socket.destroy();
    });
    request.once('response', (response) => {
      this.#answered(response.statusCode!);
      drain(response, () => request.destroy());
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const reason = reasonOf(error, this.#secured);
      // The receiver's whole answer was a 1xx: that is its status, and final (Delivery 2).
      if (reason === 'reset' && this.#interim > 0) this.#answered(this.#interim);
      else this.#missed(reason);
    });
    this.outcome = new Promise((resolve) => {
      request.once('close', () => {
        clearTimeout(this.#timer);
        this.#missed('reset');
        resolve(this.#found!);
      });
    });
    request.end(body);
  }

  /**
   * What the receiver did while we stood still has not been read yet, so it gets that time once more: a
   * failure of ours spends none of its attempts (D150).
   */
  #startTimer(request: { destroy(): unknown }, ms: number, again = false): void {
    clearTimeout(this.#timer);
    const startedAt = performance.now();
    this.#timer = setTimeout(
      () => {
        if (!again && performance.now() - startedAt > Math.max(ms, 0) + stoodStillMs) return this.#startTimer(request, ms, true);
        this.#missed('timeout');
        request.destroy();
      },
      Math.max(ms, 0),
    );
  }

  /** The first word stands: an error after the head changes nothing, as the status alone decides (D152). */
  #answered(status: number): void {
    this.#found ??= { kind: 'response', status, durationMs: this.#elapsedMs() };
  }

  #missed(reason: FailureReason): void {
    this.#found ??= { kind: 'failed', reason, durationMs: this.#elapsedMs() };
  }
}

function requestOptions(target: Target, { headers, body, options }: Omit<AttemptRequest, 'url'>): RequestOptions {
  return {
    method: 'POST',
    host: target.host,
    port: target.port,
    path: `${target.url.pathname}${target.url.search}`,
    headers: { ...headers, Host: hostHeader(target), 'Content-Length': body.byteLength },
    agent: unpooled,
    // An address literal never reaches lookup; a name only ever gets what the guard let through.
    lookup: pinnedLookup(target.addresses),
    servername: isIP(target.host) ? '' : target.host,
    secureContext: secureContext(options.caPem),
    rejectUnauthorized: true,
    maxHeaderSize: headBytesMax,
    insecureHTTPParser: false,
  };
}

type RequestOptions = https.RequestOptions & Pick<tls.ConnectionOptions, 'secureContext'>;

function drain(response: IncomingMessage, stop: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes >= bodyBytesMax) stop();
  });
  // A body that breaks off is nothing to us: the status has been read.
  response.on('error', stop);
}

function pinnedLookup(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, answer) => {
    if (options.all) answer(null, answers);
    else answer(null, answers[0]!.address, answers[0]!.family);
  };
}

function hostHeader({ host, port }: Target): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return port === 443 ? name : `${name}:${port}`;
}

const reasonOfCode: Record<string, FailureReason> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

/** A response that is no HTTP, or whose head is too long, broke off for us: a reset. */
function reasonOf(error: NodeJS.ErrnoException & { errors?: unknown }, secured: boolean): FailureReason {
  // Several addresses were tried: Node gathers their errors, and the last one tried speaks for all.
  const last = Array.isArray(error.errors) ? (error.errors.at(-1) as NodeJS.ErrnoException) : error;
  return reasonOfCode[last.code ?? ''] ?? (secured ? 'reset' : 'tls');
}
