/** Specification: Gift cards, for keys and for staff, with their expiry, the snapshot and what a sale takes and gives back. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';

const world = await useWorld();
const key = await world.newKey(world.store);
const user = { name: 'Cleo Clerk', email: 'clerk@cards.example', password: 'correct horse battery', role: 'clerk' };
await world.call('POST', '/staff_users', { token: world.store.token, body: { staff_user: user } });
const clerk = (await world.call('POST', '/staff_sessions', { body: { email: user.email, password: user.password } })).body.token;

const get = (path: string, as = key) => world.call('GET', path, { key: as });
const staff = (path: string, body: object, token = world.store.token) => world.call('POST', path, { token, body });
const issue = async (card: object) => (await staff('/gift_cards', { gift_card: card })).body.gift_card;
const refused = ({ status, body }: Answer) => [status, body];

/** Entries about the card, by other than staff. */
async function markedBy(id: number): Promise<{ actor: object; action: string; before: object; after: object }[]> {
  await world.settled();
  const path = `/audit_entries?resource_type=GiftCard&resource_id=${id}`;
  const { audit_entries } = (await world.call('GET', path, { token: world.store.token })).body;
  return audit_entries.filter(({ action }: { action: string }) => action === 'gift_card.update');
}

describe('for staff', () => {
  test('a redeem that is retried with its Idempotency-Key takes once', async () => {
    const { id } = await issue({ amount: 20 });
    const redeem = () =>
      world.call('POST', `/gift_cards/${id}/redeem`, { token: clerk, body: { amount: 5 }, headers: { 'Idempotency-Key': `redeem-${id}` } });
    const answers = [await redeem(), await redeem()];
    expect(answers.map(({ body }) => body.gift_card.balance)).toEqual([15, 15]);
    expect(answers[1]!.headers.get('Idempotency-Replayed')).toBe('true');
  });
});

describe('"the lookup marks the card expired"', () => {
  test.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { test_mode: true }],
    ['HEAD', { test_mode: true }],
  ] as const)('on %s with a key of %j, once, and by the system', async (method, mode) => {
    const { id, card_number } = await issue({ amount: 5, expires_at: '2026-11-01' });
    const own = await world.newKey(world.store, mode);
    for (let time = 1; time <= 2; time++)
      expect((await world.call(method, `/gift_cards/lookup/${card_number}`, { key: own })).status).toBe(200);
    expect((await get(`/gift_cards/${id}`)).body.data).toMatchObject({ status: 'expired', expired: true, active: false });
    expect(await markedBy(id)).toMatchObject([{ before: { status: 'active' }, after: { status: 'expired' }, actor: { type: 'system' } }]);
  });
});

describe('GET /gift_cards/snapshot', () => {
  test('20,001 cards: exactly 20,000 and X-Truncated, also on HEAD', async () => {
    const store = await world.newStore();
    const own = await world.newKey(store);
    await world.database.query(
      `insert into sales.gift_cards (store_id, card_number, status, original_amount, balance, held, issued_at, created_at, updated_at)
       select $1, 'N' || lpad(n::text, 6, '0'), 'active', 10, 7.5, 0, now(), now(), now() from generate_series(1, 20001) n`,
      [store.id],
    );
    const answer = await get('/gift_cards/snapshot', own);
    expect([answer.headers.get('x-truncated'), answer.body.data.cards.length, answer.body.data.cards.at(-1).card_number]).toEqual([
      'true',
      20_000,
      'N020000',
    ]);
    const head = await world.call('HEAD', '/gift_cards/snapshot', { key: own });
    expect([head.status, head.text, head.headers.get('x-truncated')]).toEqual([200, '', 'true']);
  });
});

test('D282: the snapshot says what can be spent where it is asked to, and otherwise has the specified keys alone', async () => {
  const store = await world.newStore();
  const own = await world.newKey(store);
  const { gift_card } = (await staff('/gift_cards', { gift_card: { amount: 40, card_number: 'HELD-1' } }, store.token)).body;
  await staff(`/gift_cards/${gift_card.id}/hold`, { amount: 15 }, store.token);
  const card = { card_number: 'HELD-1', balance: 40, status: 'active', expires_at: null };
  expect((await get('/gift_cards/snapshot', own)).body.data.cards).toEqual([card]);
  const asked = await get('/gift_cards/snapshot?include=available_balance', own);
  expect(asked.body.data.cards).toEqual([{ ...card, available_balance: 25 }]);
});

describe('as the tender of a sale', () => {
  test('is taken by the sale and given back by its void; what staff redeemed for that sale too', async () => {
    const { token } = world.store;
    const { product } = (await staff('/products', { product: { name: 'Lantern', price: '8.00' } })).body;
    const [paid, later] = [await issue({ amount: 8, card_number: 'TENDER-1' }), await issue({ amount: 10, card_number: 'TENDER-2' })];
    const payments = [{ method: 'gift_card', amount: '8.00', card_number: 'tender-1' }];
    const lines = [{ product_id: product.id, quantity: 1 }];
    const { sale } = (await staff('/sales', { sale: { status: 'pending', line_items: lines, payments } }, clerk)).body;
    expect((await staff(`/gift_cards/${later.id}/redeem`, { amount: 4, sale_id: sale.id }, clerk)).body.gift_card.balance).toBe(6);
    await world.call('PATCH', `/sales/${sale.id}`, { token, body: { sale: { status: 'completed' } } });
    expect((await get(`/gift_cards/${paid.id}`)).body.data).toMatchObject({ balance: 0, status: 'redeemed' });
    expect((await staff(`/gift_cards/${later.id}/redeem`, { amount: 1, sale_id: sale.id }, clerk)).status).toBe(422);
    const voided = await world.call('PATCH', `/sales/${sale.id}`, { token, body: { sale: { status: 'voided' } } });
    expect(voided.status).toBe(200);
    expect((await get(`/gift_cards/${paid.id}`)).body.data).toMatchObject({ balance: 8, status: 'active' });
    expect((await get(`/gift_cards/${later.id}`)).body.data).toMatchObject({ balance: 10, status: 'active' });
    expect(refused(await staff(`/gift_cards/${later.id}/redeem`, { amount: 1, sale_id: sale.id }, clerk))).toEqual([
      422,
      { error: 'Validation failed: Sale id is voided', errors: ['Sale id is voided'] },
    ]);
  });
});
