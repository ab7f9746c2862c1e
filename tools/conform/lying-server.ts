/** A server before the product that breaks one rule at a time; for tests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Passing {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Passed {
  status: number;
  headers: Headers;
  text: string;
}

export interface Lie {
  /** What the product gets instead of the request. */
  ask?: (request: Passing) => Passing;
  /** What the client gets instead of the answer. */
  answer?: (answer: Passed, request: Passing) => Passed;
}

export interface LyingServer {
  baseUrl: string;
  lie: Lie;
  close(): Promise<void>;
}

const ofTheConnection = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

export async function openLyingServer(product: string): Promise<LyingServer> {
  const server = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => !ofTheConnection.includes(name)) as [string, string][];
    const asked: Passing = {
      method: request.method!,
      url: request.url!,
      headers: Object.fromEntries(headers),
      body: (await buffer(request)).toString(),
    };
    const { url, body, ...init } = lying.lie.ask?.(asked) ?? asked;
    const sent = await fetch(product + url, { ...init, ...(body !== '' && { body }) });
    const answered = { status: sent.status, headers: new Headers(sent.headers), text: await sent.text() };
    const told = lying.lie.answer?.(answered, asked) ?? answered;
    // The body may have changed; of a HEAD the length is all there is.
    if (asked.method !== 'HEAD') told.headers.set('content-length', String(Buffer.byteLength(told.text)));
    told.headers.delete('transfer-encoding');
    response.writeHead(told.status, [...told.headers].flat()).end(told.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lying: LyingServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    lie: {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return lying;
}
