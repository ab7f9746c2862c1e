import type { ErrorCode, Operations, Schemas } from '../gen/api.js';

export { type ReceivedHeaders, type VerifyService, type VerifyStandard, verifySignature } from '@store/verify';
export { operations } from '../gen/operations.js';
export type { ErrorCode, Operations, Schemas };

export type OperationName = keyof Operations;

/** Operations that answer a list, with pages or whole. */
export type ListName = {
  [Name in OperationName]: Operations[Name]['answer'] extends { data: unknown[] } ? Name : never;
}[OperationName];

/** One row of a list. */
export type RowOf<Name extends ListName> = Operations[Name]['answer'] extends { data: Array<infer Row> } ? Row : never;

/** The body of a webhook; `event` tells its kind, `webhook.test` among them. */
export type WebhookBody = {
  [Name in keyof Schemas]: Name extends 'Event' ? never : Name extends `${string}Event` ? Schemas[Name] : never;
}[keyof Schemas];

/** An event of the log; `event` tells its kind. Handle a kind that you do not know: others may be added within v1. */
export type Event = Exclude<WebhookBody, { event: 'webhook.test' }> & Pick<Schemas['Event'], 'sequence'>;

/** What `bulkUpsert` did, over all its requests. */
export type Upserted = Operations['bulkUpsert']['answer']['data'];

interface Sending {
  /** Sent as Idempotency-Key; a POST or PATCH has a random one otherwise, so that it can be repeated. */
  idempotencyKey?: string;
  /** Sent as X-Request-Id: 8 to 128 letters, digits, dots, dashes and underscores. */
  requestId?: string;
  /** Unknown parameters and fields are refused; the client's setting otherwise. */
  strict?: boolean;
  /** Tries the request and keeps nothing of it. */
  dryRun?: boolean;
  /** Attempts in all; the client's setting otherwise. */
  attempts?: number;
  signal?: AbortSignal;
}

/** What an operation is called with: what its path, query and body take. */
export type OptionsOf<Name extends OperationName> = Sending &
  Pick<Operations[Name], Extract<keyof Operations[Name], 'params' | 'query' | 'body'>>;

/** The body of the answer, with its status and headers. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'] & { status: Operations[Name]['status']; headers: Headers };

/** May be left out where nothing in it is required. */
type Arguments<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

export interface ClientSettings {
  /** Such as https://shop.example.com, with or without /api/v1. */
  baseUrl: string;
  /** The API key. Keep it on a server. */
  key: string;
  /** Attempts in all, the first one included (4). */
  attempts?: number;
  /** How long one attempt may take (60,000). */
  timeoutMs?: number;
  /** Refuses unknown parameters and fields: Prefer: handling=strict (false). */
  strict?: boolean;
  /** For tests and proxies. */
  fetch?: typeof globalThis.fetch;
  /** For tests: waits between attempts and polls. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

export interface FollowOptions {
  /** Only these events. */
  types?: string[];
  /** Wait between looks at the end of the log (5,000). */
  pollMs?: number;
  /** Ends it: the iteration throws the signal's reason. */
  signal?: AbortSignal;
}

export class StoreClient {
  constructor(settings: ClientSettings);
  /** One operation, by its operationId. Repeats it where that is safe; throws a StoreApiError or a StoreConnectionError. */
  call<Name extends OperationName>(operation: Name, ...options: Arguments<OptionsOf<Name>>): Promise<AnswerOf<Name>>;
  /** Every page of a list, by its cursors: 100 rows each unless per_page says otherwise. Rows that are there all along come once, however the list changes. */
  pages<Name extends ListName>(operation: Name, ...options: Arguments<OptionsOf<Name>>): AsyncGenerator<AnswerOf<Name>, void, void>;
  /** Every row of a list. Products, customers and suppliers as they were created, other lists newest first. */
  rows<Name extends ListName>(operation: Name, ...options: Arguments<OptionsOf<Name>>): AsyncGenerator<RowOf<Name>, void, void>;
  /**
   * Any number of products, 1,000 to a request, one after the other; the counts are summed. Rows that fail are in `errors`, whose
   * `index` counts over all rows. Each request has idempotencyKey and the number of its first row: key-0, key-1000.
   */
  bulkUpsert(rows: Iterable<Schemas['ProductRow']> | AsyncIterable<Schemas['ProductRow']>, options?: Sending): Promise<Upserted>;
  readonly events: {
    /**
     * The events after that sequence number, each once, in order, without end; undefined begins at the end of the log. Store the
     * sequence of an event once you have handled it, and begin there the next time. The log keeps 30 days.
     */
    follow(after?: number, options?: FollowOptions): AsyncGenerator<Event, void, void>;
    /** Number of the newest event; 0 if there is none. */
    latest(options?: { signal?: AbortSignal }): Promise<number>;
  };
}

/** Any answer of the API but a success. */
export class StoreApiError extends Error {
  readonly operation: OperationName;
  readonly status: number;
  /** X-Error-Code. */
  readonly code: ErrorCode;
  /** Quote it to support. */
  readonly requestId: string | undefined;
  /** The parsed body; undefined when it was no JSON. */
  readonly body: Record<string, unknown> | undefined;
  /** Messages of a 422: by field, or a list. */
  readonly errors: unknown;
  /** Of a 429. */
  readonly retryAfterSeconds: number | undefined;
}

/** No answer came. Whether a write without an Idempotency-Key was done is not known. */
export class StoreConnectionError extends Error {
  readonly operation: OperationName;
}

/** Whether it is an answer of the API with one of these codes; without codes, any. */
export function isStoreError(error: unknown, ...codes: ErrorCode[]): error is StoreApiError;
