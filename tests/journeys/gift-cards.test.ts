/** Specification: Gift cards, for keys and for staff, with their expiry, the snapshot and what a sale takes and gives back. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { type Answer, openWorld, type World } from './world.ts';

let world: World;
let key: string;
let clerk: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
  const user = { name: 'Cleo Clerk', email: 'clerk@cards.example', password: 'correct horse battery', role: 'clerk' };
  await world.call('POST', '/staff_users', { token: world.store.token, body: { staff_user: user } });
  clerk = (await world.call('POST', '/staff_sessions', { body: { email: user.email, password: user.password } })).body.token;
});
afterAll(() => world.close());

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

describe('for a key, in the envelope', () => {
  test('GET /gift_cards/:id and the lookup answer the card; HEAD has the same headers and no body', async () => {
    const card = await issue({ card_number: 'gc-key-1', amount: 25, recipient_name: 'Robin' });
    const answer = await get(`/gift_cards/${card.id}`);
    expect([Object.keys(answer.body), answer.body.data]).toEqual([['data', 'meta'], card]);
    expect(Object.keys(card)).toEqual([
      'id',
      'card_number',
      'status',
      'original_amount',
      'balance',
      'available_balance',
      'issued_at',
      'expires_at',
      'expired',
      'active',
      'customer_id',
      'customer_name',
      'recipient_name',
    ]);
    expect((await get('/gift_cards/lookup/gc-KEY-1')).body.data).toEqual(card);
    const head = await world.call('HEAD', `/gift_cards/${card.id}`, { key });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', answer.headers.get('content-length')]);
  });

  test('an unknown number or id is a 404, there is no list, and every write is read-only, also in words of its own path', async () => {
    for (const path of ['/gift_cards/999999', '/gift_cards/x', '/gift_cards/lookup/NONE']) {
      expect(refused(await get(path))).toEqual([404, { error: 'Gift card not found' }]);
    }
    expect(refused(await get('/gift_cards'))).toEqual([404, { error: 'Not found' }]);
    for (const [method, path] of [
      ['POST', '/gift_cards'],
      ['POST', '/gift_cards/1/redeem'],
      ['PATCH', '/gift_cards/1'],
      ['DELETE', '/gift_cards/1'],
    ] as const) {
      expect(refused(await world.call(method, path, { key, body: {} }))).toEqual([403, { error: texts.readOnly }]);
    }
  });

  test('needs gift_cards:read', async () => {
    const other = await world.newKey(world.store, { scopes: ['sales:read'] });
    for (const path of ['/gift_cards/1', '/gift_cards/lookup/A', '/gift_cards/snapshot']) {
      expect(refused(await get(path, other))).toEqual([403, { error: 'Insufficient scope. Required: gift_cards:read' }]);
    }
  });
});

describe('for staff', () => {
  test('D233: a clerk redeems and reads; issuing, holding and cancelling take a manager', async () => {
    const { id, card_number } = await issue({ amount: 20 });
    expect((await staff(`/gift_cards/${id}/redeem`, { amount: 5 }, clerk)).body.gift_card.balance).toBe(15);
    for (const [path, body] of [
      ['', { gift_card: { amount: 1 } }],
      [`/${id}/hold`, { amount: 1 }],
      [`/${id}/cancel`, {}],
    ] as const) {
      expect(refused(await staff(`/gift_cards${path}`, body, clerk))).toEqual([403, { error: texts.role }]);
    }
    expect((await world.call('GET', `/gift_cards/lookup/${card_number}`, { token: clerk })).body.gift_card.id).toBe(id);
    expect((await staff(`/gift_cards/${id}/hold`, { amount: 5 })).body.gift_card.available_balance).toBe(10);
    expect((await staff(`/gift_cards/${id}/cancel`, {})).body.gift_card.status).toBe('cancelled');
  });

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

  test('50 lookups at once beside redeems: nothing is taken and there is one audit entry', async () => {
    const { id, card_number } = await issue({ amount: 5, expires_at: '2026-11-01' });
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => get(`/gift_cards/lookup/${card_number}`)),
      ...Array.from({ length: 5 }, () => staff(`/gift_cards/${id}/redeem`, { amount: 1 })),
    ]);
    expect(answers.slice(0, 50).every(({ body }) => body.data.status === 'expired' && body.data.balance === 5)).toBe(true);
    for (const answer of answers.slice(50)) expect(refused(answer)[0]).toBe(422);
    expect(await markedBy(id)).toHaveLength(1);
  });
});

describe('GET /gift_cards/snapshot', () => {
  test('for a key: data has generated_at and cards with their four fields; for staff the same without the envelope', async () => {
    const store = await world.newStore();
    const own = await world.newKey(store);
    await staff('/gift_cards', { gift_card: { amount: 7.5, card_number: 'SNAP-1' } }, store.token);
    const answer = await get('/gift_cards/snapshot', own);
    expect(Object.keys(answer.body)).toEqual(['data', 'meta']);
    const cards = [{ card_number: 'SNAP-1', balance: 7.5, status: 'active', expires_at: null }];
    expect(answer.body.data).toEqual({ generated_at: '2026-11-21T09:30:00.000Z', cards });
    expect(answer.headers.get('x-truncated')).toBeNull();
    expect((await world.call('GET', '/gift_cards/snapshot', { token: store.token })).body).toEqual(answer.body.data);
  });

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
