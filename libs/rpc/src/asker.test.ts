/** A verb works in the name of its caller's store, and learns when nobody waits for it any more (D257). */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { Asker, askedBy, NobodyWaits, presentAsker, presentHolder } from '@store/shares/asker';
import { systemCaller } from './caller.ts';
import { type Channel, client, connect } from './client.ts';
import { type RpcServer, serve } from './server.ts';
import { ServiceKeys } from './service-keys.ts';

const service = 'store.catalog.v1.Catalog';
const trust = { keys: new ServiceKeys([{ id: 1, secret: randomBytes(32) }], { now: () => new Date() }) };
const logged: object[] = [];
let verb: () => Promise<unknown>;
let server: RpcServer;
let channel: Channel;
beforeAll(async () => {
  server = await serve(
    { [service]: { GetProduct: () => verb() } },
    { listen: '127.0.0.1:0', trust, log: { error: (fields) => logged.push(fields) } },
  );
  channel = connect(server.address, trust);
});
afterAll(async () => {
  channel.close();
  await server.stop(1_000);
});
beforeEach(() => {
  logged.length = 0;
});

const get = (deadlineMs = Date.now() + 30_000) =>
  client<CatalogDefinition>(channel, service).GetProduct({ id: '7' }, { caller: systemCaller(42), deadlineMs });

/** A verb that runs until its asker leaves. */
function untilGone() {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  verb = () =>
    new Promise((_resolve, reject) => {
      presentAsker()!.whenGone(() => {
        reject(new NobodyWaits());
        ended.resolve();
      });
      begun.resolve();
    });
  return { begun: begun.promise, ended: ended.promise };
}

test("a verb and what it awaits run in the name of the caller's store, with its deadline", async () => {
  const deadlineMs = Date.now() + 20_000;
  const seen: unknown[] = [];
  verb = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(presentHolder());
    expect(Math.abs(presentAsker()!.deadlineMs - deadlineMs)).toBeLessThan(1_000);
    return { product: { id: 7 } };
  };
  await get(deadlineMs);
  expect([seen, presentHolder()]).toEqual([[42], 'background']);
});

test('who leaves ends the call, and the verb is told; neither is logged as a failure', async () => {
  const { begun, ended } = untilGone();
  const asker = new Asker(42);
  const call = askedBy(asker, () => get()).catch((error: unknown) => error);
  await begun;
  asker.leave();
  await ended;
  expect(await call).toBeInstanceOf(Error);
  expect(channel.breaker.counts).toMatchObject({ lost: 1, late: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(logged).toEqual([]);
});

test('at its deadline the verb is told, and the failure is logged', async () => {
  const { ended } = untilGone();
  await expect(get(Date.now() + 300)).rejects.toMatchObject({ kind: 'unavailable' });
  await ended;
  while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
});

test('what a call has started goes on in the background once it is answered', async () => {
  const later = Promise.withResolvers<unknown>();
  verb = async () => {
    setTimeout(() => later.resolve(presentHolder()), 50);
    return { product: { id: 7 } };
  };
  await get();
  expect(await later.promise).toBe('background');
});
