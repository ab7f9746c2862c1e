/** The installation that is tried: one request at a time, bounded in number and time, and no faster than it allows. */

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
  // biome-ignore lint/suspicious/noExplicitAny: a check reads bodies as a client does, without types.
  body: any;
}

/** The run cannot go on: its bounds are used up, or the installation does not answer. */
export class Stop extends Error {}

export interface SiteOptions {
  baseUrl: string;
  key: string;
  callsMax: number;
  secondsMax: number;
  /** Waits for the rate limit. */
  wait: (seconds: number) => Promise<void>;
  now: () => number;
}

const answerWithinMs = 60_000;
const retryAfterDefault = 5;
const unreachableMax = 3;

export class Site {
  calls = 0;
  /** The last answer, for the report of a failure. */
  last: Answer | undefined;
  readonly #options: SiteOptions;
  readonly #startedAt: number;
  #unreachable = 0;
  #bounded = true;

  constructor(options: SiteOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  get key(): string {
    return this.#options.key;
  }

  async send(method: string, path: string, request: Request = {}): Promise<Answer> {
    for (;;) {
      const answer = await this.#attempt(method, path, request);
      this.last = answer;
      if (answer.status !== 429 || request.takes429) return answer;
      await this.#options.wait(Number(answer.headers.get('retry-after') ?? retryAfterDefault) || retryAfterDefault);
    }
  }

  /** Time that has passed, in milliseconds. */
  elapsedMs(): number {
    return this.#options.now() - this.#startedAt;
  }

  async #attempt(method: string, path: string, request: Request): Promise<Answer> {
    this.#boundsHold();
    this.calls += 1;
    try {
      const response = await fetch(this.#options.baseUrl + path, {
        method,
        headers: this.#headersOf(request),
        body: sentBody(request),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs),
      });
      const text = await response.text();
      this.#unreachable = 0;
      return { method, path, status: response.status, headers: response.headers, text, body: parsed(text) };
    } catch (error) {
      const cause = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
      this.#unreachable += 1;
      if (this.#unreachable >= unreachableMax) throw new Stop(`${this.#options.baseUrl} does not answer (${cause})`);
      throw new Error(`${method} ${path} had no answer (${cause})`, { cause: error });
    }
  }

  /** What was made is removed even when the bounds are used up. */
  endBounds(): void {
    this.#bounded = false;
  }

  #boundsHold(): void {
    if (!this.#bounded) return;
    if (this.calls >= this.#options.callsMax) throw new Stop(`the limit of ${this.#options.callsMax} requests is used up (--max-calls)`);
    if (this.elapsedMs() >= this.#options.secondsMax * 1_000) {
      throw new Stop(`the limit of ${this.#options.secondsMax} seconds is used up (--max-seconds)`);
    }
  }

  #headersOf({ key, token, body, raw, headers }: Request): Record<string, string> {
    const sentKey = token === undefined && key === undefined ? this.key : key;
    return {
      ...(sentKey != null && { 'X-API-Key': sentKey }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...((body !== undefined || raw !== undefined) && { 'Content-Type': 'application/json' }),
      ...headers,
    };
  }
}

const sentBody = ({ raw, body }: Request) => raw ?? (body === undefined ? undefined : JSON.stringify(body));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
