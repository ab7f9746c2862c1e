/** Simulates a shop, one action at a time; the seed decides which. */
import { seededRandom } from '../local/random.ts';
import type { Client } from './client.ts';
import type { Listed } from './upkeep.ts';

export interface Shop {
  staff: Client;
  key: Client;
  /** Products that can be sold. */
  products: Listed[];
  customerIds: number[];
}

export interface ShopDay {
  /** Performs one action; returns a sentence about it. */
  act(): Promise<string>;
  summary(): string;
}

interface Sale {
  id: number;
  receipt_number: string;
  total: string;
}

/** How often each action happens, in percent. */
const shares = { sell: 62, park: 8, complete: 8, void: 6, adjust: 10, receive: 6 };
type Action = keyof typeof shares;

const openMax = 50;

export function openShop(shop: Shop, seed: number): ShopDay {
  const { next, between, pick } = seededRandom(seed);
  const counts = new Map<Action, number>();
  const parked: Sale[] = [];
  const sold: Sale[] = [];

  const lines = () =>
    Array.from({ length: between(1, 4) }, () => ({
      product_id: pick(shop.products).id,
      quantity: between(1, 3),
    }));
  const post = async (status: string): Promise<Sale> => {
    const customer = shop.customerIds.length > 0 && next() < 0.5 ? { customer_id: pick(shop.customerIds) } : {};
    const body = { sale: { status, payment_method: pick(['cash', 'debit', 'credit']), ...customer, line_items: lines() } };
    return (await shop.staff.post<{ sale: Sale }>('/sales', body)).sale;
  };
  const change = async ({ id }: Sale, sale: object): Promise<Sale> =>
    (await shop.staff.patch<{ sale: Sale }>(`/sales/${id}`, { sale })).sale;

  const actions: Record<Action, () => Promise<string>> = {
    sell: async () => {
      const sale = await post('completed');
      sold.push(sale);
      if (sold.length > openMax) sold.shift();
      return `sold ${sale.receipt_number} for ${sale.total}`;
    },
    park: async () => {
      const sale = await post('pending');
      parked.push(sale);
      return `parked ${sale.receipt_number}`;
    },
    complete: async () => {
      const sale = parked.shift();
      if (!sale) return actions.park();
      sold.push(await change(sale, { status: 'completed' }));
      return `completed ${sale.receipt_number} for ${sale.total}`;
    },
    void: async () => {
      const sale = sold.pop();
      if (!sale) return actions.sell();
      await change(sale, { status: 'voided', void_reason: 'Wrong item' });
      return `voided ${sale.receipt_number}`;
    },
    adjust: async () => {
      const { id } = pick(shop.products);
      await shop.key.post('/stock_adjustments', { product_id: id, adjustment_type: 'damage', quantity_change: -1, reason: 'Broken' });
      return `wrote off one of product ${id}`;
    },
    receive: async () => {
      const line_items = [{ product_id: pick(shop.products).id, quantity_ordered: 12, unit_price: '1.25' }];
      const created = await shop.staff.post<{ purchase_order: Order }>('/purchase_orders', { purchase_order: { line_items } });
      const { id, order_number, line_items: ordered } = created.purchase_order;
      await shop.staff.post(`/purchase_orders/${id}/receive`, { line_items: [{ id: ordered[0]!.id, quantity_received: 12 }] });
      return `received ${order_number}`;
    },
  };

  return {
    act: async () => {
      const action = chosen(next() * 100);
      counts.set(action, (counts.get(action) ?? 0) + 1);
      return actions[action]();
    },
    summary: () => [...counts].map(([action, count]) => `${action} ${count}`).join(', ') || 'Nothing was done.',
  };
}

interface Order {
  id: number;
  order_number: string;
  line_items: { id: number }[];
}

function chosen(percent: number): Action {
  let reached = 0;
  for (const [action, share] of Object.entries(shares) as [Action, number][]) {
    reached += share;
    if (percent < reached) return action;
  }
  return 'sell';
}
