/** The gateway's verbs and a store, as the tests of one file share them. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { gatewayUnderTest, type Store, startAt } from './gateway-under-test.ts';

export let gateway: Awaited<ReturnType<typeof gatewayUnderTest>>;
export let store: Store;

/** Opens the gateway with a store before the tests of the file and closes it after them; each test begins at the same time. */
export function shareGateway(changes: Parameters<typeof gateway.store>[0] = {}): void {
  beforeAll(async () => {
    gateway = await gatewayUnderTest();
    store = await gateway.store(changes);
  });
  afterEach(() => gateway.clock.set(startAt));
  afterAll(() => gateway.close());
}
