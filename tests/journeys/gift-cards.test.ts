/** Specification: Gift cards, for keys and for staff, with their expiry and the snapshot. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const get = (path: string, as = key) => world.call('GET', path, { key: as });

/** Entries about the card, by other than staff. */
async function markedBy(id: number): Promise<{ actor: object; action: string; before: object; after: object }[]> {
  await world.settled();
  const { audit_entries } = await world.staff('GET', `/audit_entries?resource_type=GiftCard&resource_id=${id}`);
  return audit_entries.filter(({ action }: { action: string }) => action === 'gift_card.update');
}

describe('"the lookup marks the card expired"', () => {
  test.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { test_mode: true }],
    ['HEAD', { test_mode: true }],
  ] as const)('on %s with a key of %j, once, and by the system', async (method, mode) => {
    const { id, card_number } = await world.create('/gift_cards', { gift_card: { amount: 5, expires_at: '2026-11-01' } });
    const own = await world.newKey(world.store, mode);
    for (let time = 1; time <= 2; time++)
      expect((await world.call(method, `/gift_cards/lookup/${card_number}`, { key: own })).status).toBe(200);
    expect((await get(`/gift_cards/${id}`)).body.data).toMatchObject({ status: 'expired', expired: true, active: false });
    expect(await markedBy(id)).toMatchObject([{ before: { status: 'active' }, after: { status: 'expired' }, actor: { type: 'system' } }]);
  });
});

test('D282: the snapshot says what can be spent where asked to, else its keys alone', async () => {
  const store = await world.newStore();
  const own = await world.newKey(store);
  const { id } = await world.create('/gift_cards', { gift_card: { amount: 40, card_number: 'HELD-1' } }, store);
  await world.staff('POST', `/gift_cards/${id}/hold`, { amount: 15 }, store);
  const card = { card_number: 'HELD-1', balance: 40, status: 'active', expires_at: null };
  expect((await get('/gift_cards/snapshot', own)).body.data.cards).toEqual([card]);
  const asked = await get('/gift_cards/snapshot?include=available_balance', own);
  expect(asked.body.data.cards).toEqual([{ ...card, available_balance: 25 }]);
});
