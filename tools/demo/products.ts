/**
 * From transactions to products: one product per stock code. docs/demo-data.md has the rules for the dirty rows, each with its reason and
 * how many rows it concerns.
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

const productCode = /^\d{5}[A-Z]{0,2}$/;
const isCancelled = (row: Transaction): boolean => row.invoice.startsWith('C');
const isNote = (description: string): boolean => !/\p{Lu}/u.test(description);

/** Products in the order in which the data first mentions them. */
export function demoProducts(rows: Transaction[]): DemoProduct[] {
  const byCode = Map.groupBy(rows, (row) => skuOf(row.code));
  return [...byCode].filter(([code]) => productCode.test(code)).flatMap(([sku, lines]) => productOf(sku, lines) ?? []);
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
