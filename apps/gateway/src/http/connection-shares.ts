/** Shares out connections by client address (D256), a quarter stays free; behind proxies, requests under way instead. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@store/db';
import { Problem, rateLimited } from '@store/problem';
import { Shares } from '@store/shares';
import type { Request, RequestHandler } from 'express';
import { addressBlock } from '../address-block.ts';

/** Connections that have carried a request of a key or a session. */
const known = new WeakSet<Socket>();

/** The connection of this request belongs to a caller who is known: no stranger takes its place. */
export function keepConnection({ socket }: Request): void {
  known.add(socket);
}

/** Beyond the most at once, so that one of those who come while others are being closed is not refused. */
const spare = 100;

/** A connection beyond the share of its address is closed; when all are in use, the oldest that carried no key or session is. */
export function shareConnections(server: Server, max: number): void {
  server.maxConnections = max + spare;
  const shares = new Shares(max);
  /** Oldest first, each with what gives its place back. */
  const strangers = new Map<Socket, () => void>();
  server.on('connection', (socket) => {
    const address = addressBlock(socket.remoteAddress ?? '');
    if (shares.inUse === max) endOldest(strangers);
    if (!shares.takeFree(address)) return socket.destroy();
    const leave = once(() => {
      strangers.delete(socket);
      shares.give(address);
    });
    strangers.set(socket, leave);
    socket.once('close', leave);
  });
}

function endOldest(strangers: Map<Socket, () => void>): void {
  for (const [socket, leave] of strangers) {
    if (!known.has(socket)) {
      leave();
      socket.destroy();
      return;
    }
    strangers.delete(socket);
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
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

const comeAgainMs = 1_000;

/** 429 for one of those who hold most of what all share. Its connection ends with it, so that it holds nothing more. */
export function crowded(limit: number, clock: Clock): Problem {
  const now = clock.now();
  const { kind, message, extra } = rateLimited({ limit, now, until: new Date(now.getTime() + comeAgainMs) });
  return new Problem(kind, message, { headers: { ...extra.headers, Connection: 'close' } });
}
