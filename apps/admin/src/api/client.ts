/** Calls the staff's operations by name; types and paths are generated from their OpenAPI document. */
import { t } from '../language/t.ts';
import { isInUse } from './activity.ts';
import type { Operations } from './gen/api.js';
import { operations } from './gen/operations.js';
import { askPassword, passwordWanted } from './password-wanted.ts';
import { ApiProblem, problemFrom } from './problem.ts';
import { reach } from './reach.ts';
import { session } from './session.ts';
import { versions } from './versions.ts';

export type OperationName = keyof Operations;
export type Answer<Name extends OperationName> = Operations[Name]['answer'];
/** What an operation takes: `params` of the path, `query`, `body`. */
export type Input<Name extends OperationName> = Omit<Operations[Name], 'status' | 'answer'>;

interface Parts {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

interface CallOptions {
  signal?: AbortSignal;
  /** The same text for every attempt at one write, so that it takes effect once: every write that takes a key has one. */
  idempotencyKey?: string;
  /** Everything is judged and answered, and nothing is stored. */
  dryRun?: boolean;
  /** The version that the record must still have. */
  version?: string;
}

const secondFactorDemanded = 'Second factor required';
const base = '/api/v1';

export async function call<Name extends OperationName>(name: Name, input: Input<Name>, options: CallOptions = {}): Promise<Answer<Name>> {
  const { method, path, idempotencyKey: takesKey } = operations[name];
  const { params, query, body } = input as Parts;
  const isKeyed = takesKey && !options.dryRun;
  // A key made here would be another one for each attempt.
  if (isKeyed && options.idempotencyKey === undefined) throw new Error(`Idempotency-Key missing: ${name}`);
  const headers = new Headers();
  const before = session.get();
  if (before && method !== 'GET') headers.set('X-CSRF-Token', before.csrfToken);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (isKeyed) headers.set('Idempotency-Key', options.idempotencyKey!);
  if (options.version !== undefined) headers.set('If-Match', options.version);
  if (!isInUse()) headers.set('X-Background', 'true');
  const address = pathOf(path, params);
  const { response, text } = await send(`${base}${address}${queryOf(options.dryRun ? { ...query, dry_run: true } : query)}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: options.signal,
    credentials: 'same-origin',
  });
  const answer = jsonOf(response, text);
  if (response.ok) {
    versions.note(address, response.headers.get('etag'), answer);
    return answer as Answer<Name>;
  }
  // A sign-in that is refused says so itself; any other 401 means that the session is over.
  if (response.status === 401 && name !== 'createStaffSession') {
    const now = session.get();
    if (now?.csrfToken === before?.csrfToken) session.lapse();
    // It is of the session before: its person has signed in again meanwhile.
    else if (method === 'GET' && now?.user.id === before?.user.id) return call(name, input, options);
  }
  const problem = problemFrom(response.status, answer, response.headers);
  if (problem.message === passwordWanted && (await askPassword())) return call(name, input, options);
  if (problem.message === secondFactorDemanded) session.learn({ lacksSecondFactor: true });
  throw problem;
}

/** Longer than the store takes for any answer. */
const answerWithinMs = 45_000;

/** The whole answer: one that breaks off is none, whatever it began with. */
async function send(url: string, { signal, ...init }: RequestInit): Promise<{ response: Response; text: string }> {
  // Safari has AbortSignal.any since 17.4.
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, answerWithinMs);
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    const response = await fetch(url, { ...init, signal: over.signal });
    const text = await response.text();
    reach.note(false);
    return { response, text };
  } catch (error) {
    if (signal?.aborted) throw error;
    reach.note(true);
    throw new ApiProblem(0, t('The store could not be reached. Check the connection and try again.'));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function jsonOf({ ok, status }: Response, text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    // What is no JSON is not the store's: whether it has acted is not known.
    throw new ApiProblem(ok ? 0 : status, t('The server answered {status} with something that is not JSON.', { status }));
  }
}

function pathOf(path: string, params: Parts['params'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
}

function queryOf(query: Parts['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
