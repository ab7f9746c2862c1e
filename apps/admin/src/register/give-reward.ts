import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { centsOf, textOf } from '../parts/money.ts';
import type { Cart, CartAction } from './cart.ts';

const percentDigits = 10_000n;

/**
 * What a redeemed reward gives, in this cart of that subtotal: a discount of at most what is to pay, or a product with a discount of its
 * price. Store credit is the API's.
 */
export async function giveReward(reward: Schemas['LoyaltyReward'], cart: Cart, subtotal: string): Promise<CartAction[]> {
  const { reward_type, product_id, discount_amount, discount_percentage } = reward;
  if (reward_type === 'store_credit') return [];
  if (reward_type === 'free_product' && product_id !== null) {
    const { product } = await call('getProduct', { params: { id: product_id } });
    const { effective_price: amount } = product!;
    return [
      { kind: 'add', product: product!, quantity: 1 },
      { kind: 'reward', reward: { amount, productId: product_id } },
    ];
  }
  const worth = centsOf(subtotal) ?? 0n;
  const left = worth - (centsOf(cart.discount) ?? 0n);
  const wanted =
    discount_amount === null
      ? (worth * BigInt(Math.round(Number(discount_percentage) * 100)) + percentDigits / 2n) / percentDigits
      : (centsOf(discount_amount) ?? 0n);
  const given = wanted < left ? wanted : left;
  return given > 0n ? [{ kind: 'reward', reward: { amount: textOf(given) } }] : [];
}
