/** The gateway's own endpoints behind its HTTP server, on a port, without the services behind it. */
import { afterAll, beforeAll } from '@jest/globals';
import { BodyRoom } from '../src/http/body-room.ts';
import type { OwnVerbs, Pipeline } from '../src/http/exchange.ts';
import { Routes } from '../src/http/routes.ts';
import { type HttpOptions, listen } from '../src/http/server.ts';
import { UnauthorizedFlood } from '../src/http/unauthorized-flood.ts';
import { gatewayUnderTest } from './gateway-under-test.ts';
import { openConnection } from './open-connection.ts';

const perMinuteMax = 3_000;

export type Door = Awaited<ReturnType<typeof httpUnderTest>>;

export function shareDoor(...how: Parameters<typeof httpUnderTest>): Door {
  const door = {} as Door;
  beforeAll(async () => void Object.assign(door, await httpUnderTest(...how)));
  afterAll(() => door.close?.());
  return door;
}

export async function httpUnderTest(options: Partial<HttpOptions> = {}, more: Partial<Pipeline> & { room?: BodyRoom } = {}) {
  const gateway = await gatewayUnderTest();
  const { room = new BodyRoom(), ...parts } = more;
  const pipeline: Pipeline = {
    app: gateway.app,
    routes: new Routes(new Set(['gateway'])),
    forwarder: { channels: new Map(), own: gateway.verbs as unknown as OwnVerbs, room },
    flood: new UnauthorizedFlood(gateway.clock, perMinuteMax),
    ...parts,
  };
  const server = await listen(pipeline, { host: '127.0.0.1', port: 0, trustedProxies: 1, ...options });
  const baseUrl = `http://${server.address}`;
  return {
    ...gateway,
    pipeline,
    baseUrl,
    open: (localAddress?: string) => openConnection(baseUrl, false, localAddress),
    /** Status and body of a request below /api/v1 in a staff session. */
    // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
    ask: async (method: string, path: string, token: string, body?: object): Promise<[number, any]> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`${baseUrl}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return [answer.status, await answer.json()];
    },
    close: async () => {
      await server.stop(0);
      await gateway.close();
    },
  };
}
