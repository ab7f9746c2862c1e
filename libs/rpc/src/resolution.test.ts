/** A rolling update replaces processes faster than gRPC looks names up by default. */
import dns from 'node:dns';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { systemCaller } from './caller.ts';
import { type Channel, client, connect } from './client.ts';
import { type RpcServer, serve } from './server.ts';
import { trust } from './service.testing.ts';

const service = 'store.catalog.v1.Catalog';
/** Far above the time between look-ups (1 s), and below gRPC's own (30 s). */
const foundWithinMs = 20_000;
const verbs = { [service]: { GetProduct: async () => ({ product: { id: 7 } }) } };
const { lookup } = dns.promises;

let server: RpcServer;
let channel: Channel;
let lookups = 0;

beforeAll(async () => {
  dns.promises.lookup = (async () => {
    lookups += 1;
    return [{ address: '127.0.0.1', family: 4 }];
  }) as unknown as typeof lookup;
  server = await serve(verbs, { listen: '127.0.0.1:0', trust, log: { error: () => undefined } });
  channel = connect(`catalog.pods:${server.address.split(':')[1]}`, trust);
});
afterAll(async () => {
  dns.promises.lookup = lookup;
  channel?.close();
  await server?.stop(1_000);
});

test('after each process that stops the name is looked up again, however soon', async () => {
  const { GetProduct } = client<CatalogDefinition>(channel, service);
  const call = () => GetProduct({ id: '7' }, { caller: systemCaller(1), deadlineMs: Date.now() + foundWithinMs });
  const isFound = () =>
    call().then(
      () => true,
      () => false,
    );
  await call();
  for (const wanted of [2, 3]) {
    const { address } = server;
    await server.stop(1_000);
    server = await serve(verbs, { listen: address, trust, log: { error: () => undefined } });
    const giveUpAt = performance.now() + foundWithinMs;
    while ((lookups < wanted || !(await isFound())) && performance.now() < giveUpAt) await wait(20);
    expect(lookups).toBeGreaterThanOrEqual(wanted);
    await call();
  }
});
