import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { centsOf, textOf } from '../parts/money.ts';
import type { Cart, CartAction } from './cart.ts';

const percentDigits = 10_000n;

/** What a redeemed reward gives, in this cart: a discount, or a product with a discount of its price. Store credit is the API's. */
export async function giveReward(reward: Schemas['LoyaltyReward'], cart: Cart, subtotal: string): Promise<CartAction[]> {
  const { reward_type, product_id, discount_amount, discount_percentage } = reward;
  if (reward_type === 'store_credit') return [];
  const more = (amount: string): CartAction => ({
    kind: 'discount',
    amount: textOf((centsOf(cart.discount) ?? 0n) + (centsOf(amount) ?? 0n)),
  });
  if (reward_type === 'free_product' && product_id !== null) {
    const { product } = await call('getProduct', { params: { id: product_id } });
    return [{ kind: 'add', product: product!, quantity: 1 }, more(product!.effective_price)];
  }
  if (discount_amount !== null) return [more(discount_amount)];
  const cents = ((centsOf(subtotal) ?? 0n) * BigInt(Math.round(Number(discount_percentage) * 100)) + percentDigits / 2n) / percentDigits;
  return [more(textOf(cents))];
}
