import { operations } from '../gen/operations.js';
import { StoreApiError, StoreConnectionError } from './errors.js';

const firstWaitMs = 500;
const longestWaitMs = 30_000;

/** Answers of a moment: a repetition may be answered otherwise. */
const passing = new Set([429, 500, 502, 503, 504]);

export async function send(client, operation, options = {}) {
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!known) throw new TypeError(`${String(operation)} is no operation of the API`);
  const request = requestOf(client, operation, known, options);
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOf(client, operation, request, options.signal);
    if (outcome.answer) return outcome.answer;
    const isLast = attempt >= (options.attempts ?? client.attempts);
    if (isLast || !mayRepeat(request, outcome.error)) throw outcome.error;
    await client.wait(waitMs(outcome.error, attempt), options.signal);
  }
}

function requestOf(client, operation, { method, path, idempotencyKey }, { params = {}, query = {}, body, ...options }) {
  const url = new URL(client.baseUrl + filled(operation, path, params));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  if (options.dryRun) url.searchParams.set('dry_run', 'true');
  const key = idempotencyKey ? (options.idempotencyKey ?? globalThis.crypto.randomUUID()) : undefined;
  const headers = {
    'X-API-Key': client.key,
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...((options.strict ?? client.strict) && { Prefer: 'handling=strict' }),
    ...(options.requestId !== undefined && { 'X-Request-Id': options.requestId }),
  };
  const isSafe = method === 'GET' || key !== undefined;
  return { method, url, headers, body: body === undefined ? undefined : JSON.stringify(body), isSafe };
}

function filled(operation, path, params) {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name) => {
    const value = params[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${operation} needs the parameter ${name}`);
    return encodeURIComponent(String(value));
  });
}

/** What the client's caller aborts is thrown as it is. */
async function attemptOf(client, operation, { method, url, headers, body }, signal) {
  signal?.throwIfAborted();
  const limit = AbortSignal.timeout(client.timeoutMs);
  try {
    const both = signal ? AbortSignal.any([signal, limit]) : limit;
    const response = await client.fetch(url, { method, headers, body, signal: both, redirect: 'error' });
    const text = await response.text();
    if (response.ok) return { answer: { ...parsed(text), status: response.status, headers: response.headers } };
    return { error: errorOf(operation, response, parsed(text)) };
  } catch (error) {
    signal?.throwIfAborted();
    return { error: new StoreConnectionError(operation, error) };
  }
}

function errorOf(operation, { status, headers }, body) {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new StoreApiError({
    operation,
    status,
    code: headers.get('x-error-code') ?? 'unknown',
    requestId: headers.get('x-request-id') ?? undefined,
    body,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  });
}

/** A proxy before the API, such as a load balancer, may answer without JSON. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A write is sent again only under an Idempotency-Key, except where it was refused before anything was done. */
function mayRepeat({ isSafe }, error) {
  if (error instanceof StoreConnectionError) return isSafe;
  if (error.status === 429) return true;
  return isSafe && (passing.has(error.status) || isAtWork(error));
}

/** The first request under this Idempotency-Key has not ended. */
const isAtWork = ({ status, body }) => status === 409 && body?.details === 'Idempotency-Key is in use';

/** Retry-After as the API says it; otherwise twice as long each time, shortened at random so that clients spread. */
export function waitMs(error, attempt, random = Math.random) {
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  const most = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs);
  return most / 2 + (random() * most) / 2;
}
