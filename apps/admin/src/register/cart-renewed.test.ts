import { expect, test } from '@jest/globals';
import { type Cart, type CartAction, cartAfter, emptyCart } from './cart.ts';
import { renewed } from './cart-renewed.ts';

const product = (id: number) => ({ id, name: `P${id}`, effective_price: '1.00', unit_type: 'unit' }) as const;
const line = { product_name: 'P', unit_price: '1.00', discount_amount: '0.00', modifiers: [], kitchen_item: false };
/** A parked sale as it is taken up: `1*2 3*1` is two of product 1 and one of product 3. */
function taken(goods: string, { discount = '0.00', customer }: { discount?: string; customer?: number } = {}): Cart {
  const line_items = goods.split(' ').map((good) => {
    const [product_id, quantity] = good.split('*').map(Number);
    return { ...line, product_id, quantity };
  });
  const sale = { id: 5, receipt_number: 'R-5', discount_amount: discount, line_items, ...(customer && { customer: { id: customer } }) };
  return cartAfter(emptyCart, { kind: 'resume', sale: sale as never });
}
const after = (cart: Cart, ...actions: CartAction[]) => actions.reduce(cartAfter, cart);
const add = (id: number, quantity = 1): CartAction => ({ kind: 'add', product: product(id), quantity });
/** As `taken` has them. */
const goodsOf = ({ lines }: Cart) => lines.map(({ productId, quantity }) => `${productId}*${quantity}`).join(' ');

test('a sale changed at another till keeps what was added to it and taken from it here', () => {
  const mine = after(taken('1*2 2*1 3*4'), { kind: 'remove', key: 2 }, { kind: 'quantity', key: 3, quantity: 3 }, add(1), add(7, 2));
  expect(goodsOf(renewed(mine, taken('1*2 2*1 3*4 9*1')))).toBe('1*2 3*3 9*1 1*1 7*2');
  // What the other till took away is not taken away again; what was added to it here is there.
  expect(goodsOf(renewed(mine, taken('9*1')))).toBe('9*1 1*1 7*2');
});

test('has the customer and discount of the other till unless changed here', () => {
  const theirs = taken('1*1', { discount: '0.50', customer: 4 });
  expect(renewed(taken('1*1'), theirs)).toMatchObject({ discount: '0.50', customer: { id: 4 } });
  const mine = after(taken('1*1'), { kind: 'customer', customer: { id: 3, name: 'Ann' } }, { kind: 'reward', amount: '0.20' });
  expect(renewed(mine, theirs)).toMatchObject({ discount: '0.20', rewarded: '0.20', customer: { id: 3 } });
  // Rewards given here go with their customer, whom the other till has changed.
  const given: CartAction = { kind: 'give', product: product(2), reward: 'A globe' };
  const ofAnn = after(taken('1*1', { customer: 3 }), { kind: 'reward', amount: '0.20' }, given);
  const other = renewed(ofAnn, taken('1*1', { customer: 4 }));
  expect([other.discount, other.rewarded, other.customer?.id, other.lines[1]?.own]).toEqual(['', undefined, 4, undefined]);
});

test('what was sent without an answer is not added again where it arrived', () => {
  const sent = after(taken('1*1'), add(7));
  const mine = after({ ...sent, parked: { id: 5, receipt: 'R-5', known: [...sent.parked!.known!, sent] } }, add(8));
  expect(goodsOf(renewed(mine, taken('1*1 7*1')))).toBe('1*1 7*1 8*1');
  expect(goodsOf(renewed(mine, taken('1*1 7*1 9*1')))).toBe('1*1 7*1 9*1 8*1');
  expect(goodsOf(renewed(mine, taken('1*1')))).toBe('1*1 7*1 8*1');
});
