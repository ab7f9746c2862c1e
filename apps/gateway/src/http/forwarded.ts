/**
 * What the trusted proxies say about the client. Each proxy appends the address that it saw to X-Forwarded-For, so with
 * `trusted` proxies in front that address from the end is the client's; what stands before it a client may have invented.
 */
import type { IncomingMessage } from 'node:http';

export function addressOf(request: IncomingMessage, trusted: number): string {
  const socket = request.socket.remoteAddress ?? '';
  if (trusted === 0) return socket;
  const told = valuesOf(request.headers['x-forwarded-for']).reverse();
  return [socket, ...told].at(Math.min(trusted, told.length))!;
}

/** http or https, as the client called. */
export function protocolOf(request: IncomingMessage, trusted: number): string {
  const told = trusted > 0 ? valuesOf(request.headers['x-forwarded-proto'])[0] : undefined;
  return told ?? 'http';
}

/** The host that the client called. */
export function hostOf(request: IncomingMessage, trusted: number): string | undefined {
  const told = trusted > 0 ? valuesOf(request.headers['x-forwarded-host'])[0] : undefined;
  return told ?? request.headers.host;
}

function valuesOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
