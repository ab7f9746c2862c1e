import { describe, expect, test } from '@jest/globals';
import { type Cart, type CartAction, cartAfter, emptyCart, faultOf, quantityFrom, saleOf, totalOf } from './cart.ts';

const product = (id: number, unit_type = 'unit') => ({ id, name: `P${id}`, effective_price: '1.00', unit_type }) as never;
const add = (cart: Cart, id: number, quantity = 1) => cartAfter(cart, { kind: 'add', product: product(id), quantity });
/** `1*2 3*1`: two of product 1 and one of product 3. */
const goodsOf = ({ lines }: Cart) => lines.map(({ productId, quantity }) => `${productId}*${quantity}`).join(' ');

describe('the cart', () => {
  test('counts a product that is scanned again, up to the most of a line', () => {
    const cart = add(add(add(emptyCart, 1), 2, 3), 1);
    expect(goodsOf(cart)).toBe('1*2 2*3');
    expect(add(add(emptyCart, 1, 9_999), 1).lines.map(({ quantity }) => quantity)).toEqual([9_999, 1]);
  });

  test('takes whole pieces, and decimals of what is weighed', () => {
    const [piece, weighed] = [{ quantity: 1 }, { quantity: 1, weighed: true }];
    expect(['3', ' 12 ', '0', '9999'].map((text) => quantityFrom(text, piece))).toEqual([3, 12, 0, 9_999]);
    expect(['', '-2', '1.5', '32022436000001', '10000', 'x', '1e3'].map((text) => quantityFrom(text, piece))).toEqual(
      Array(7).fill(undefined),
    );
    expect(['1.5', '0,125', '1.2345'].map((text) => quantityFrom(text, weighed))).toEqual([1.5, 0.125, undefined]);
    // The key that takes one away.
    const less = cartAfter(add(emptyCart, 1, 1.9), { kind: 'quantity', key: 1, quantity: 1.9 - 1 });
    expect(less.lines[0]!.quantity).toBe(0.9);
    // A resumed line does not say that it is weighed.
    expect(quantityFrom('2.5', { quantity: 1.5 })).toBe(2.5);
  });

  test('takes back what rewards took off and gave with the customer, and nothing else', () => {
    const own = cartAfter(add(emptyCart, 1), { kind: 'discount', amount: '1.00' });
    const given = cartAfter(own, { kind: 'give', product: product(2), reward: 'A globe' });
    const twice = cartAfter(given, { kind: 'reward', amount: '5.00' });
    expect(twice).toMatchObject({ discount: '6.00', rewarded: '5.00' });
    expect(saleOf(twice).line_items[1]).toEqual({
      product_id: 2,
      quantity: 1,
      unit_price: '1.00',
      discount_amount: '1.00',
      note: '★ A globe',
    });
    // One more of it is no gift.
    expect(add(twice, 2).lines.map(({ quantity }) => quantity)).toEqual([1, 1, 1]);
    expect(saleOf(cartAfter(twice, { kind: 'more', key: 2 })).line_items.at(-1)).toEqual({ product_id: 2, quantity: 1 });
    expect(cartAfter(twice, { kind: 'remove', key: 2 })).toMatchObject({ discount: '6.00', lines: [{ productId: 1 }] });
    const other = cartAfter(twice, { kind: 'customer', customer: { id: 4, name: 'Ann' } });
    expect([other.discount, other.rewarded, other.lines[1]!.own]).toEqual(['1.00', undefined, undefined]);
    const emptied = cartAfter(twice, { kind: 'discount', amount: '' });
    expect(cartAfter(emptied, { kind: 'customer', customer: { id: 4, name: 'Ann' } }).discount).toBe('');
  });

  test('keeps the payment that was refused, but for the credit of another customer', () => {
    const refused = (method: 'debit' | 'store_credit') => ({ ...add(emptyCart, 1), tenders: [{ key: 0, method, amount: '1.00' }] });
    const choose = (cart: Cart) => cartAfter(cart, { kind: 'customer', customer: { id: 3, name: 'Ann' } }).tenders;
    expect([choose(refused('debit')), choose(refused('store_credit'))]).toEqual([refused('debit').tenders, undefined]);
    // Not in the next sale, whose lines come when the last of this one is gone.
    const emptied = cartAfter(refused('debit'), { kind: 'remove', key: 1 });
    expect(emptied.tenders).toBeUndefined();
    expect(cartAfter(emptied, { kind: 'restore', before: refused('debit'), at: 0 }).tenders).toEqual(refused('debit').tenders);
  });

  test('gets a removed line back where it was', () => {
    const three = add(add(add(emptyCart, 1), 2), 3);
    const without = cartAfter(three, { kind: 'remove', key: 2 });
    const back = cartAfter(without, { kind: 'restore', before: { ...emptyCart, lines: [three.lines[1]!] }, at: 1 });
    expect(back.lines.map(({ productId }) => productId)).toEqual([1, 2, 3]);
    expect(new Set(back.lines.map(({ key }) => key)).size).toBe(3);
  });

  test('is no sale with a discount that is no amount', () => {
    const faults = ['12.345', '1e5', '40 50', '-1', '12,50', ''].map((amount) =>
      faultOf(cartAfter(emptyCart, { kind: 'discount', amount })),
    );
    expect(faults.map((fault) => fault === undefined)).toEqual([false, false, false, false, true, true]);
  });

  test('gets back what was removed or cleared beside what was scanned since', () => {
    const before = cartAfter(add(add(emptyCart, 1), 2, 3), { kind: 'discount', amount: '1.00' });
    const since = add(add(emptyCart, 2), 3);
    const both = cartAfter(since, { kind: 'restore', before });
    expect([both.discount, goodsOf(both)]).toEqual(['1.00', '1*1 2*4 3*1']);
  });

  test('gets a reward back only with the customer who redeemed it', () => {
    const ann = { id: 3, name: 'Ann' };
    const bert = { id: 4, name: 'Bert' };
    const actions: CartAction[] = [
      { kind: 'customer', customer: ann },
      { kind: 'discount', amount: '0.10' },
      { kind: 'reward', amount: '0.40' },
      { kind: 'give', product: product(2), reward: 'A globe' },
    ];
    const before = actions.reduce(cartAfter, add(emptyCart, 1));
    const ofBert = cartAfter(add(emptyCart, 3), { kind: 'customer', customer: bert });
    const restore = (now: Cart, one = before, at?: number) => {
      const { discount, rewarded, customer, lines } = cartAfter(now, { kind: 'restore', before: one, at });
      return [discount, rewarded, customer?.name, lines.map(({ productId, own }) => `${productId} ${own?.note ?? ''}`.trim())];
    };
    const given = '2 ★ A globe';
    expect(restore(emptyCart)).toEqual(['0.50', '0.40', 'Ann', ['1', given]]);
    expect(restore(ofBert)).toEqual(['0.10', undefined, 'Bert', ['1', '2', '3']]);
    // Bert's own reward stays as it is; a second one of Ann's is added.
    expect(restore(cartAfter(ofBert, { kind: 'reward', amount: '0.20' })).slice(0, 3)).toEqual(['0.20', '0.20', 'Bert']);
    const again = cartAfter(cartAfter(emptyCart, { kind: 'customer', customer: ann }), { kind: 'reward', amount: '0.20' });
    expect(restore(again).slice(0, 3)).toEqual(['0.60', '0.60', 'Ann']);
    // Another product has the place of what was given.
    const left = cartAfter(cartAfter(before, { kind: 'customer', customer: undefined }), { kind: 'remove', key: 2 });
    expect(cartAfter(add(left, 9), { kind: 'regain', before }).lines.map(({ productId }) => productId)).toEqual([1, 9]);
    // A removed line does not bring its customer.
    const line = { ...emptyCart, customer: ann, lines: [before.lines[1]!] };
    const nobody = cartAfter(before, { kind: 'customer', customer: undefined });
    expect(restore({ ...nobody, lines: [] }, line, 0)).toEqual(['0.10', undefined, undefined, ['2']]);
    expect(restore({ ...before, lines: [] }, line, 0)).toEqual(['0.50', '0.40', 'Ann', [given]]);
  });

  test('sends products and quantities and lets the API price them', () => {
    const cart = cartAfter(add(emptyCart, 7), { kind: 'customer', customer: { id: 3, name: 'Maya' } });
    expect(saleOf(cartAfter(cart, { kind: 'discount', amount: '1.00' }))).toEqual({
      source: 'pos',
      line_items: [{ product_id: 7, quantity: 1 }],
      discount_amount: '1.00',
      customer_id: 3,
    });
  });

  test('of a parked sale sends its lines back unchanged, without what it no longer has', () => {
    const line = { kitchen_item: false, modifiers: [], discount_amount: '0.00' };
    const modifiers = [{ name: 'Engraving', quantity: 1, price_adjustment: '4.00', removed: false }];
    const sale = {
      id: 5,
      receipt_number: 'R-5',
      discount_amount: '3.00',
      customer: { id: 3 },
      line_items: [
        { ...line, product_id: 7, product_name: 'P7', quantity: 2, unit_price: '5.00', discount_amount: '1.00', note: 'Blue' },
        { ...line, product_id: 8, product_name: 'P8', quantity: 1, unit_price: '1.00', modifiers },
        { ...line, product_id: 8, product_name: 'P8', quantity: 1.25, unit_price: '1.00' },
      ],
    };
    const cart = cartAfter(emptyCart, { kind: 'resume', sale: sale as never, weighed: [8] });
    // The API's sum of discounts has that of the line.
    expect(cart).toMatchObject({
      parked: { id: 5, receipt: 'R-5' },
      discount: '2.00',
      customer: { id: 3, name: 'Customer without a name' },
    });
    expect(saleOf(cart).line_items).toEqual([
      { product_id: 7, quantity: 2, unit_price: '5.00', discount_amount: '1.00', note: 'Blue' },
      { product_id: 8, quantity: 1, unit_price: '1.00', modifiers },
      { product_id: 8, quantity: 1.25, unit_price: '1.00' },
    ]);
    expect(cart.lines.map(totalOf)).toEqual(['9.00', '5.00', '1.25']);
    expect(quantityFrom('0,125', cart.lines[1]!)).toBe(0.125);
    // What is added has the price of today.
    expect(goodsOf(add(add(add(cart, 8), 7), 8))).toBe('7*2 8*1 8*1.25 8*2 7*1');
    const more = (...keys: number[]) => keys.reduce((one, key) => cartAfter(one, { kind: 'more', key }), cart);
    expect([1, 2, 3].map((key) => saleOf(more(key)).line_items.at(-1))).toEqual([
      { product_id: 7, quantity: 1, note: 'Blue' },
      { product_id: 8, quantity: 1, modifiers },
      { product_id: 8, quantity: 1 },
    ]);
    expect(goodsOf(more(2, 4))).toBe('7*2 8*1 8*1.25 8*2');
    expect(saleOf({ ...cart, discount: '', customer: undefined })).toMatchObject({ discount_amount: '0.00', customer_id: null });
  });
});
