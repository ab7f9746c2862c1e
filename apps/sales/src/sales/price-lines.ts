/** Lines with the product as catalog describes it now: price, name, sku and cost are fixed here (D215). */
import { cents, moneyText } from '@store/input';
import type { SaleProduct__Output } from '@store/protos/catalog/v1.ts';
import type { AcceptedLine } from './sale.input.ts';
import type { SaleLineItemRow } from './sale-line-item.ts';
import { fitsMoney, grossOf } from './totals.ts';

/** A line before it has its ids. */
export type DraftLine = Omit<SaleLineItemRow, 'id' | 'store_id' | 'sale_id'>;

export type Products = ReadonlyMap<number, SaleProduct__Output>;

/** The lines as they are written; what cannot be sold (D219) is added to `faults`. */
export function priceLines(lines: AcceptedLine[], products: Products, faults: string[]): DraftLine[] {
  return lines.flatMap((line, position) => {
    const product = products.get(line.productId);
    if (!product) faults.push(`Line ${position + 1} product is unknown`);
    else if (product.has_variations) faults.push(`Line ${position + 1} product has variations; sell a variation instead`);
    return product ? [priceLine(line, product, position, faults)] : [];
  });
}

/** D270: a lower price and a modifier that takes off are discounts too. */
function demandNoDiscount(line: AcceptedLine, unitPrice: string, product: SaleProduct__Output, say: (message: string) => void): void {
  const price = product.effective_price ?? '0.00';
  if (cents(line.discount) > 0n) say('discount amount is not allowed on this product');
  if (cents(unitPrice) < cents(price)) say(`unit price must be greater than or equal to ${price}`);
  if (line.modifiers.some((one) => cents(one.price_adjustment) < 0n)) say('modifiers must not lower the price of this product');
}

function priceLine(line: AcceptedLine, product: SaleProduct__Output, position: number, faults: string[]): DraftLine {
  const say = (message: string) => faults.push(`Line ${position + 1} ${message}`);
  const unit_price = line.unitPrice ?? product.effective_price ?? '0.00';
  const gross = grossOf({ quantity: line.quantity, unit_price, modifiers: line.modifiers });
  const discount = cents(line.discount);
  if (!fitsMoney(gross)) say('total is too large');
  else if (gross < 0n) say('total must be greater than or equal to 0');
  else if (discount > gross) say(`discount amount must be less than or equal to ${moneyText(gross)}`);
  if (product.block_manual_discounts) demandNoDiscount(line, unit_price, product, say);
  return {
    position,
    product_id: line.productId,
    product_name: product.name ?? '',
    sku: product.sku ?? null,
    quantity: line.quantity,
    unit_price,
    discount_amount: line.discount,
    total: moneyText(gross - discount),
    cost: product.cost ?? null,
    discount_blocked: product.block_manual_discounts ?? false,
    bundle: product.is_bundle ?? false,
    kitchen_item: line.kitchenItem,
    modifiers: line.modifiers,
    note: line.note,
  };
}
