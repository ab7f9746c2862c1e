/** Ends a TCP connection with a reset. */
import type { Socket } from 'node:net';

/**
 * A socket that is already closing cannot be reset: Node 24 then refuses the reset and drops the socket without
 * closing it, and the process spins instead of exiting.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

/** Keeps both ends of a proxied connection in `open` until one of them ends, which ends the other. Returns what ends both. */
export function endTogether(pair: Socket[], open: Set<Socket>): () => void {
  const end = () => {
    for (const socket of pair) {
      open.delete(socket);
      resetSocket(socket);
    }
  };
  for (const socket of pair) {
    open.add(socket);
    socket.on('error', end);
    socket.on('close', end);
  }
  return end;
}
