/** HTTP as bytes: requests that no client library would send. */
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Lower-case names; a repeated header is joined by ", ". */
  headers: Record<string, string>;
  text: string;
}

/** Sends the bytes on a new connection and reads until the server closes it. */
export function rawRequest(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())));
    // The server may close before it has read a refused request; its answer counts.
    socket.on('error', (error) => (chunks.length > 0 ? resolve(parse(Buffer.concat(chunks).toString())) : reject(error)));
  });
}

/** A request with a Host and `Connection: close`; `headers` are lines. */
export function rawText(requestLine: string, headers: string[] = [], body = ''): string {
  return [`${requestLine} HTTP/1.1`, 'Host: store.example', 'Connection: close', ...headers, '', body].join('\r\n');
}

function parse(text: string): RawAnswer {
  const [head, ...rest] = text.split('\r\n\r\n');
  const [statusLine, ...lines] = head!.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(statusLine!.split(' ')[1]), headers, text: rest.join('\r\n\r\n') };
}
