import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renderMessage, root } from '@store/contract';
import { InProcessTransport, type Message, type Subscription, type Transport } from '@store/events';
import { connect, encodeFixedPart, send } from '@store/rpc';
import { logNothing, SetClock, type TestDatabase, testDatabase, testKeys, testTrust } from '@store/testbed';
import { start } from '../src/main.ts';
import { keyOf } from './catalog-under-test.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase('catalog_main', async () => undefined);
});
afterAll(() => database.close());

test('a start on an empty database migrates, answers and publishes; a restart keeps it', async () => {
  const env = { DATABASE_URL: database.url, CATALOG_LISTEN: '127.0.0.1:0', ...testKeys('catalog') };
  const clock = new SetClock('2026-11-20T12:00:00.000Z');
  const published: Message[] = [];
  const transport = new InProcessTransport();
  let arrived: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  await transport.subscribe({
    group: 'test',
    topics: ['catalog.events'],
    handle: async (batch) => {
      published.push(...batch);
      arrived();
    },
  });
  const running = await start({ env, log: logNothing, transport, clock });
  const service = root.lookupService('store.catalog.v1.Catalog');
  const ask = async (address: string, rpc: string, request: object) => {
    const channel = connect(address, testTrust(clock, { caller: 'gateway', called: 'catalog' }));
    const from = { fixedPart: encodeFixedPart(keyOf(1)), request: keyOf(1) };
    const method = service.methods[rpc]!;
    const bytes = Buffer.from(method.resolvedRequestType!.encode(request).finish());
    const reply = await send(channel, `/store.catalog.v1.Catalog/${rpc}`, bytes, from, Date.now() + 60_000);
    channel.close();
    return JSON.parse(renderMessage(method.resolvedResponseType!, reply.bytes, () => false));
  };
  const { product } = await ask(running.address, 'CreateProduct', { product: { name: 'Lantern' } });
  await first;
  expect(published).toHaveLength(1);
  expect(published[0]).toMatchObject({ topic: 'catalog.events', storeId: 1, name: 'product.created', aggregate: `product:${product.id}` });
  expect(JSON.parse(published[0]!.public!.toString()).data).toEqual(product);
  await running.stop();

  const again = await start({ env, log: logNothing, transport: new InProcessTransport(), clock });
  expect((await ask(again.address, 'ListProducts', {})).products).toEqual([product]);
  await again.stop();
});

test('a stop takes the batches in hand to their end before the database closes', async () => {
  const env = { DATABASE_URL: database.url, CATALOG_LISTEN: '127.0.0.1:0', ...testKeys('catalog') };
  const handlers: Subscription['handle'][] = [];
  const lastError: string[] = [];
  const transport: Transport = {
    publish: async () => undefined,
    subscribe: async ({ handle }) => void handlers.push(handle),
    stopConsuming: async () => {
      // What cannot be read becomes a dead letter, which needs the database.
      for (const handle of handlers) await handle([unreadable]);
      lastError.push('handled');
    },
    stop: async () => undefined,
  };
  const running = await start({ env, log: logNothing, transport });
  await running.stop();
  expect(handlers).toHaveLength(1);
  expect(lastError).toEqual(['handled']);
});

const unreadable = {
  ...{ id: '0192b0a0-0000-7000-8000-000000000001', topic: 'inventory.events', storeId: 1, name: 'stock', aggregate: 'product:1' },
  ...{ public: Buffer.from('{'), internal: null, actor: { type: 'system', key: null, user: null }, requestId: 'stop' },
  ...{ createdAt: '2026-11-20T12:00:00.000Z', at: { partition: 0, offset: '0' }, unreadable: 'it is no message' },
} as Message;
