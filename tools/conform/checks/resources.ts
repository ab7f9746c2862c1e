/** Gift cards, store credits and loyalty. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { holds, Skip, same } from '../outcome.ts';

const cards = areaOf('gift-cards');
const credits = areaOf('store-credits');
const loyalty = areaOf('loyalty');

interface Snapshot {
  cards: { card_number: string; balance: number; status: string }[];
}
const gift = ['gift_cards:read'];

async function firstCard(kit: Kit): Promise<string> {
  const { cards: all }: Snapshot = await kit.data('/gift_cards/snapshot');
  if (all.length === 0) throw new Skip('the store has no active gift card');
  return all[0]!.card_number;
}

const cardChecks = [
  cards.read(
    'GET /gift_cards/snapshot',
    'The snapshot has every active card with card_number, balance, status and expires_at, and generated_at.',
    gift,
    async (kit) => {
      const snapshot = await kit.data('/gift_cards/snapshot');
      same('its keys', Object.keys(snapshot).sort(), ['cards', 'generated_at']);
      for (const card of snapshot.cards)
        same(`card ${card.card_number}`, [Object.keys(card), card.status], [['card_number', 'balance', 'status', 'expires_at'], 'active']);
    },
  ),
  cards.read('GET /gift_cards/lookup/:card_number', 'The number may be in upper or lower case.', gift, async (kit) => {
    const number = await firstCard(kit);
    same('its number', (await kit.data(`/gift_cards/lookup/${number.toLowerCase()}`)).card_number, number);
  }),
  cards.read('GET /gift_cards/:id', 'Amounts of gift cards are numbers; available_balance is at most the balance.', gift, async (kit) => {
    const card = await kit.data(`/gift_cards/lookup/${await firstCard(kit)}`);
    same('the kinds', [typeof card.original_amount, typeof card.balance, typeof card.available_balance], ['number', 'number', 'number']);
    holds(card.available_balance <= card.balance, `it has ${card.balance}, ${card.available_balance} of it available`);
    same('the card by its id', (await kit.send('GET', `/gift_cards/${card.id}`)).body.data, card);
  }),
];

const credit = ['store_credits:read'];
const creditChecks = [
  credits.read(
    'GET /store_credits/snapshot',
    'The snapshot has every customer with a balance above zero, and generated_at.',
    credit,
    async (kit) => {
      const snapshot = await kit.data('/store_credits/snapshot');
      same('its keys', Object.keys(snapshot).sort(), ['credits', 'generated_at']);
      same(
        'balances not above zero',
        snapshot.credits.filter(({ balance }: { balance: number }) => !(balance > 0)),
        [],
      );
    },
  ),
  credits.read(
    'GET /store_credits/customer/:customer_id',
    'The customer view has the balance and the 10 most recent transactions.',
    credit,
    async (kit) => {
      const [first] = (await kit.data('/store_credits/snapshot')).credits;
      if (!first) throw new Skip('no customer has store credit');
      const view = await kit.data(`/store_credits/customer/${first.customer_id}`);
      same('its keys', Object.keys(view), ['customer_id', 'customer_name', 'balance', 'recent_transactions']);
      holds(view.recent_transactions.length <= 10, `there are ${view.recent_transactions.length} transactions`);
      for (const row of view.recent_transactions)
        same(`balance_after of ${row.id}`, row.balance_after, Math.round((row.balance_before + row.amount) * 100) / 100);
    },
  ),
];

const loyal = ['loyalty:read'];
const loyaltyChecks = [
  loyalty.read('GET /loyalty_tiers', 'Tiers are ordered by level.', loyal, async (kit) => {
    const levels = ((await kit.data('/loyalty_tiers')) as { level: number }[]).map(({ level }) => level);
    same(
      'levels',
      levels,
      [...levels].sort((one, two) => one - two),
    );
  }),
  loyalty.read('GET /loyalty_tiers', 'Money, percentages and multipliers of tiers are decimal text.', loyal, async (kit) => {
    for (const tier of await kit.data('/loyalty_tiers')) {
      const texts = [tier.minimum_lifetime_spend, tier.discount_percentage, tier.points_multiplier];
      holds(
        texts.every((text) => /^\d+\.\d{2}$/.test(text)),
        `tier ${tier.id} has ${JSON.stringify(texts)}`,
      );
    }
  }),
  loyalty.read('GET /loyalty_rewards', 'Rewards are ordered by points_required.', loyal, async (kit) => {
    const points = ((await kit.data('/loyalty_rewards')) as { points_required: number }[]).map(({ points_required }) => points_required);
    same(
      'points_required',
      points,
      [...points].sort((one, two) => one - two),
    );
  }),
  ...['999999999', 'abc'].map((id) =>
    loyalty.read(`GET /loyalty_rewards?customer_id=${id}`, 'An unknown customer_id is 404 "Customer not found".', loyal, async (kit) => {
      for (const path of ['/loyalty_rewards', '/loyalty_rewards/available']) {
        const { status, body } = await kit.get(`${path}?customer_id=${id}`);
        same(`the answer of ${path}`, [status, body], [404, { error: 'Customer not found' }]);
      }
    }),
  ),
  loyalty.read('GET /loyalty_rewards/available', 'Without customer_id it is a 400.', loyal, async (kit) =>
    same('the status', (await kit.get('/loyalty_rewards/available')).status, 400),
  ),
  loyalty.read(
    'GET /loyalty_rewards/available',
    'data has customer_id, customer_name, loyalty_points, loyalty_tier and available_rewards.',
    [...loyal, 'customers:read'],
    async (kit) => {
      const [customer] = await kit.data('/customers');
      if (!customer) throw new Skip('the store has no customer');
      const names = ['customer_id', 'customer_name', 'loyalty_points', 'loyalty_tier', 'available_rewards'];
      same('its keys', Object.keys(await kit.data(`/loyalty_rewards/available?customer_id=${customer.id}`)), names);
    },
  ),
];

export const readOnlyResourceChecks = [...cardChecks, ...creditChecks, ...loyaltyChecks];
