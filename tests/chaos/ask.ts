/** Requests of the load. `node:http` with kept connections, as fetch takes twice the processor time, which the processes under test need. */
import http from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface Asking {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  /** After that the client gives up. */
  withinMs: number;
}

export interface Answered {
  /** 0: the connection failed, or the answer did not arrive whole and in time. */
  status: number;
  text: string;
  /** Why there is no answer. */
  lost?: string;
}

const agent = new http.Agent({ keepAlive: true });

export function ask(url: string, { method = 'GET', headers, body, withinMs }: Asking): Promise<Answered> {
  return new Promise((resolve) => {
    let late = false;
    const lost = (error: NodeJS.ErrnoException) => resolve({ status: 0, text: '', lost: late ? 'late' : (error.code ?? error.message) });
    const options = { agent, method, headers: { ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) } };
    const request = http.request(url, options, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode!, text }), lost);
    });
    request.once('error', lost);
    const timer = setTimeout(() => {
      late = true;
      request.destroy();
    }, withinMs);
    request.once('close', () => clearTimeout(timer));
    request.end(body);
  });
}
