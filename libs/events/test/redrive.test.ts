/** Which events redrive may send again, and under which version. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { consume, type Message, redrive } from '@store/events';
import { logNothing } from '@store/testbed';
import { openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clear());

const refusing = () =>
  consume({ db: shop.db, log: logNothing, wants: () => true, handle: () => Promise.reject(new Error('not understood')) });

/** Emits events of one record; the consumer fails at the first of them. */
async function refuseFirst(...names: string[]): Promise<Message[]> {
  await shop.emitted(...names.map((name) => ({ name, aggregate: 1 })));
  const messages = await shop.relayed();
  await refusing()(messages.slice(0, 1));
  return messages;
}

const aged = (days: number) =>
  shop.client.query(
    `update shop.dead_letters set message = jsonb_set(message, '{createdAt}', to_jsonb(clock_timestamp() - make_interval(days => $1)))`,
    [days],
  );

test("the versions of a record's events rise, and a repeated event keeps its own", async () => {
  const [first, second] = await refuseFirst('a', 'b');
  expect(second!.version).toBeGreaterThan(first!.version!);
  expect(await redrive(shop.client, 'shop')).toEqual({ sent: 1, unreadable: 0, tooOld: [] });
  const [again] = await shop.relayed();
  expect(again).toEqual(first);
});

test('an event without a version, from an earlier release, is sent again too', async () => {
  await refuseFirst('a');
  await shop.client.query(`update shop.dead_letters set message = message - 'version'`);
  expect(await redrive(shop.client, 'shop')).toMatchObject({ sent: 1 });
  expect(await shop.relayed()).toEqual([expect.objectContaining({ name: 'a' })]);
});

test('two dead letters of one event are one row', async () => {
  const [first] = await refuseFirst('a');
  await redrive(shop.client, 'shop');
  await shop.client.query('update shop.dead_letters set redriven_at = null');
  await redrive(shop.client, 'shop');
  expect((await shop.relayed()).map(({ id }) => id)).toEqual([first!.id]);
});

test('an event older than the retention stays, and is named: consumers that handled it may not remember it', async () => {
  await refuseFirst('a');
  await aged(8);
  const [letter] = (await shop.client.query('select id from shop.dead_letters')).rows;
  expect(await redrive(shop.client, 'shop')).toEqual({ sent: 0, unreadable: 0, tooOld: [letter.id] });
  expect(await shop.count('outbox')).toBe(0);
  expect(await redrive(shop.client, 'shop', { retentionDays: 9 })).toMatchObject({ sent: 1 });
});
