/**
 * From transactions to products: one product per stock code. The rules for the dirty rows, each with
 * its reason; docs/demo-data.md has them with counts.
 *
 * 1. A code is compared trimmed and in capitals: `15056bl` is `15056BL` from another till.
 * 2. A code that is not five digits and at most two letters (POST, DOT, C2, D, M, BANK CHARGES) is a
 *    service and no product.
 *    note that a person wrote on an adjustment. It names no product.
 * 4. The name is the most frequent description, spaces collapsed; the latest one of equally frequent ones.
 * 5. The price is the most frequent price above zero of lines that are not cancelled; of equally
 *    frequent ones the lowest. A code that only cancelled lines mention takes its price from those,
 *    for the goods were real.
 * 6. Zero and negative prices are adjustments of stock; they set no price.
 * 7. The wholesale price is the lowest price above zero of lines that are not cancelled, where it is
 *    below the price: what the trade paid for cases.
 * 8. A code without a name or without a price is no product.
 * 9. Sold is the sum of the positive quantities of lines that are not cancelled; net also counts
 *    cancellations and adjustments.
 */
import { productName } from './product-name.ts';
import type { Transaction } from './transactions.ts';

export interface DemoProduct {
  sku: string;
  name: string;
  /** Two decimals. */
  price: string;
  /** Two decimals; absent when every price paid was at least the price. */
  wholesalePrice?: string;
  /** Pieces sold in the five days of the data. */
  sold: number;
  /** Pieces that left stock, less returns; write-offs included. */
  net: number;
  /** Only cancelled lines mention it: it was sent back and not sold again. */
  onlyReturned: boolean;
}

/** How many rows and codes met each rule, for docs/demo-data.md and its test. */
export interface Counts {
  rows: number;
  codes: number;
  mergedCodes: number;
  serviceCodes: number;
  serviceRows: number;
  emptyDescriptions: number;
  noteDescriptions: number;
  zeroPrices: number;
  negativePrices: number;
  cancelledRows: number;
  adjustedRows: number;
  conflictingNames: number;
  conflictingPrices: number;
  namelessCodes: number;
  pricelessCodes: number;
  returnedOnlyCodes: number;
  products: number;
}

const productCode = /^\d{5}[A-Z]{0,2}$/;
const isCancelled = (row: Transaction): boolean => row.invoice.startsWith('C');
const isNote = (description: string): boolean => !/\p{Lu}/u.test(description);

/** Products in the order in which the data first mentions them. */
export function demoProducts(rows: Transaction[]): { products: DemoProduct[]; counts: Counts } {
  const byCode = Map.groupBy(rows, (row) => skuOf(row.code));
  const goods = [...byCode].filter(([code]) => productCode.test(code));
  const products = goods.flatMap(([sku, lines]) => {
    const product = productOf(sku, lines);
    return product ? [product] : [];
  });
  return { products, counts: count(rows, byCode, goods, products) };
}

const skuOf = (code: string): string => code.trim().toUpperCase();

function productOf(sku: string, lines: Transaction[]): DemoProduct | undefined {
  const name = mostFrequent(namesOf(lines), (later) => later > 0);
  const prices = pricesOf(lines);
  const pence = mostFrequent(prices, () => false);
  if (name === undefined || pence === undefined) return undefined;
  return {
    sku,
    name: productName(name),
    price: pounds(pence),
    ...(prices[0]! < pence && { wholesalePrice: pounds(prices[0]!) }),
    sold: sum(lines.filter((row) => !isCancelled(row) && row.quantity > 0)),
    net: sum(lines),
    onlyReturned: lines.every(isCancelled),
  };
}

function namesOf(lines: Transaction[]): string[] {
  return lines.map((row) => row.description.trim().replace(/\s+/g, ' ')).filter((text) => text !== '' && !isNote(text));
}

/** In pence, ascending: the lowest of equally frequent ones then comes first. */
function pricesOf(lines: Transaction[]): number[] {
  const priced = lines.filter((row) => row.pence > 0);
  const kept = priced.filter((row) => !isCancelled(row));
  return (kept.length > 0 ? kept : priced).map((row) => row.pence).sort((a, b) => a - b);
}

const pounds = (pence: number): string => (pence / 100).toFixed(2);

/** `winsTie` is asked whether the later of two equally frequent values wins over the earlier. */
function mostFrequent<T>(values: T[], winsTie: (later: number) => boolean): T | undefined {
  const times = new Map<T, { times: number; last: number }>();
  for (const [last, value] of values.entries()) times.set(value, { times: (times.get(value)?.times ?? 0) + 1, last });
  let best: [T, { times: number; last: number }] | undefined;
  for (const entry of times) {
    const [, { times: often, last }] = entry;
    if (!best || often > best[1].times || (often === best[1].times && winsTie(last - best[1].last))) best = entry;
  }
  return best?.[0];
}

const sum = (lines: Transaction[]): number => lines.reduce((total, row) => total + row.quantity, 0);

function count(rows: Transaction[], byCode: Map<string, Transaction[]>, goods: [string, Transaction[]][], products: DemoProduct[]): Counts {
  const rawCodes = new Set(rows.map((row) => row.code)).size;
  const text = (row: Transaction) => row.description.trim();
  const prices = (lines: Transaction[]) => new Set(lines.filter((row) => row.pence > 0).map((row) => row.pence));
  return {
    rows: rows.length,
    codes: rawCodes,
    mergedCodes: rawCodes - byCode.size,
    serviceCodes: byCode.size - goods.length,
    serviceRows: rows.length - goods.reduce((total, [, lines]) => total + lines.length, 0),
    emptyDescriptions: rows.filter((row) => text(row) === '').length,
    noteDescriptions: rows.filter((row) => text(row) !== '' && isNote(text(row))).length,
    zeroPrices: rows.filter((row) => row.pence === 0).length,
    negativePrices: rows.filter((row) => row.pence < 0).length,
    cancelledRows: rows.filter(isCancelled).length,
    adjustedRows: rows.filter((row) => row.quantity < 0 && !isCancelled(row)).length,
    conflictingNames: goods.filter(([, lines]) => new Set(namesOf(lines)).size > 1).length,
    conflictingPrices: goods.filter(([, lines]) => prices(lines).size > 1).length,
    namelessCodes: goods.filter(([, lines]) => namesOf(lines).length === 0).length,
    pricelessCodes: goods.filter(([, lines]) => prices(lines).size === 0).length,
    returnedOnlyCodes: products.filter((product) => product.onlyReturned).length,
    products: products.length,
  };
}
