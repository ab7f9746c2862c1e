/** From transactions to what a till does: sales, voided sales, and goods that came back. docs/demo-data.md has the rules. */
import type { Transaction } from '../transactions.ts';

export interface SoldLine {
  sku: string;
  quantity: number;
  pence: number;
}

export interface SoldInvoice {
  /** InvoiceNo, with a part where it became several sales: 537434-2. */
  invoice: string;
  /** Local time, such as 2010-12-01T08:26. */
  at: string;
  /** CustomerID; empty for an unknown customer. */
  customer: string;
  country: string;
  lines: SoldLine[];
  voided: boolean;
}

/** Goods that came back. */
export interface Returned {
  invoice: string;
  sku: string;
  quantity: number;
}

export interface Trade {
  sold: SoldInvoice[];
  returned: Returned[];
}

export const linesMax = 500;

/** `skus`: the products that there are. */
export function tradeOf(rows: Transaction[], skus: ReadonlySet<string>): Trade {
  const invoices = [...Map.groupBy(rows, (row) => row.invoice)];
  const [cancelled, kept] = [
    invoices.filter(([invoice]) => isCancellation(invoice)),
    invoices.filter(([invoice]) => !isCancellation(invoice)),
  ];
  const bySignature = new Map(kept.map(([invoice, lines]) => [signatureOf(lines), invoice]));
  const voided = new Set<string>();
  const returned: Returned[] = [];
  for (const [invoice, lines] of cancelled) {
    const whole = bySignature.get(signatureOf(lines));
    if (whole !== undefined) voided.add(whole);
    else returned.push(...lines.flatMap((line) => returnedBy(line, invoice, skus)));
  }
  return { sold: kept.flatMap(([invoice, lines]) => salesOf(invoice, lines, skus, voided.has(invoice))), returned };
}

const isCancellation = (invoice: string): boolean => invoice.startsWith('C');
const skuOf = ({ code }: Transaction): string => code.trim().toUpperCase();

/** The same for an invoice and for the cancellation that takes back all of it. */
function signatureOf(lines: Transaction[]): string {
  const goods = lines.map((line) => `${skuOf(line)} ${Math.abs(line.quantity)}`).sort();
  return `${lines[0]!.customer} ${goods.join(',')}`;
}

function returnedBy(line: Transaction, invoice: string, skus: ReadonlySet<string>): Returned[] {
  const sku = skuOf(line);
  return skus.has(sku) && line.quantity < 0 ? [{ invoice, sku, quantity: -line.quantity }] : [];
}

function salesOf(invoice: string, rows: Transaction[], skus: ReadonlySet<string>, voided: boolean): SoldInvoice[] {
  const lines = rows
    .filter((row) => row.quantity > 0 && row.pence > 0 && skus.has(skuOf(row)))
    .map((row) => ({ sku: skuOf(row), quantity: row.quantity, pence: row.pence }));
  const { at, customer, country } = rows[0]!;
  const parts = Math.ceil(lines.length / linesMax);
  return Array.from({ length: parts }, (_, part) => ({
    invoice: parts === 1 ? invoice : `${invoice}-${part + 1}`,
    at,
    customer,
    country,
    lines: lines.slice(part * linesMax, (part + 1) * linesMax),
    voided,
  }));
}
