/** The retailer's transactions as published; errors in the data are kept here. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** One line of one invoice. */
export interface Transaction {
  /** A leading C marks a cancellation. */
  invoice: string;
  code: string;
  description: string;
  /** Negative on cancellations and on adjustments. */
  quantity: number;
  /** Unit price in pence, so that prices are compared and counted exactly. */
  pence: number;
  /** Local time of the invoice, such as 2010-12-01T08:26. */
  at: string;
  /** CustomerID; empty where none was noted. */
  customer: string;
  country: string;
}

const file = fileURLToPath(new URL('./data/online-retail-first-10000.csv.gz', import.meta.url));

/** The transactions that the repository carries. */
export function readTransactions(): Transaction[] {
  return parseTransactions(gunzipSync(readFileSync(file)).toString('utf8'));
}

/** Reads InvoiceNo, StockCode, Description, Quantity, InvoiceDate, UnitPrice, CustomerID, Country below a header line. */
export function parseTransactions(csv: string): Transaction[] {
  const lines = csv.split(/\r?\n/).filter((line) => line !== '');
  return lines.slice(1).map((line, index) => {
    const [invoice, code, description, quantity, date, price, customer = '', country = ''] = splitLine(line);
    const pence = Math.round(Number(price) * 100);
    if (!invoice || code === undefined || description === undefined || !Number.isInteger(Number(quantity)) || !Number.isInteger(pence))
      throw new Error(`line ${index + 2} is no transaction: ${line}`);
    return { invoice, code, description, quantity: Number(quantity), pence, at: isoLocal(date), customer, country };
  });
}

/** 01/12/2010 08:26 as 2010-12-01T08:26; empty when it is no date. */
function isoLocal(date = ''): string {
  const [, day, month, year, time] = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d)$/.exec(date) ?? [];
  return time === undefined ? '' : `${year}-${month}-${day}T${time}`;
}

/** A quoted field may hold commas, and a quote as two quotes. */
function splitLine(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
