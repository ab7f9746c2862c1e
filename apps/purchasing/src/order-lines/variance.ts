/** Differences between ordered, billed and received: the formulas of the specification, exact. */
import type { OrderStatus } from '../purchase-orders/purchase-order.ts';
import { shownProduct, shownQuantity, thousandthsOf } from './decimals.ts';
import type { LineRow } from './order-line.ts';

type VarianceStatus = 'pending' | 'ok' | 'short' | 'over' | 'unexpected';

/** The fields of a line that the comparison needs. */
export type Compared = Pick<LineRow, 'quantity_ordered' | 'quantity_received' | 'quantity_invoiced' | 'unit_price' | 'unit_cost_invoiced'>;

interface Variances {
  variance_status: VarianceStatus;
  invoice_variance: number | undefined;
  receiving_variance: number | undefined;
  fulfillment_variance: number;
  variance_value: number | undefined;
}

/** D114: pending while nothing arrived, yet short once the order is received without it. */
function varianceStatus(line: Pick<Compared, 'quantity_ordered' | 'quantity_received'>, status: OrderStatus): VarianceStatus {
  return statusOf(thousandthsOf(line.quantity_ordered), thousandthsOf(line.quantity_received), status);
}

function statusOf(ordered: number, received: number, status: OrderStatus): VarianceStatus {
  if (received === 0) return status === 'received' && ordered > 0 ? 'short' : 'pending';
  if (ordered === 0) return 'unexpected';
  if (received === ordered) return 'ok';
  return received < ordered ? 'short' : 'over';
}

/** Spec, Purchase order: the variances of a line; those that need an invoice are undefined without one. */
export function variancesOf(line: Compared, status: OrderStatus): Variances {
  const ordered = thousandthsOf(line.quantity_ordered);
  const received = thousandthsOf(line.quantity_received);
  const invoiced = line.quantity_invoiced === null ? undefined : thousandthsOf(line.quantity_invoiced);
  return {
    variance_status: statusOf(ordered, received, status),
    invoice_variance: invoiced === undefined ? undefined : shownQuantity(invoiced - ordered),
    receiving_variance: invoiced === undefined ? undefined : shownQuantity(received - invoiced),
    fulfillment_variance: shownQuantity(received - ordered),
    // Not rounded to cents: the formula is a product, and its seven decimals are exact.
    variance_value:
      invoiced === undefined ? undefined : shownProduct(invoiced - received, line.unit_cost_invoiced ?? line.unit_price ?? '0'),
  };
}

const differing: readonly VarianceStatus[] = ['short', 'over', 'unexpected'];

/** has_variance: any line short, over or unexpected; what was billed does not matter (D115). */
export function hasVariance(lines: Pick<Compared, 'quantity_ordered' | 'quantity_received'>[], status: OrderStatus): boolean {
  return lines.some((line) => differing.includes(varianceStatus(line, status)));
}
