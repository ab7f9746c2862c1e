/** A connection whose peer vanished while the service still answers: the next connection reaches it. */
import { expect, test } from '@jest/globals';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { logNothing, testCaller, testTrust } from '@store/testbed';
import { type Channel, client, connect } from './client.ts';
import { serve } from './server.ts';
import { passingOn } from './service.testing.ts';

const service = 'store.catalog.v1.Catalog';
const lates = 5;
const givenMs = 1_200;
/** Four probes of one second that start a quarter of a second apart, and one more; generous for a slow machine. */
const foundWithinMs = 60_000;

const get = (channel: Channel) =>
  client<CatalogDefinition>(channel, service).GetProduct({ id: '7' }, { caller: testCaller(), deadlineMs: Date.now() + givenMs });

test('calls are answered again over a new connection when the old one is silent', async () => {
  const verbs = { GetProduct: async () => ({ product: { id: 7 } }) };
  const server = await serve({ [service]: verbs }, { listen: '127.0.0.1:0', trust: testTrust(), log: logNothing });
  const network = await passingOn(server.address);
  const channel = connect(network.address, testTrust());
  try {
    await expect(get(channel)).resolves.toMatchObject({ product: { id: '7' } });
    for (const socket of network.sockets) socket.unpipe().pause();
    await Promise.allSettled(Array.from({ length: lates }, () => get(channel)));
    const giveUpAt = performance.now() + foundWithinMs;
    // A probe that is not answered either shows that it is not the calls that are slow.
    while (!channel.breaker.isOpen && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
    while (channel.breaker.isOpen && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(get(channel)).resolves.toMatchObject({ product: { id: '7' } });
  } finally {
    channel.close();
    await server.stop(100);
    network.close();
  }
});
