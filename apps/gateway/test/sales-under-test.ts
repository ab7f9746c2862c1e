/** The gateway over HTTP before a service of sales whose verbs a test writes, with a key and a session. */
import { afterAll, beforeAll } from '@jest/globals';
import { type Channel, connect, type RpcServer, serve } from '@store/rpc';
import { Routes } from '../src/http/routes.ts';
import { shareDoor } from './http-under-test.ts';

export function shareSales(verbs: object, scope: string) {
  const gateway = shareDoor({}, { routes: new Routes(new Set(['gateway', 'sales'])) });
  const parts = {} as { server: RpcServer; channel: Channel; key: string; token: string };
  beforeAll(async () => {
    const { trust, log } = gateway.app;
    const server = await serve({ 'store.sales.v1.Sales': verbs }, { listen: '127.0.0.1:0', trust, log });
    const channel = connect(server.address, trust);
    gateway.pipeline.forwarder.channels.set('sales', channel);
    const store = await gateway.store();
    const { key } = await gateway.key(store, { scopes: [scope], rate_limit: '1000' });
    Object.assign(parts, { server, channel, key, token: store.token });
  });
  afterAll(async () => {
    parts.channel.close();
    await parts.server.stop(0);
  });
  const by =
    (caller: () => Record<string, string>) =>
    (path: string, init: RequestInit = {}) =>
      fetch(`${gateway.baseUrl}/api/v1${path}`, { ...init, headers: { ...caller(), ...init.headers } });
  return Object.assign(parts, {
    gateway,
    get: by(() => ({ 'X-API-Key': parts.key })),
    getAsStaff: by(() => ({ Authorization: `Bearer ${parts.token}` })),
  });
}
