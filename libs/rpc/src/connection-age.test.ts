import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { systemCaller } from './caller.ts';
import { type Channel, client, connect } from './client.ts';
import { type RpcServer, serve } from './server.ts';
import { passingOn, trust } from './service.testing.ts';

const service = 'store.catalog.v1.Catalog';
/** Long enough that a busy machine does not refuse one call on two connections in a row. */
const connectionAgeMs = 800;
const connectionsWanted = 3;

let server: RpcServer;
let counting: Awaited<ReturnType<typeof passingOn>>;
let channel: Channel;

beforeAll(async () => {
  const verbs = { GetProduct: async () => ({ product: { id: 7 } }) };
  server = await serve({ [service]: verbs }, { listen: '127.0.0.1:0', trust, log: { error: () => undefined }, connectionAgeMs });
  counting = await passingOn(server.address);
  channel = connect(counting.address, trust);
});
afterAll(async () => {
  channel?.close();
  await server?.stop(1_000);
  counting?.close();
});

test('an old connection is closed, so new processes are found; no call is lost', async () => {
  const { GetProduct } = client<CatalogDefinition>(channel, service);
  let answered = 0;
  const keepCalling = async () => {
    while (counting.sockets.length < 2 * connectionsWanted) {
      await GetProduct({ id: '7' }, { caller: systemCaller(1), deadlineMs: Date.now() + 60_000 });
      answered += 1;
      await wait(5);
    }
  };
  await Promise.all(Array.from({ length: 8 }, keepCalling));
  expect(channel.breaker.counts).toMatchObject({ answered, late: 0, lost: 0 });
});
