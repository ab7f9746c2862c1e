/** The costs that a line gives its product (D168, D246). */
import type { ReceivedLine } from '@store/events';
import { cents, costScale, moneyScale, moneyText, thousandths, twoDecimals } from '@store/input';
import { costUnits, divided, lineTotal } from './decimals.ts';
import type { LineRow } from './order-line.ts';

const thousand = 1000n;
const perCent = 10n ** BigInt(costScale - moneyScale);

/** The order's amounts that shipping is shared by. */
export interface Shipping {
  subtotal: string;
  shippingCost: string;
}

/** Invoiced, otherwise ordered; null on a line that came without a cost. */
export function unitCost(line: Pick<LineRow, 'unit_cost_invoiced' | 'unit_price'>): string | null {
  return line.unit_cost_invoiced ?? line.unit_price;
}

/**
 * The unit cost and the unit's share of shipping: the line has the share of its ordered value in the order's, each ordered
 * unit the same part of it. What was not ordered has none.
 */
export function landedCost(line: LineRow, { subtotal, shippingCost }: Shipping): string | null {
  const cost = unitCost(line);
  if (cost === null) return null;
  const ordered = thousandths(line.quantity_ordered);
  const whole = cents(subtotal) * ordered;
  if (whole === 0n) return twoDecimals(cost);
  const share = cents(shippingCost) * lineTotal(line.quantity_ordered, line.unit_price) * thousand;
  return moneyText(divided(costUnits(cost) * whole + share * perCent, whole * perCent));
}

export function receivedLine(line: LineRow, shipping: Shipping): ReceivedLine {
  return {
    line_id: line.id,
    product_id: line.product_id,
    quantity: line.quantity_received,
    unit_cost: unitCost(line),
    landed_cost: landedCost(line, shipping),
    received_at: line.received_at?.toISOString() ?? null,
  };
}
