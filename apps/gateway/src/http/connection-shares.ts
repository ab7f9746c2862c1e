/**
 * The connections of one process, shared out by the address of the client (D256): however many one address opens, a quarter stays free
 * for those who hold less. Behind proxies the connections are theirs, so there the requests under way are counted instead.
 */
import type { Server } from 'node:http';
import type { Clock } from '@store/db';
import { Shares } from '@store/shares';
import type { RequestHandler } from 'express';
import { addressBlock } from '../address-block.ts';
import { crowded } from './crowded.ts';

/** Connections at once; one beyond the share of its address is closed as it comes. */
export function shareConnections(server: Server, max: number): void {
  const shares = new Shares(max);
  server.on('connection', (socket) => {
    const address = addressBlock(socket.remoteAddress ?? '');
    if (!shares.takeFree(address)) return socket.destroy();
    socket.once('close', () => shares.give(address));
  });
}

/** Requests under way, each of which holds a connection; one beyond the share of its forwarded address is a 429. */
export function shareRequests(max: number, clock: Clock): RequestHandler {
  const shares = new Shares(max);
  return (request, response, next) => {
    const address = addressBlock(request.ip ?? '');
    if (!shares.takeFree(address)) throw crowded(max, clock);
    response.once('close', () => shares.give(address));
    next();
  };
}
