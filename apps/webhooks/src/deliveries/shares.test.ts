import { expect, test } from '@jest/globals';
import {
  event,
  events,
  keyCaller,
  names,
  type PostRequest,
  respond,
  shareWebhooks,
  until,
  webhooks,
} from '../../test/webhooks-under-test.ts';
import type { Outcome } from '../receivers/types.ts';
import { claimFor } from './claim.ts';

shareWebhooks();

const callerOf = (storeId: number) => keyCaller({ storeId, actor: { keyId: 100 + storeId } });
/** Without a host of their own, all of them share one. */
async function subscribe(storeId: number, count: number, host = (n: number) => `${n}-of-${storeId}.shop-erp.com`): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    names[host(n)] = ['93.184.216.34'];
    ids.push((await webhooks.subscribe({ url: `https://${host(n)}/store-${storeId}` }, callerOf(storeId))).id);
  }
  return ids;
}
const publish = (storeId: number, count: number) => webhooks.publish(...events(count, { storeId }));
const receivedOf = (...stores: number[]) => stores.reduce((sum, id) => sum + webhooks.receivedAt(`/store-${id}`), 0);
const leased = async () => (await webhooks.states()).filter((state) => state === 'leased').length;

test('D256: while receivers of two stores hang, others get their events at once', async () => {
  for (const storeId of [1, 2]) await subscribe(storeId, 25);
  for (const storeId of [3, 4, 5]) await subscribe(storeId, 2);
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = ({ url }: PostRequest) => (/store-[12]$/.test(url) ? gate.promise : respond(200));
  for (const storeId of [1, 2]) await publish(storeId, 12);
  const loop = webhooks.newDispatcher();
  loop.start();
  await until(() => receivedOf(1, 2) === 375);
  for (const storeId of [3, 4, 5]) {
    await publish(storeId, 30);
    loop.wake();
    await until(() => receivedOf(storeId) === 60);
  }
  // Nothing is leased that is not sent.
  await until(async () => (await leased()) === 375);
  expect(webhooks.received).toHaveLength(375 + 3 * 60);
  gate.resolve(respond(200));
  await until(() => receivedOf(1, 2) === 600);
  await loop.stop();
  expect(await leased()).toBe(0);
});

test('point 9: 25 replays have ten POSTs in flight at a host that does not answer', async () => {
  const ids = await subscribe(1, 25, () => 'hooks.shop-erp.com');
  await webhooks.deliver(...events(4));
  expect(webhooks.received).toHaveLength(100);
  webhooks.received.length = 0;
  // As after a failure of each: none of them is known to answer.
  webhooks.app.limiter = webhooks.newLimiter();
  for (const id of ids) await webhooks.replay(id, { after_seq: 0 }, callerOf(1));
  const gates = webhooks.gates();
  let most = 0;
  const draining = webhooks.loop.drain();
  for (let ended = 0; ended < 100; ended++) {
    await until(() => gates.length > ended);
    most = Math.max(most, gates.length - ended);
    gates[ended]!.resolve(respond(500));
  }
  await draining;
  expect([most, webhooks.received.length]).toEqual([10, 100]);
});

test('unneeded slots are offered to others by a claim that follows at once', async () => {
  const [idle, busy] = [await webhooks.subscribe({ events: ['product.deleted'] }), await webhooks.subscribe()];
  await webhooks.publish(...Array.from({ length: 6 }, () => event()));
  const app = { ...webhooks.app, limiter: webhooks.newLimiter(8) };
  const asked = [idle, busy].map(({ id }) => ({ storeId: 1, id }));
  const claims = await webhooks.db.unit(0, (em) => claimFor(app, em, asked));
  const { claimed, again, left } = claims!;
  expect([claimed.length, again, left.get(busy.id)]).toEqual([3, true, 'slots']);
});
