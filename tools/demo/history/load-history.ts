/**
 * The demo store's past, sold again through the register: the retailer's invoices as sales, its customers, what came back.
 * It goes on behind the first answers, and continues where an earlier start was cut off.
 */
import { type Client, eachOf } from '../client.ts';
import { demoProducts } from '../products.ts';
import type { Progress } from '../progress.ts';
import { readTransactions, type Transaction } from '../transactions.ts';
import { atOnce, type Listed, productsBySku } from '../upkeep.ts';
import { type DatePolicy, datesOf } from './dates.ts';
import { type Returned, type SoldInvoice, tradeOf } from './invoices.ts';
import { personOf } from './people.ts';

export interface HistoryOptions {
  staff: Client;
  key: Client;
  progress: Progress;
  dates: DatePolicy;
  /** Ends the load between two requests. */
  signal: AbortSignal;
  /** What is sold again; all of the data when absent. */
  rows?: Transaction[] | undefined;
}

/** The gift store's. */
const timeZone = 'Europe/London';
/** Sales in flight at once: the register of a shop with four tills. */
const tills = 4;
/** Every so many sales of the data are fulfilled in another way, or voided by the demo. */
const voidedEvery = 41;
const deliveredEvery = 23;

/** Returns the ids of the customers in the order in which the data first mentions them. */
export async function loadHistory({ staff, key, progress, dates, signal, rows = readTransactions() }: HistoryOptions): Promise<number[]> {
  const listed = await productsBySku(key);
  const skus = demoProducts(rows).map(({ sku }) => sku);
  const { sold, returned } = tradeOf(rows, new Set(skus.filter((sku) => listed.has(sku))));
  progress.step('customers', 10);
  const customers = await loadCustomers(staff, sold, signal);
  progress.step('sales', 70);
  const times = sold.map(({ at }) => at);
  const dateOf = datesOf(times, dates, new Date(), timeZone);
  let done = 0;
  await eachOf([...sold.entries()], tills, async ([index, invoice]) => {
    signal.throwIfAborted();
    await sell(staff, { invoice, index, listed, completedAt: dateOf(invoice.at), customerId: customers.get(invoice.customer) });
    progress.part(++done / sold.length);
  });
  progress.step('returned goods', 5);
  await takeBack(key, returned, listed, signal);
  return [...customers.values()];
}

/** Ids by CustomerID. A customer who is there already is found by the duplicate rule. */
async function loadCustomers(staff: Client, sold: SoldInvoice[], signal: AbortSignal): Promise<Map<string, number>> {
  const countries = new Map(sold.filter(({ customer }) => customer !== '').map(({ customer, country }) => [customer, country]));
  const ids = await eachOf([...countries], atOnce, async ([customer, country]) => {
    signal.throwIfAborted();
    const answer = await staff.post<{ customer: { id: number } }>('/customers', { customer: personOf(customer, country) });
    return [customer, answer.customer.id] as const;
  });
  return new Map(ids);
}

interface Selling {
  invoice: SoldInvoice;
  index: number;
  listed: Map<string, Listed>;
  completedAt: string;
  customerId: number | undefined;
}

async function sell(staff: Client, { invoice, index, listed, completedAt, customerId }: Selling): Promise<void> {
  const isDelivered = customerId !== undefined && index % deliveredEvery === 0;
  const sale = {
    status: 'completed',
    source: isDelivered ? 'online' : 'pos',
    sale_type: isDelivered ? 'delivery' : 'retail',
    fulfillment_method: isDelivered ? 'local_delivery' : 'in_store',
    payment_method: customerId === undefined ? cashOrDebit(index) : 'credit',
    completed_at: completedAt,
    ...(customerId !== undefined && { customer_id: customerId }),
    line_items: invoice.lines.map(({ sku, quantity, pence }) => {
      const { id, block_manual_discounts } = listed.get(sku)!;
      // What takes no discount is sold at its own price.
      return { product_id: id, quantity, ...(!block_manual_discounts && { unit_price: (pence / 100).toFixed(2) }) };
    }),
  };
  const saleId = await sellOnce(staff, { ...sale, receipt_number: invoice.invoice });
  if (saleId === undefined) return;
  const isVoided = invoice.voided || index % voidedEvery === voidedEvery - 1;
  if (isVoided) await staff.patch(`/sales/${saleId}`, { sale: { status: 'voided', void_reason: 'Customer changed their mind' } });
}

/** The id of the sale; undefined when an earlier start has made it, as its number is taken. */
async function sellOnce(staff: Client, sale: object): Promise<number | undefined> {
  try {
    return (await staff.post<{ sale: { id: number } }>('/sales', { sale })).sale.id;
  } catch (error) {
    if ((error as Error).message.includes('Receipt number has already been taken')) return undefined;
    throw error;
  }
}

const cashOrDebit = (index: number): string => (index % 2 === 0 ? 'cash' : 'debit');

/** Goods that came back are received again. */
async function takeBack(key: Client, returned: Returned[], listed: Map<string, Listed>, signal: AbortSignal): Promise<void> {
  await eachOf([...returned.entries()], 1, async ([index, { invoice, sku, quantity }]) => {
    signal.throwIfAborted();
    const product = listed.get(sku)!;
    const adjustment = { product_id: product.id, adjustment_type: 'receive', quantity_change: quantity, reason: `Return ${invoice}` };
    await key.post('/stock_adjustments', adjustment, `demo-return-${invoice}-${index}`);
  });
}
