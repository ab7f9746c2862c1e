import { connect, type Socket } from 'node:net';

export interface Connection {
  socket: Socket;
  received(): string;
  until(part: string): Promise<void>;
  closed: Promise<void>;
}

/** A connection that a test writes to byte by byte; `allowHalfOpen`: it stays open when the server closes its side. */
export function openConnection(baseUrl: string, allowHalfOpen = false, localAddress?: string): Connection {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen, ...(localAddress && { localAddress }) });
  let text = '';
  const looks = new Set<() => void>();
  socket.on('data', (chunk) => {
    text += chunk.toString();
    for (const look of looks) look();
  });
  // The server may end a connection while a test still writes to it.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const until = (part: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!text.includes(part)) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  return { socket, received: () => text, until, closed };
}
