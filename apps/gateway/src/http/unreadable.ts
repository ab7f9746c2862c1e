/** Requests that Node itself cannot parse get the specification's error bodies too. */
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { texts } from '@store/problem';
import { lingerMs } from './unread-body.ts';

interface Refusal {
  status: string;
  error: string;
}

const malformed: Refusal = { status: '400 Bad Request', error: 'Malformed request' };

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', error: 'Request header fields too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: '413 Payload Too Large', error: texts.tooLarge },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', error: texts.tooSlow },
};

const headers = [
  'Connection: close',
  'Content-Type: application/json; charset=utf-8',
  'Cache-Control: no-store',
  'X-Content-Type-Options: nosniff',
];

/** Answers a request that cannot be parsed and closes the connection: later bytes on it cannot be interpreted. */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => latest.set(request.socket, response));
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isBusy(latest.get(socket))) {
      socket.destroy();
      return;
    }
    const { status, error: message } = refusals[error.code ?? ''] ?? malformed;
    const body = JSON.stringify({ error: message });
    const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // A client that does not close its side would keep the socket open forever.
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  });
}

/** Another answer is being sent, or a complete request is waiting for one: a second answer would be taken for it. */
function isBusy(response: ServerResponse | undefined): boolean {
  return response !== undefined && !response.writableFinished && (response.headersSent || response.req.complete);
}
