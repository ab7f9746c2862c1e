import { describe, expect, test } from '@jest/globals';
import { type Cart, cartAfter, emptyCart, quantityFrom, saleOf } from './cart.ts';

const product = (id: number, unit_type = 'unit') => ({ id, name: `P${id}`, effective_price: '1.00', unit_type }) as never;
const add = (cart: Cart, id: number, quantity = 1) => cartAfter(cart, { kind: 'add', product: product(id), quantity });

describe('the cart', () => {
  test('counts a product that is scanned again, up to the most of a line', () => {
    const cart = add(add(add(emptyCart, 1), 2, 3), 1);
    expect(cart.lines.map(({ productId, quantity }) => [productId, quantity])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(add(add(emptyCart, 1, 9_999), 1).lines[0]!.quantity).toBe(9_999);
  });

  test('takes whole pieces, and decimals of what is weighed', () => {
    const [piece, weighed] = [{ quantity: 1 }, { quantity: 1, weighed: true }];
    expect(['3', ' 12 ', '0', '9999'].map((text) => quantityFrom(text, piece))).toEqual([3, 12, 0, 9_999]);
    expect(['', '-2', '1.5', '32022436000001', '10000', 'x', '1e3'].map((text) => quantityFrom(text, piece))).toEqual(
      Array(7).fill(undefined),
    );
    expect(['1.5', '0,125', '1.2345'].map((text) => quantityFrom(text, weighed))).toEqual([1.5, 0.125, undefined]);
    // A resumed line does not say that it is weighed.
    expect(quantityFrom('2.5', { quantity: 1.5 })).toBe(2.5);
  });

  test('takes back what a reward gave with its product, or with the customer, and no other discount', () => {
    const own = cartAfter(add(emptyCart, 1), { kind: 'discount', amount: '1.00' });
    const rewarded = cartAfter(add(own, 2), { kind: 'reward', reward: { amount: '0.85', productId: 2 } });
    const twice = cartAfter(rewarded, { kind: 'reward', reward: { amount: '5.00' } });
    expect(twice.discount).toBe('6.85');
    expect(cartAfter(twice, { kind: 'remove', productId: 2 })).toMatchObject({ discount: '6.00', rewards: [{ amount: '5.00' }] });
    expect(cartAfter(twice, { kind: 'customer', customer: { id: 4, name: 'Ann' } })).toMatchObject({ discount: '1.00', rewards: [] });
    expect(
      cartAfter(cartAfter(twice, { kind: 'discount', amount: '' }), { kind: 'customer', customer: { id: 4, name: 'Ann' } }).discount,
    ).toBe('');
  });

  test('gets back what was removed or cleared beside what was scanned since', () => {
    const before = cartAfter(add(add(emptyCart, 1), 2, 3), { kind: 'discount', amount: '1.00' });
    const since = add(add(emptyCart, 2), 3);
    const both = cartAfter(since, { kind: 'restore', before });
    expect([both.discount, ...both.lines.map(({ productId, quantity }) => [productId, quantity])]).toEqual([
      '1.00',
      [1, 1],
      [2, 4],
      [3, 1],
    ]);
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

  test('of a parked sale has its lines, and takes away what it no longer has', () => {
    const sale = {
      id: 5,
      receipt_number: 'R-5',
      discount_amount: '2.00',
      customer: { id: 3 },
      line_items: [
        { product_id: 7, product_name: 'P7', quantity: 2, unit_price: '4.00' },
        { product_name: 'gone', quantity: 1, unit_price: '1.00' },
      ],
    };
    const cart = cartAfter(emptyCart, { kind: 'resume', sale: sale as never });
    expect(cart).toEqual({
      parked: { id: 5, receipt: 'R-5' },
      lines: [{ productId: 7, name: 'P7', unitPrice: '4.00', quantity: 2 }],
      discount: '2.00',
      customer: { id: 3, name: 'Customer without a name' },
    });
    expect(saleOf({ ...cart, discount: '', customer: undefined })).toMatchObject({ discount_amount: '0.00', customer_id: null });
  });
});
