/** Records that the data does not have: loyalty, gift cards and store credit in every state, open sales, purchase orders. */
import type { Client } from '../client.ts';
import { type Listed, madeOnce } from '../upkeep.ts';
import { loadOrders } from './orders.ts';

export interface ShopFloor {
  staff: Client;
  /** Customers to choose from, at least six. */
  customerIds: number[];
  /** Products without variations to choose from, at least ten. */
  products: Listed[];
}

/** Each part is made once; existing records are left alone. */
export async function loadShopFloor(floor: ShopFloor): Promise<void> {
  await loadLoyalty(floor);
  await loadGiftCards(floor);
  await loadStoreCredit(floor);
  await loadOpenSales(floor);
  await loadOrders(floor);
}

const tiers = [
  {
    name: 'Bronze',
    level: 1,
    minimum_lifetime_spend: '0.00',
    minimum_visits: 0,
    discount_percentage: '0.00',
    points_multiplier: '1.00',
    color: '#a97142',
  },
  {
    name: 'Silver',
    level: 2,
    minimum_lifetime_spend: '250.00',
    minimum_visits: 1,
    discount_percentage: '2.50',
    points_multiplier: '1.25',
    color: '#9aa0a6',
  },
  {
    name: 'Gold',
    level: 3,
    minimum_lifetime_spend: '1000.00',
    minimum_visits: 2,
    discount_percentage: '5.00',
    points_multiplier: '1.50',
    color: '#c9a227',
    free_delivery: true,
    early_access_sales: true,
    benefits_list: ['Free delivery', 'First look at the sales'],
  },
];

/** Before the first sale, so that sales earn points. */
export async function loadTiers(staff: Client): Promise<void> {
  await madeOnce(staff, 'loyalty_tier', tiers);
}

async function loadLoyalty({ staff, products }: ShopFloor): Promise<void> {
  const rewards = [
    { name: 'Five off', reward_type: 'discount', points_required: 100, discount_amount: '5.00' },
    { name: 'A free lantern', reward_type: 'free_product', points_required: 250, product_id: products[0]!.id },
    { name: 'Ten in store credit', reward_type: 'store_credit', points_required: 400, store_credit_amount: '10.00', minimum_tier_level: 2 },
  ];
  await madeOnce(staff, 'loyalty_reward', rewards);
}

/** One card of each state: active, with a hold, redeemed, cancelled, past its expiry. */
async function loadGiftCards({ staff, customerIds }: ShopFloor): Promise<void> {
  const issue = async (card_number: string, amount: string, more: object = {}) => {
    const answer = await staff.post<{ gift_card: { id: number } }>(
      '/gift_cards',
      { gift_card: { card_number, amount, ...more } },
      `demo-gift-card-${card_number}`,
    );
    return answer.gift_card.id;
  };
  await issue('DEMO-ACTIVE', '50.00', { customer_id: customerIds[0], recipient_name: 'Grandma' });
  const held = await issue('DEMO-HELD', '40.00');
  await staff.post(`/gift_cards/${held}/hold`, { amount: '15.00' }, 'demo-gift-card-hold');
  const redeemed = await issue('DEMO-REDEEMED', '20.00', { customer_id: customerIds[1] });
  await staff.post(`/gift_cards/${redeemed}/redeem`, { amount: '20.00' }, 'demo-gift-card-redeem');
  const cancelled = await issue('DEMO-CANCELLED', '25.00');
  await staff.post(`/gift_cards/${cancelled}/cancel`, {}, 'demo-gift-card-cancel');
  await issue('DEMO-EXPIRED', '30.00', { expires_at: '2020-12-31' });
}

async function loadStoreCredit({ staff, customerIds }: ShopFloor): Promise<void> {
  for (const [index, id] of customerIds.slice(0, 3).entries()) {
    const issued = { amount: `${10 * (index + 1)}.00`, transaction_type: 'issue', notes: 'A parcel that came late' };
    await staff.post(`/customers/${id}/store_credit`, { store_credit: issued }, `demo-credit-${index}`);
  }
  const redeemed = { amount: '4.50', transaction_type: 'redeem' };
  await staff.post(`/customers/${customerIds[0]}/store_credit`, { store_credit: redeemed }, 'demo-credit-redeemed');
}

/** Two parked sales, one ready for pickup, one paid with a card of the demo. */
async function loadOpenSales({ staff, customerIds, products }: ShopFloor): Promise<void> {
  const line = (index: number, quantity: number) => ({ product_id: products[index]!.id, quantity });
  const make = (once: string, sale: object) => staff.post<{ sale: { id: number } }>('/sales', { sale }, once);
  await make('demo-parked-1', {
    status: 'pending',
    source: 'online',
    fulfillment_method: 'shipping',
    customer_id: customerIds[2],
    line_items: [line(1, 2)],
  });
  await make('demo-parked-2', { status: 'pending', line_items: [{ ...line(2, 1), note: 'Gift wrap' }] });
  const pickup = await make('demo-pickup', {
    status: 'pending',
    source: 'online',
    fulfillment_method: 'pickup',
    customer_id: customerIds[3],
    line_items: [line(3, 1), line(4, 3)],
  });
  await staff.patch(`/sales/${pickup.sale.id}`, { sale: { status: 'ready' } });
}
