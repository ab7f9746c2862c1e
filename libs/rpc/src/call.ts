/** The type of a verb, by the name of its rpc: its input and its possible answers. */
import type { Caller } from './caller.ts';

export interface Call {
  caller: Caller;
  /** The caller's deadline, in milliseconds since the epoch. */
  deadlineMs: number;
  /** Full path of the rpc, such as /store.catalog.v1.Catalog/CreateBrand. */
  rpc: string;
}

/** An answer with more than its message: its own status, headers, or encoded bytes. */
export class Reply<Message> {
  readonly message: Message | undefined;
  readonly options: ReplyOptions;
  constructor(message: Message | undefined, options: ReplyOptions) {
    this.message = message;
    this.options = options;
  }
}

export interface ReplyOptions {
  /** HTTP status; the endpoint's own when absent. */
  status?: number;
  headers?: Record<string, string>;
  /** Set-Cookie headers; only for verbs that the gateway answers itself. */
  cookies?: string[];
  /** The encoded message, when an earlier answer is replayed. */
  bytes?: Uint8Array;
  /** Of a server-streaming rpc, whose message is the head: later messages, which fill its one repeated field (D186). */
  rest?: Iterable<object> | AsyncIterable<object>;
}

export type Verbs<Definition> = {
  [Rpc in keyof Definition as Definition[Rpc] extends LooseMethod ? Rpc : never]: Definition[Rpc] extends {
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseSerialize: (value: infer Response) => Buffer;
  }
    ? (request: Request, call: Call) => Promise<Response | Reply<Response>>
    : never;
};

/** One verb of a service with the app's context, typed from the generated definition. */
export type VerbOf<App, Definition, Rpc extends keyof Definition> = Definition[Rpc] extends {
  requestDeserialize: (bytes: Buffer) => infer Request;
  responseSerialize: (value: infer Response) => Buffer;
}
  ? (app: App, request: Request, call: Call) => Promise<Response | Reply<Response>>
  : never;

/** The verbs of a service by rpc name; each receives the app's context first. */
export type VerbTable<App, Definition> = {
  readonly [Rpc in keyof Definition as Definition[Rpc] extends LooseMethod ? Rpc : never]: VerbOf<App, Definition, Rpc>;
};

/** A table of verbs of any service of that context. */
export type AnyVerbs<App> = Readonly<Record<string, (app: App, request: never, call: never) => Promise<unknown>>>;

type Bound<Table> = {
  [Rpc in keyof Table]: Table[Rpc] extends (app: never, ...rest: infer Rest) => infer Answer ? (...rest: Rest) => Answer : never;
};

/** The verbs with their context, to be called with request and call alone. */
export function bindVerbs<App, Table extends AnyVerbs<App>>(table: Table, app: App): Bound<Table> {
  const bound = Object.entries(table).map(([rpc, verb]) => [rpc, (request: never, call: never) => verb(app, request, call)]);
  return Object.fromEntries(bound) as Bound<Table>;
}

interface LooseMethod {
  path: string;
}

export interface RpcLog {
  error(fields: object, message: string): void;
}
