/** Plans the sale that a request makes: no database, no clock, no other service. */

import { cents, moneyText } from '@store/input';
import { invalid } from '@store/problem';
import { type DraftLine, type Products, priceLines } from './price-lines.ts';
import { type AcceptedSale, faultsOf } from './sale.input.ts';
import { deliveredMethods, type SaleRow, type SaleStatus } from './sale.ts';
import { greenEcheckOf, methodOf, type Payment, tendersOf } from './tenders.ts';
import { totalsOf } from './totals.ts';

/** A sale with what belongs to it; of a new one the id is 0. */
export interface SaleState {
  sale: SaleRow;
  lines: DraftLine[];
  /** Of a parked sale the tenders that it names, if any. */
  payments: Payment[];
}

export interface Planned extends SaleState {
  /** The state that the sale enters by this change; undefined: it stays in its state. */
  enters: SaleStatus | undefined;
  /** Lines and payments are written anew. */
  newLines: boolean;
  newPayments: boolean;
}

export interface PlanContext {
  products: Products;
  /** By the store's settings now; lines that are written keep them (D215). */
  taxRates: string[];
  taxNames: string[];
  now: Date;
}

/** D274: a till whose clock is this much fast sells now. */
const clockAheadMaxMs = 5 * 60_000;

const takenLater = ['status', 'void_reason', 'fulfillment_status', 'external_id'];

/** Throws a 422 that names everything that is wrong. */
export function planSale(current: SaleState, accepted: AcceptedSale, context: PlanContext): Planned {
  const { status: from } = current.sale;
  const to = accepted.values.status ?? from;
  const unchanged = { ...current, enters: undefined, newLines: false, newPayments: false };
  if (from === 'voided') {
    if (accepted.values.status === 'voided' && isOnly(accepted, ['status', 'void_reason'])) return unchanged;
    throw invalid(['Sale is voided']);
  }
  const faults = faultsOf(accepted);
  if (from === 'completed' && to !== 'completed' && to !== 'voided') faults.push(`Status cannot change from completed to ${to}`);
  if ((from === 'completed' || to === 'voided') && !isOnly(accepted, takenLater))
    faults.push(`A ${to} sale takes only ${takenLater.join(', ')}`);
  if (to !== 'voided' && accepted.values.void_reason) faults.push('Void reason needs status voided');
  if (faults.length > 0) throw invalid(faults);
  if (from === 'completed' || to === 'voided') return { ...unchanged, ...settle(current.sale, to, accepted, context.now) };
  const revised = revise(current, accepted, context, faults);
  const planned = to === 'completed' ? complete(revised, accepted, context.now, faults) : park(revised, accepted, to, faults);
  if (faults.length > 0) throw invalid(faults);
  return planned;
}

function isOnly(accepted: AcceptedSale, names: string[]): boolean {
  const sent = [...Object.keys(accepted.values), ...(accepted.lines ? ['line_items'] : []), ...(accepted.payments ? ['payments'] : [])];
  return sent.every((name) => names.includes(name));
}

/** Voids, or marks a completed sale as fulfilled or open. */
function settle(stored: SaleRow, to: SaleStatus, { values }: AcceptedSale, now: Date): Pick<Planned, 'sale' | 'enters'> {
  const sale = { ...stored, external_id: values.external_id === undefined ? stored.external_id : values.external_id };
  const fulfillment_status = values.fulfillment_status ?? sale.fulfillment_status;
  if (to !== 'voided') return { sale: { ...sale, fulfillment_status }, enters: undefined };
  // D213: present on every voided sale.
  const void_reason = values.void_reason ?? 'Voided';
  return { sale: { ...sale, fulfillment_status, status: 'voided', voided_at: now, void_reason }, enters: 'voided' };
}

/** The sent values over the stored ones; sums only when lines or the discount were sent (D215). */
function revise(current: SaleState, { values, lines: sent }: AcceptedSale, context: PlanContext, faults: string[]): SaleState {
  const { sale } = current;
  const lines = sent ? priceLines(sent, context.products, faults) : current.lines;
  const method = values.fulfillment_method ?? sale.fulfillment_method;
  const revised: SaleRow = {
    ...sale,
    receipt_number: values.receipt_number ?? sale.receipt_number,
    source: values.source ?? sale.source,
    sale_type: values.sale_type ?? sale.sale_type,
    customer_id: values.customer_id === undefined ? sale.customer_id : values.customer_id,
    external_id: values.external_id === undefined ? sale.external_id : values.external_id,
    note: values.note === undefined ? sale.note : values.note,
    fulfillment_method: method,
    fulfillment_status:
      values.fulfillment_status ?? (values.fulfillment_method === undefined ? sale.fulfillment_status : fulfillmentOf(method)),
    sale_discount: values.discount_amount === undefined ? sale.sale_discount : (values.discount_amount ?? '0.00'),
    tax_rates: sent ? context.taxRates : sale.tax_rates,
    tax_names: sent ? context.taxNames : sale.tax_names,
    green_echeck_surcharge: values.green_echeck_surcharge === undefined ? sale.green_echeck_surcharge : values.green_echeck_surcharge,
  };
  if (sent || values.discount_amount !== undefined) sum(revised, lines, faults);
  return { ...current, sale: revised, lines };
}

/** D250: delivery and shipping start open, others fulfilled. */
function fulfillmentOf(method: string): SaleRow['fulfillment_status'] {
  return (deliveredMethods as readonly string[]).includes(method) ? 'open' : 'fulfilled';
}

/** D219: the sale's own discount is at most the lines that may be discounted. */
function sum(sale: SaleRow, lines: DraftLine[], faults: string[]): void {
  const most = lines.reduce((all, line) => (line.discount_blocked ? all : all + cents(line.total)), 0n);
  if (cents(sale.sale_discount) > most) {
    if (faults.length === 0) faults.push(`Discount amount must be less than or equal to ${moneyText(most)}`);
    return;
  }
  const totals = totalsOf(lines, sale.sale_discount, sale.tax_rates);
  if (totals) Object.assign(sale, totals);
  else faults.push('Total is too large');
}

function complete(revised: SaleState, accepted: AcceptedSale, now: Date, faults: string[]): Planned {
  const { sale, lines } = revised;
  const { values } = accepted;
  const ahead = (values.completed_at?.getTime() ?? 0) - now.getTime();
  if (ahead > clockAheadMaxMs) faults.push('Completed at must not be in the future');
  const completed_at = values.completed_at && ahead <= 0 ? values.completed_at : now;
  const tenders = tendersOf(sale.total, intended(revised, accepted), faults);
  if (tenders.some((tender) => tender.method === 'store_credit') && sale.customer_id === null) faults.push('Store credit needs a customer');
  const completed: SaleRow = {
    ...sale,
    ...greenEcheckOf(tenders, sale.green_echeck_surcharge, faults),
    status: 'completed',
    payment_method: methodOf(tenders, values.payment_method ?? sale.payment_method),
    completed_at,
    listed_at: completed_at,
  };
  return { sale: completed, lines, payments: tenders, enters: 'completed', newLines: accepted.lines !== undefined, newPayments: true };
}

/** Payments that were sent; otherwise, unless another method was, those that the parked sale names. */
function intended({ sale, payments }: SaleState, { values, payments: sent }: AcceptedSale): Parameters<typeof tendersOf>[1] {
  const named = values.payment_method === undefined && payments.length > 0 ? payments : undefined;
  return { payments: sent ?? named, method: values.payment_method ?? sale.payment_method };
}

function park(revised: SaleState, { values, payments, lines }: AcceptedSale, to: SaleStatus, faults: string[]): Planned {
  if (values.completed_at) faults.push(`Completed at is not allowed on a ${to} sale`);
  const named = payments ?? (values.payment_method === undefined ? revised.payments : []);
  const { sale } = revised;
  const parked: SaleRow = { ...sale, status: to, payment_method: methodOf(named, values.payment_method ?? sale.payment_method) };
  return {
    sale: parked,
    lines: revised.lines,
    payments: named,
    enters: to === sale.status ? undefined : to,
    newLines: lines !== undefined,
    newPayments: named !== revised.payments,
  };
}
