/** The installation that is tried: one request at a time, bounded in number, and no faster than it allows. */
import { Failure, Skip, Stop, same } from './rule.ts';

export interface Request {
  /** Undefined: the run's key. null: none. */
  key?: string | null;
  /** Token of a staff session; such a request has no key. */
  token?: string;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string;
  headers?: Record<string, string>;
  /** A 429 is an answer like any other; otherwise it is waited out and the request is made again. */
  takes429?: boolean;
}

export interface Answer {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads bodies as a client does, without types.
  body: any;
}

export interface SiteOptions {
  /** With /api/v1. */
  baseUrl: string;
  key: string;
  staff?: { email: string; password: string };
  callsMax: number;
  /** Waits for the rate limit. */
  wait: (seconds: number) => Promise<void>;
}

const answerWithinMs = 60_000;
const retryAfterDefault = 5;
const unreachableMax = 3;

export class Site {
  calls = 0;
  /** The last answer, for the report of a failure. */
  last: Answer | undefined;
  /** What GET /key says of the run's key. */
  own: { name: string; scopes: string[]; test_mode: boolean } = { name: '', scopes: [], test_mode: false };
  readonly options: SiteOptions;
  readonly #startedAt = performance.now();
  readonly #read = new Map<string, Promise<Answer>>();
  readonly #keys = new Map<string, Promise<{ id: number; key: string }>>();
  readonly #keyIds: number[] = [];
  #token: string | undefined;
  #unreachable = 0;
  #bounded = true;

  constructor(options: SiteOptions) {
    this.options = options;
  }

  /** Looks the key up, and logs staff in. */
  async open(): Promise<void> {
    const answer = await this.send('GET', '/key');
    if (!Array.isArray(answer.body?.data?.scopes))
      throw new Stop(`GET /key answered ${answer.status} ${answer.text}: is it the right address and key?`);
    this.own = answer.body.data;
    if (!this.options.staff) return;
    const login = await this.send('POST', '/staff_sessions', { key: null, body: this.options.staff });
    if (login.status !== 201) throw new Stop(`the staff login was refused: ${login.status} ${login.text}`);
    this.#token = login.body.token;
  }

  async send(method: string, path: string, request: Request = {}): Promise<Answer> {
    for (;;) {
      const answer = await this.#attempt(method, path, request);
      this.last = answer;
      if (answer.status !== 429 || request.takes429) return answer;
      await this.options.wait(Number(answer.headers.get('retry-after')) || retryAfterDefault);
    }
  }

  /** One request for all rules that look at the same answer, which must be a success. */
  async get(path: string): Promise<Answer> {
    const known = this.#read.get(path) ?? this.send('GET', path);
    this.#read.set(path, known);
    const answer = await known;
    this.last = answer;
    if (answer.body?.code === 'feature_not_enabled') throw new Skip(`the store's plan lacks the feature: ${answer.body.error}`);
    same(`the status of GET ${path}`, answer.status, 200);
    return answer;
  }

  staff(method: string, path: string, request: Request = {}): Promise<Answer> {
    return this.send(method, path, { token: this.#token!, ...request });
  }

  /** A key of these fields is made once and revoked at the end; `alone`: shared with no other rule. */
  madeKey(fields: object, alone = false): Promise<{ id: number; key: string }> {
    const name = JSON.stringify(fields);
    const key = (!alone && this.#keys.get(name)) || this.#newKey(fields);
    if (!alone) this.#keys.set(name, key);
    return key;
  }

  async #newKey(fields: object): Promise<{ id: number; key: string }> {
    const answer = await this.staff('POST', '/api_keys', { body: { api_key: { name: 'Conformance', rate_limit: 1_000, ...fields } } });
    if (answer.status !== 201) throw new Failure(`staff could not make a key: ${answer.status} ${answer.text}`);
    const { id } = answer.body.api_key;
    this.#keyIds.push(id);
    return { id, key: answer.body.key };
  }

  revoke(id: number): Promise<Answer> {
    return this.staff('DELETE', `/api_keys/${id}`);
  }

  /** Revokes the keys of the run, even where its bounds are used up; returns those that could not be revoked. */
  async close(): Promise<string[]> {
    this.#bounded = false;
    const left: string[] = [];
    for (const id of this.#keyIds) {
      const said = await this.revoke(id).catch((error: Error) => ({ status: 0, text: error.message }));
      if (![200, 404].includes(said.status)) left.push(`key ${id}: ${said.text}`);
    }
    if (this.#token && left.length === 0) await this.staff('DELETE', '/staff_sessions/current');
    return left;
  }

  elapsedSeconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  async #attempt(method: string, path: string, { key, token, body, raw, headers }: Request): Promise<Answer> {
    const { callsMax } = this.options;
    if (this.#bounded && this.calls >= callsMax) throw new Stop(`the limit of ${callsMax} requests is used up (--max-calls)`);
    this.calls += 1;
    const sentKey = token === undefined && key === undefined ? this.options.key : key;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    try {
      const response = await fetch(this.options.baseUrl + path, {
        method,
        headers: {
          ...(sentKey != null && { 'X-API-Key': sentKey }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(sent !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: sent,
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs),
      });
      const text = await response.text();
      this.#unreachable = 0;
      return { method, path, status: response.status, headers: response.headers, text, body: parsed(text) };
    } catch (error) {
      const cause = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
      this.#unreachable += 1;
      if (this.#unreachable >= unreachableMax) throw new Stop(`${this.options.baseUrl} does not answer (${cause})`);
      throw new Failure(`${method} ${path} had no answer (${cause})`);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
