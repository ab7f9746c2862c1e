/** HTTP as all tests send it: node:http with kept connections, as fetch takes twice the processor time, which the processes under test need. */
import http from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface Request {
  key?: string | undefined;
  /** A staff session's token. */
  token?: string | undefined;
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
  /** After that the client gives up. */
  withinMs?: number;
}

export interface Answer {
  /** 0: the connection failed, or the answer did not arrive whole and in time. */
  status: number;
  text: string;
  /** The parsed JSON body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies as a client does, without types.
  body: any;
  headers: Headers;
  ms: number;
  /** Why there is no answer. */
  lost?: string;
}

/** An idle connection is closed here before its server closes it: a request that meets that is lost. */
const agent = new http.Agent({ keepAlive: true, timeout: 2_000 });

export function send(method: string, url: string, request: Request = {}): Promise<Answer> {
  const { key, token, body, idempotencyKey, withinMs, raw = body === undefined ? undefined : JSON.stringify(body) } = request;
  const headers = {
    // A session is listed by it.
    'User-Agent': 'node',
    ...(key !== undefined && { 'X-API-Key': key }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(raw !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(raw)) }),
    ...request.headers,
  };
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const answer = (status: number, text: string, response?: http.IncomingMessage, lost?: string) => {
      clearTimeout(timer);
      const ms = performance.now() - startedAtMs;
      // Read by those who ask for them: a load does not.
      resolve({
        ...{ status, text, ms, ...(lost !== undefined && { lost }) },
        get body() {
          return text === '' ? undefined : JSON.parse(text);
        },
        get headers() {
          return headersOf(response?.rawHeaders ?? []);
        },
      });
    };
    const lose = (error: NodeJS.ErrnoException) => answer(0, '', undefined, error.code ?? error.message);
    const sent = http.request(url, { agent, method, headers }, (response) => {
      textOf(response).then((text) => answer(response.statusCode!, text, response), lose);
    });
    sent.once('error', lose);
    if (withinMs !== undefined) timer = setTimeout(() => sent.destroy(Object.assign(new Error(), { code: 'late' })), withinMs);
    sent.end(raw);
  });
}

export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300;

/** The body of an answer that must be a success. */
export async function succeed(method: string, url: string, request?: Request): Promise<Answer['body']> {
  const { status, text, lost, body } = await send(method, url, request);
  if (!isSuccess({ status })) throw new Error(`${method} ${url}: ${lost ?? status} ${text}`);
  return body;
}

function headersOf(raw: string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at]!, raw[at + 1]!);
  return headers;
}
