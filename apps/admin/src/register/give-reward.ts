import { call } from '../api/client.ts';
import { t } from '../language/t.ts';
import { centsOf, textOf } from '../parts/money.ts';
import type { CartAction } from './cart.ts';
import type { Reward, Sale } from './till.ts';

const percentDigits = 10_000n;

/**
 * What a reward gives in a sale of that price: a discount of at most what is to pay, or a product as a line of its own. Store credit is
 * the API's. Throws where it gives nothing, before any points are taken.
 */
export async function giveReward(reward: Reward, price: Sale | undefined): Promise<CartAction[]> {
  const { reward_type, product_id, discount_amount, discount_percentage, name } = reward;
  if (reward_type === 'store_credit') return [];
  if (reward_type === 'free_product' && product_id !== null) {
    const { product } = await call('getProduct', { params: { id: product_id } });
    return [{ kind: 'give', product: product!, reward: name }];
  }
  const worth = centsOf(price?.subtotal ?? '0')!;
  const left = worth - centsOf(price?.discount_amount ?? '0')!;
  // An amount of 0 is none.
  const wanted = Number(discount_amount)
    ? (centsOf(discount_amount!) ?? 0n)
    : (worth * BigInt(Math.round(Number(discount_percentage) * 100)) + percentDigits / 2n) / percentDigits;
  const given = wanted < left ? wanted : left;
  if (given <= 0n) throw new Error(t('There is nothing in this sale that {name} could take something off', { name }));
  return [{ kind: 'reward', amount: textOf(given) }];
}
