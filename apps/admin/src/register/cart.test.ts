import { describe, expect, test } from '@jest/globals';
import { cartAfter, emptyCart, saleOf, subtotalOf } from './cart.ts';

const product = (id: number, effective_price: string) => ({ id, name: `P${id}`, effective_price }) as never;

describe('the register', () => {
  test('counts a product that is scanned again, and sums its lines exactly', () => {
    const cart = [product(1, '0.10'), product(2, '3.33'), product(1, '0.10')].reduce(
      (now, one) => cartAfter(now, { kind: 'add', product: one }),
      emptyCart,
    );
    expect(cart.lines.map(({ productId, quantity }) => [productId, quantity])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(subtotalOf(cart)).toBe('3.53');
    expect(subtotalOf(cartAfter(cart, { kind: 'quantity', productId: 2, quantity: 1.5 }))).toBe('5.20');
  });

  test('sends products and quantities and lets the API price them', () => {
    const cart = cartAfter(cartAfter(emptyCart, { kind: 'add', product: product(7, '9.99') }), {
      kind: 'customer',
      customer: { id: 3, name: 'Maya' },
    });
    expect(saleOf(cartAfter(cart, { kind: 'discount', amount: '1.00' }))).toEqual({
      source: 'pos',
      line_items: [{ product_id: 7, quantity: 1 }],
      discount_amount: '1.00',
      customer_id: 3,
    });
  });

  test('a parked sale is resumed with its lines and its customer', () => {
    const sale = {
      id: 5,
      discount_amount: '0.00',
      customer: { id: 3 },
      line_items: [
        { product_id: 7, product_name: 'P7', quantity: 2, unit_price: '4.00' },
        { product_name: 'gone', quantity: 1, unit_price: '1.00' },
      ],
    };
    const cart = cartAfter(emptyCart, { kind: 'resume', sale: sale as never });
    expect(cart).toEqual({
      saleId: 5,
      lines: [{ productId: 7, name: 'P7', unitPrice: '4.00', quantity: 2 }],
      discount: '',
      customer: { id: 3, name: 'Customer 3' },
    });
    expect(cartAfter(cart, { kind: 'clear' })).toEqual(emptyCart);
  });
});
