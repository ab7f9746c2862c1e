/** Ends a TCP connection with a reset. */
import type { Socket } from 'node:net';

/**
 * The end of a socket that is on its way out cannot be taken back: Node 24 then refuses the reset and forgets the socket
 * without closing it, and the process turns for ever when it should end.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}
