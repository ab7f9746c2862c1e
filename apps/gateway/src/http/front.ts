/**
 * Which handler answers a request: exact paths, mounted prefixes, and steps that look at every request, in the order in which they
 * were added. The paths are few and fixed; those of the API are matched by Routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf } from './forwarded.ts';

export interface Request extends IncomingMessage {
  /** Path and query; relative to its prefix inside a mounted handler. */
  url: string;
  method: string;
  /** Path and query as the client sent them. */
  originalUrl: string;
  /** The client's address, as the trusted proxies say. */
  ip: string;
  /** Number of proxies in front of the gateway whose forwarding headers are trusted. */
  trustedProxies: number;
}

export type Response = ServerResponse;
export type Next = (error?: unknown) => void;
/** Answers, or calls `next`; a rejection is an error. */
export type Handler = (request: Request, response: Response, next: Next) => unknown;

interface Layer {
  /** The path and query that the handler sees; undefined: the request is not for it. */
  targetOf(request: Request, path: string): string | undefined;
  handler: Handler;
}

export class Front {
  readonly #layers: Layer[] = [];

  readonly #trustedProxies: number;
  readonly #refuse: (error: unknown, request: Request, response: Response) => void;

  /** `refuse` answers a request whose handler failed. */
  constructor(trustedProxies: number, refuse: (error: unknown, request: Request, response: Response) => void) {
    this.#trustedProxies = trustedProxies;
    this.#refuse = refuse;
  }

  /** Looks at every request. */
  use(handler: Handler): void {
    this.#layers.push({ targetOf: ({ url }) => url, handler });
  }

  /** GET and HEAD of one path; another method of it goes on. */
  get(own: string, handler: Handler): void {
    const targetOf = ({ method, url }: Request, path: string) =>
      path === own && (method === 'GET' || method === 'HEAD') ? url : undefined;
    this.#layers.push({ targetOf, handler });
  }

  /** Every method of the path and of those below it. */
  mount(prefix: string, handler: Handler): void {
    const targetOf = ({ url }: Request, path: string) =>
      path === prefix || path.startsWith(`${prefix}/`) ? below(prefix, withoutHost(url)) : undefined;
    this.#layers.push({ targetOf, handler });
  }

  /** The listener of an HTTP server. */
  readonly listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    const request = incoming as Request;
    request.originalUrl = request.url;
    request.trustedProxies = this.#trustedProxies;
    request.ip = addressOf(request, this.#trustedProxies);
    this.#from(0, request, response);
  };

  #from(start: number, request: Request, response: Response): void {
    const path = pathOf(request.originalUrl);
    for (let index = start; index < this.#layers.length; index++) {
      const { targetOf, handler } = this.#layers[index]!;
      const target = targetOf(request, path);
      if (target === undefined) continue;
      const { url } = request;
      request.url = target;
      void this.#answer(handler, request, response, () => {
        request.url = url;
        this.#from(index + 1, request, response);
      });
      return;
    }
  }

  async #answer(handler: Handler, request: Request, response: Response, goOn: () => void): Promise<void> {
    const refuse = (error: unknown) => (response.headersSent ? response.destroy() : this.#refuse(error, request, response));
    try {
      await handler(request, response, (error) => {
        if (error === undefined) goOn();
        else refuse(error);
      });
    } catch (error) {
      refuse(error);
    }
  }
}

/** `GET http://any.host/path`: the form in which a request is sent to a proxy. */
const absoluteForm = /^https?:\/\/[^/?]*/i;

function withoutHost(target: string): string {
  return target.startsWith('/') ? target : target.replace(absoluteForm, '');
}

/** The path of a request's target as the client sent it. */
export function pathOf(target: string): string {
  return withoutHost(target).split('?', 1)[0]!;
}

function below(prefix: string, target: string): string {
  const rest = target.slice(prefix.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
