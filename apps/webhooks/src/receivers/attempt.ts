/**
 * One POST on a new or kept connection, to an address that the guard has checked for this attempt. Node's `timeout` is an idle timeout,
 * which a receiver can extend byte by byte; the two timers here are not extended. Of the answer only the status is kept.
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
/** Read so that a normal receiver can finish its answer; the rest is not needed. */
const bodyBytesMax = 64 * 1024;
/** How long one of several addresses is tried before the next is tried in parallel. */
const nextAddressAfterMs = 1_000;

/** A timer that is late by more than this shows that our process was paused (frozen, without CPU), not the receiver. */
const pausedMs = 1_000;

/** A context parses every root certificate (milliseconds), so one is created per set of trusted certificates. */
const secureContexts = new Map<string | undefined, tls.SecureContext>();

function secureContext(caPem: string | undefined): tls.SecureContext {
  const known = secureContexts.get(caPem);
  if (known) return known;
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

/** Checks the url again and posts the bytes; never rejects because of a url or a receiver. */
export async function attempt(request: AttemptRequest): Promise<Outcome> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const verdict = await checkUrl(request.url, request.options);
  if (!verdict.ok) return { kind: 'failed', reason: reasonOfRefusal[verdict.kind], durationMs: elapsedMs() };
  return new Exchange(verdict.target, request, elapsedMs).outcome;
}

/** One request with its two timers. It settles once, when its connection is closed. */
class Exchange {
  readonly outcome: Promise<Outcome>;
  #found: Outcome | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The last 1xx status: the only status when the receiver closes after it. */
  #interim = 0;
  #secured = false;
  readonly #elapsedMs: () => number;

  constructor(target: Target, { url, headers, body, options, kept }: AttemptRequest, elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
    const open = kept?.take(url, target.addresses);
    const socket = open ?? connect(target, options);
    const request = https.request(requestOptions(target, { headers, body, keeps: kept !== undefined }, socket));
    this.#secured = open !== undefined;
    this.#startTimer(request, open ? options.responseTimeoutMs : options.connectTimeoutMs - elapsedMs());
    if (!open)
      socket.once('secureConnect', () => {
        kept?.opened(socket);
        this.#secured = true;
        this.#startTimer(request, options.responseTimeoutMs);
      });
    request.on('information', ({ statusCode }) => {
      this.#interim = statusCode;
    });
    // Without a listener Node would report a reset; the receiver did answer, and a 1xx is no success.
    request.once('upgrade', (response, socket) => {
      this.#answered(response.statusCode!);
      socket.destroy();
    });
    request.once('response', (response) => {
      this.#answered(response.statusCode!);
      drain(response, () => request.destroy());
      // Emitted once the whole answer was read, unless either side wants the connection closed.
      socket.once('free', () => kept?.keep(url, socket, String(response.headers['keep-alive'] ?? '')));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const reason = reasonOf(error, this.#secured);
      // The receiver's whole answer was a 1xx: that is its final status (Delivery 2).
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
   * What the receiver sent while we were paused has not been read yet, so it gets that time once more: a
   * failure on our side spends none of its attempts (D150).
   */
  #startTimer(request: { destroy(): unknown }, ms: number, again = false): void {
    clearTimeout(this.#timer);
    const startedAt = performance.now();
    this.#timer = setTimeout(
      () => {
        if (!again && performance.now() - startedAt > Math.max(ms, 0) + pausedMs) return this.#startTimer(request, ms, true);
        this.#missed('timeout');
        request.destroy();
      },
      Math.max(ms, 0),
    );
  }

  /** The first result is final: an error after the headers changes nothing, as the status alone decides (D152). */
  #answered(status: number): void {
    this.#found ??= { kind: 'response', status, durationMs: this.#elapsedMs() };
  }

  #missed(reason: FailureReason): void {
    this.#found ??= { kind: 'failed', reason, durationMs: this.#elapsedMs() };
  }
}

/**
 * A new connection, without the agents of Node: those use proxies of the environment. No TLS session is resumed: a resumed one
 * shows no certificate, so an expiry would stay unnoticed until the receiver's ticket expires (D208).
 */
function connect(target: Target, { caPem }: AttemptRequest['options']): tls.TLSSocket {
  return tls.connect({
    host: target.host,
    port: target.port,
    // An address literal is not looked up; a name gets only the addresses that the guard checked.
    lookup: pinnedLookup(target.addresses),
    servername: isIP(target.host) ? '' : target.host,
    secureContext: secureContext(caPem),
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
  } as tls.ConnectionOptions);
}

interface Sent extends Pick<AttemptRequest, 'headers' | 'body'> {
  /** The connection may be kept. */
  keeps: boolean;
}

function requestOptions(target: Target, { headers, body, keeps }: Sent, socket: tls.TLSSocket): https.RequestOptions {
  return {
    method: 'POST',
    path: `${target.url.pathname}${target.url.search}`,
    headers: { ...headers, Host: hostHeader(target), 'Content-Length': body.byteLength, Connection: keeps ? 'keep-alive' : 'close' },
    createConnection: () => socket,
    maxHeaderSize: headBytesMax,
    insecureHTTPParser: false,
  };
}

function drain(response: IncomingMessage, stop: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes >= bodyBytesMax) stop();
  });
  // A body that breaks off is ignored: the status has been read.
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

/** An answer that is not HTTP, or whose headers are too long, counts as a reset. */
function reasonOf(error: NodeJS.ErrnoException & { errors?: unknown }, secured: boolean): FailureReason {
  // Several addresses were tried: Node collects their errors, and the last one is used.
  const last = Array.isArray(error.errors) ? (error.errors.at(-1) as NodeJS.ErrnoException) : error;
  return reasonOfCode[last.code ?? ''] ?? (secured ? 'reset' : 'tls');
}
