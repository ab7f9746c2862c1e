/** Which events redrive may send again, and under which version. */
import { expect, test } from '@jest/globals';
import { type Message, redrive } from '@store/events';
import { idsOf, shareShop, shop } from './shop.ts';

shareShop();

/** Emits events of one record; the consumer fails at the first of them. */
async function refuseFirst(...names: string[]): Promise<Message[]> {
  await shop.emitted(...names.map((name) => ({ name, aggregate: 1 })));
  const messages = await shop.relayed();
  await shop.consumer({ handle: () => Promise.reject(new Error('not understood')) })(messages.slice(0, 1));
  return messages;
}

test("the versions of a record's events rise, and a repeated event keeps its own", async () => {
  const [first, second] = await refuseFirst('a', 'b');
  expect(second!.version).toBeGreaterThan(first!.version!);
  expect(await redrive(shop.client, 'shop')).toEqual({ sent: 1, unreadable: 0, tooOld: [] });
  const [again] = await shop.relayed();
  expect(again).toEqual(first);
});

test('an event without a version, from an earlier release, is sent again too', async () => {
  await refuseFirst('a');
  await shop.rows(`update shop.dead_letters set message = message - 'version'`);
  expect(await redrive(shop.client, 'shop')).toMatchObject({ sent: 1 });
  expect(await shop.relayed()).toEqual([expect.objectContaining({ name: 'a' })]);
});

test('two dead letters of one event are one row', async () => {
  const [first] = await refuseFirst('a');
  await redrive(shop.client, 'shop');
  await shop.rows('update shop.dead_letters set redriven_at = null');
  await redrive(shop.client, 'shop');
  expect(idsOf(await shop.relayed())).toEqual([first!.id]);
});

test('an event older than the retention stays and is named', async () => {
  await refuseFirst('a');
  const [letter] = await shop.rows(
    `update shop.dead_letters set message = jsonb_set(message, '{createdAt}', to_jsonb(clock_timestamp() - interval '8 days')) returning id`,
  );
  expect(await redrive(shop.client, 'shop')).toEqual({ sent: 0, unreadable: 0, tooOld: [letter.id] });
  expect(await shop.count('outbox')).toBe(0);
  expect(await redrive(shop.client, 'shop', { retentionDays: 9 })).toMatchObject({ sent: 1 });
});
