/** A verb works in the name of its caller's store, and learns when nobody waits for it any more (D257). */
import { expect, test } from '@jest/globals';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { Asker, askedBy, NobodyWaits, othersCall, presentAsker, presentHolder } from '@store/shares/asker';
import { untilAlone } from '@store/testbed/until';
import { type Caller, systemCaller } from './caller.ts';
import { client } from './client.ts';
import { shareService } from './service.testing.ts';

const service = 'store.catalog.v1.Catalog';
const shared = shareService(service, 'GetProduct');

const get = (deadlineMs = Date.now() + 30_000, caller: Caller = systemCaller(42)) =>
  client<CatalogDefinition>(shared.channel, service).GetProduct({ id: '7' }, { caller, deadlineMs });

/** A verb that runs until its asker leaves. */
function untilGone() {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  shared.verb = () =>
    new Promise((_resolve, reject) => {
      presentAsker()!.whenGone(() => {
        reject(new NobodyWaits());
        ended.resolve();
      });
      begun.resolve();
    });
  return { begun: begun.promise, ended: ended.promise };
}

test("a verb and what it awaits run for the caller's store, with its deadline", async () => {
  const deadlineMs = Date.now() + 20_000;
  const seen: unknown[] = [];
  shared.verb = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(presentHolder());
    expect(Math.abs(presentAsker()!.deadlineMs - deadlineMs)).toBeLessThan(1_000);
    return { product: { id: 7 } };
  };
  await get(deadlineMs);
  expect([seen, presentHolder()]).toEqual([[42], 'background']);
});

test('a service that other stores do not call learns of them from the gateway (D256)', async () => {
  const seen: boolean[] = [];
  shared.verb = async () => {
    seen.push(othersCall(42));
    return { product: { id: 7 } };
  };
  await untilAlone(42);
  await get();
  await get(undefined, { ...systemCaller(42), othersCall: true });
  expect(seen).toEqual([false, true]);
});

test('who leaves ends the call, and the verb is told; neither is logged as a failure', async () => {
  const { begun, ended } = untilGone();
  const asker = new Asker(42);
  const call = askedBy(asker, () => get()).catch((error: unknown) => error);
  await begun;
  asker.leave();
  await ended;
  expect(await call).toBeInstanceOf(Error);
  expect(shared.channel.breaker.counts).toMatchObject({ lost: 1, late: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(shared.logged).toEqual([]);
});

test('at its deadline the verb is told, and the failure is logged', async () => {
  const { ended } = untilGone();
  await expect(get(Date.now() + 300)).rejects.toMatchObject({ kind: 'unavailable' });
  await ended;
  while (shared.logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
});

test('what a call has started goes on in the background once it is answered', async () => {
  const later = Promise.withResolvers<unknown>();
  shared.verb = async () => {
    setTimeout(() => later.resolve(presentHolder()), 50);
    return { product: { id: 7 } };
  };
  await get();
  expect(await later.promise).toBe('background');
});
