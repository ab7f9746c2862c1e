/** The cart that a parked sale is when it is taken up. */

import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { centsOf, textOf } from '../parts/money.ts';
import { nameless } from '../parts/worded.ts';
import type { Cart, CartAction, CartLine } from './cart.ts';

export function resumed({ sale, version, rewarded, tenders, weighed = [] }: Extract<CartAction, { kind: 'resume' }>): Cart {
  const { id, receipt_number, line_items, discount_amount, customer: buyer, note } = sale;
  const lines = line_items.flatMap((line, index): CartLine[] => {
    const { product_id: productId, product_name: name, quantity, unit_price: unitPrice } = line;
    if (productId === undefined) return [];
    return [
      { key: index + 1, productId, name, unitPrice, quantity, ...(weighed.includes(productId) && { weighed: true }), own: ownOf(line) },
    ];
  });
  // The API's sum has the discounts of the lines in it.
  const discount = line_items.reduce((rest, line) => rest - centsOf(line.discount_amount)!, centsOf(discount_amount)!);
  const customer = buyer && { id: buyer.id, name: buyer.name ?? nameless };
  // Another till may have taken it off.
  const isRewarded = rewarded !== undefined && centsOf(rewarded)! <= discount;
  const cart = { lines, discount: discount > 0n ? textOf(discount) : '', customer, ...(isRewarded && { rewarded }), ...(note && { note }) };
  const parked = { id, receipt: receipt_number, ...(version && { version }), known: [cart] };
  return { ...cart, ...(tenders && { tenders }), parked };
}

/** The customer and the discount that the clerk entered before a parked sale was taken up, where that had none: they may be of another sale. */
export function broughtBy({ customer, discount }: Cart, taken: Cart): string[] {
  const brought = [taken.customer ? undefined : customer?.name, taken.discount === '' && discount !== '' ? discount : undefined];
  const values = brought.filter((one) => one !== undefined);
  return values.length === 0
    ? []
    : [t('This sale has now what was entered before it was resumed: {values}', { values: values.join(', ') })];
}

/** What a stored line has besides its product and quantity. */
function ownOf({ unit_price, discount_amount, modifiers, note, kitchen_item }: Schemas['SaleLineItem']): CartLine['own'] {
  return {
    unit_price,
    ...(centsOf(discount_amount) !== 0n && { discount_amount }),
    ...(modifiers.length > 0 && { modifiers }),
    ...(note !== undefined && { note }),
    ...(kitchen_item && { kitchen_item }),
  };
}
