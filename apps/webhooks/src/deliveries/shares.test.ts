import { expect, test } from '@jest/globals';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, keyCaller, names, type PostRequest, respond } from '../../test/webhooks-under-test.ts';
import type { Outcome } from '../receivers/types.ts';
import { claimFor } from './claim.ts';
import { Room } from './room.ts';

shareWebhooks();

const until = async (reached: () => boolean | Promise<boolean>) => {
  while (!(await reached())) await new Promise((resolve) => setImmediate(resolve));
};
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
const publish = (storeId: number, count: number) => webhooks.publish(...Array.from({ length: count }, () => event({ storeId })));
const receivedOf = (storeId: number) => webhooks.received.filter(({ url }) => url.endsWith(`/store-${storeId}`)).length;
const leased = () => webhooks.rows(`select from webhooks.deliveries where state = 'leased'`);

test('D256: while the receivers of two stores hang, those of others get their events at once, and nothing is leased that is not sent', async () => {
  for (const storeId of [1, 2]) await subscribe(storeId, 25);
  for (const storeId of [3, 4, 5]) await subscribe(storeId, 2);
  const gate = Promise.withResolvers<Outcome>();
  webhooks.state.receive = ({ url }: PostRequest) => (/store-[12]$/.test(url) ? gate.promise : respond(200));
  for (const storeId of [1, 2]) await publish(storeId, 12);
  const loop = webhooks.newDispatcher();
  loop.start();
  await until(() => receivedOf(1) + receivedOf(2) === 375);
  for (const storeId of [3, 4, 5]) {
    await publish(storeId, 30);
    loop.wake();
    await until(() => receivedOf(storeId) === 60);
  }
  await until(async () => (await leased()).length === 375);
  expect(webhooks.received).toHaveLength(375 + 3 * 60);
  gate.resolve(respond(200));
  await until(() => receivedOf(1) + receivedOf(2) === 600);
  await loop.stop();
  expect(await leased()).toEqual([]);
});

test('point 9: replays of 25 subscriptions have ten POSTs in flight at a host that does not answer, and go on as those end', async () => {
  const ids = await subscribe(1, 25, () => 'hooks.shop-erp.com');
  await publish(1, 4);
  await webhooks.loop.drain();
  expect(webhooks.received).toHaveLength(100);
  webhooks.received.length = 0;
  // As after a failure of each: none of them is known to answer.
  webhooks.app.room = webhooks.newRoom();
  for (const id of ids) await webhooks.body('ReplaySubscription', { after_seq: 0 }, callerOf(1), { id: String(id) });
  const gates: PromiseWithResolvers<Outcome>[] = [];
  let [ended, most] = [0, 0];
  webhooks.state.receive = () => {
    gates.push(Promise.withResolvers<Outcome>());
    most = Math.max(most, gates.length - ended);
    return gates.at(-1)!.promise;
  };
  const draining = webhooks.loop.drain();
  for (; ended < 100; ended++) {
    await until(() => gates.length > ended);
    gates[ended]!.resolve(respond(500));
  }
  await draining;
  expect([most, webhooks.received.length]).toEqual([10, 100]);
});

test('slots that one subscription did not need are offered to those that had to do without, by a claim that follows at once', async () => {
  const [idle, busy] = [await webhooks.subscribe({ events: ['product.deleted'] }), await webhooks.subscribe()];
  await webhooks.publish(...Array.from({ length: 6 }, () => event()));
  const asked = [idle, busy].map(({ id }) => ({ id }));
  const app = { ...webhooks.app, room: new Room(8) };
  const { claimed, again, left } = (await webhooks.db.unit(0, (em) => claimFor(app, em, asked)))!;
  expect([claimed.length, again, left.get(busy.id)]).toEqual([3, true, 'slots']);
});
