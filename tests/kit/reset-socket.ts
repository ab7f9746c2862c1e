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
