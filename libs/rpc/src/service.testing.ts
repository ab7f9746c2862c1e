import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Call } from './call.ts';
import { type Channel, connect } from './client.ts';
import { type RpcServer, serve } from './server.ts';
import { ServiceKeys } from './service-keys.ts';

export const trust = { keys: new ServiceKeys([{ id: 1, secret: randomBytes(32) }], { now: () => new Date() }) };

interface Shared {
  /** Answers the rpc; each test sets it. */
  verb(request: { id?: string }, call: Call): Promise<unknown>;
  channel: Channel;
  /** Failures that the service logged in this test. */
  logged: object[];
}

/** A service with one rpc, and a channel to it, for the tests of one file. */
export function shareService(service: string, rpcName: string): Shared {
  const shared = { logged: [] as object[] } as Shared;
  let server: RpcServer;
  beforeAll(async () => {
    const verbs = { [rpcName]: (...asked: Parameters<Shared['verb']>) => shared.verb(...asked) };
    const log = { error: (fields: object) => shared.logged.push(fields) };
    server = await serve({ [service]: verbs }, { listen: '127.0.0.1:0', trust, log });
    shared.channel = connect(server.address, trust);
  });
  beforeEach(() => {
    shared.logged.length = 0;
  });
  afterAll(async () => {
    shared.channel.close();
    await server.stop(1_000);
  });
  return shared;
}

/** A port that passes connections on to the service at `to`; `sockets`: both ends of each. */
export async function passingOn(to: string) {
  const [host, port] = to.split(':');
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = dial(Number(port), host);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
    sockets.push(near, far);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, close };
}
