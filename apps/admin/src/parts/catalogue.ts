/** The store's codes, kept in the browser, so that a scan needs no request. The API prices each sale all the same. */

import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { ApiProblem, isUnanswered } from '../api/problem.ts';
import { t } from '../language/t.ts';
import { takeOutBeginning } from './scanner.ts';

export type Product = Schemas['Product'];

const productsMax = 20_000;
const perPage = 100;
const refreshMs = 60_000;
const beginMs = 2_000;
/** Of one code; as many are offered to choose from. */
const askedMax = 8;

const byCode = new Map<string, Product[]>();
const byId = new Map<number, Product>();
/** When each was read, in milliseconds. */
const readAt = new Map<number, number>();
/** When all that has changed was read last, by a clock that goes on while the device sleeps; 0: not since the register was left. */
let readAllAt = 0;
const oldMs = 2_000;
const soonMs = 3_000;
const beginning = '1970-01-01T00:00:00Z';
/** Every product was read. */
let isWhole = false;
/** What was changed later is read in the next round. */
let since = beginning;
/** The latest change among the products that are kept. */
let latestKept = beginning;
/** A change may be committed so long behind its time. */
const lateMs = 10_000;
/** Another whenever all of it is forgotten: an answer that was asked for before is not kept. */
let era = 0;

/** Several rounds had no answer: the session was over, the store away, or the device asleep. */
const mayBeOld = (): boolean => Math.abs(Date.now() - readAllAt) > 3 * refreshMs;

function keep(product: Product): void {
  // An answer that was overtaken.
  if ((byId.get(product.id)?.updated_at ?? '') > product.updated_at) return;
  forget(product.id);
  if (product.has_variations || !product.active) return;
  byId.set(product.id, product);
  readAt.set(product.id, performance.now());
  for (const code of codesOf(product)) byCode.set(code, [...(byCode.get(code) ?? []), product]);
}

function forget(id: number): void {
  const before = byId.get(id);
  byId.delete(id);
  readAt.delete(id);
  for (const code of before ? codesOf(before) : [])
    byCode.set(
      code,
      byCode.get(code)!.filter((one) => one.id !== id),
    );
}

const codesOf = (product: Product): Set<string> => new Set([...barcodesOf(product), ...(product.sku === undefined ? [] : [product.sku])]);
const barcodesOf = ({ barcode, additional_barcode_codes }: Product): string[] => [
  ...(barcode === undefined ? [] : [barcode]),
  ...additional_barcode_codes,
];

/** A code that an active product has is not an inactive one's; one that is a product's barcode and another's sku means the barcode. */
function meant(code: string, products: Product[]): Product[] {
  const active = products.filter((product) => product.active);
  const among = active.length > 0 ? active : products;
  const byBarcode = among.filter((product) => barcodesOf(product).includes(code));
  return byBarcode.length > 0 ? byBarcode : among;
}

/** Pages of what changed since the last time, or of everything; what was switched off is among them, to be forgotten. */
async function refresh(): Promise<void> {
  const began = era;
  const from = since;
  const startedAt = Date.now();
  let latest = from;
  // Everything is what is sold; what was found before and is not among it is that no more.
  const isAll = from === beginning;
  const read = new Set<number>();
  for (let page = 1; page * perPage <= productsMax; page++) {
    const query = { updated_since: from, ...(!isAll && { all: true }), page, per_page: perPage };
    const { products } = await call('listProducts', { query });
    if (began !== era) return;
    for (const product of products) {
      keep(product);
      read.add(product.id);
      if (product.updated_at > latest) latest = product.updated_at;
    }
    if (isAll) isWhole = products.length < perPage;
    if (products.length < perPage) break;
  }
  if (isAll) for (const id of [...byId.keys()]) if (!read.has(id)) forget(id);
  // Once more: what was changed when its page was read already, or committed late.
  const againMs = Math.abs(Date.now() - startedAt) + lateMs;
  since = latest > latestKept ? new Date(Date.parse(latest) - againMs).toISOString() : latest;
  latestKept = latest;
}

async function ask(code: string, mayBeName: boolean, all: boolean): Promise<Product[]> {
  const which = { per_page: askedMax, ...(all && { all }) };
  const [byBarcode, bySku] = await Promise.all([
    call('listProducts', { query: { barcode: code, ...which } }),
    call('listProducts', { query: { sku: code, ...which } }),
  ]);
  // The code of a weight preset stands for a weight and a price that the product does not say: sold as one piece it would be wrong.
  const ofBarcode = byBarcode.products.filter((product) => barcodesOf(product).includes(code));
  const products = sold([...ofBarcode, ...bySku.products.filter(({ id }) => ofBarcode.every((one) => one.id !== id))]);
  // Digits may be a part of another's code.
  if (products.length > 0 || !mayBeName || /^\d+$/.test(code)) return products;
  const found = await call('listProducts', { query: { search: code, per_page: askedMax } });
  const named = sold(found.products);
  // A parent is found beside its variations.
  return named.length === 1 && found.pagination.total_count <= askedMax ? named : [];
}

/** Its answer, or none after some seconds. */
function soon<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const none = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ApiProblem(0, t('The store does not answer'))), soonMs);
  });
  return Promise.race([answer, none]).finally(() => clearTimeout(timer));
}

const sold = (products: Product[]): Product[] => products.filter(({ has_variations }) => !has_variations);

interface FindOptions {
  /** What was read longer ago is asked for again, and serves when no answer comes. */
  freshMs?: number;
  /** It was typed: without a product of that code it is the only one whose name, or code, has it. */
  mayBeName?: boolean;
  /** What is not sold has its codes too. */
  all?: boolean;
}

export const catalogue = {
  /** The products of a barcode or a sku; most often one. Throws when there is no answer and none is known. */
  find: async (
    code: string,
    { freshMs = Number.POSITIVE_INFINITY, mayBeName = false, all = false }: FindOptions = {},
  ): Promise<Product[]> => {
    const known = byCode.get(code) ?? [];
    const isWithin = (ms: number) => known.length > 0 && known.every(({ id }) => performance.now() - readAt.get(id)! < ms);
    const isFresh = isWithin(freshMs);
    if (isFresh && (!mayBeOld() || isWithin(oldMs))) return meant(code, known);
    const began = era;
    try {
      const asked = ask(code, mayBeName, all);
      const products = await (isFresh ? soon(asked) : asked);
      if (began === era) {
        for (const { id } of known) forget(id);
        for (const product of products) keep(product);
      }
      return meant(code, products);
    } catch (error) {
      if (known.length > 0 && isUnanswered(error)) return meant(code, known);
      throw error;
    }
  },
  /** The products of what was typed as a whole, or else of what a scanner typed of it. */
  findScanned: async (
    code: string,
    { whole, ...options }: FindOptions & { whole: string | undefined },
  ): Promise<{ code: string; products: Product[] }> => {
    const products = whole === undefined ? [] : await catalogue.find(whole, options);
    if (whole === undefined || products.length === 0) return { code, products: await catalogue.find(code, options) };
    takeOutBeginning(whole);
    return { code: whole, products };
  },
  /** How a product is sold, as `unit` or `gram`; undefined: that cannot be known now. */
  unitOf: async (id: number): Promise<string | undefined> => {
    const known = byId.get(id);
    if (known) return known.unit_type;
    return call('getProduct', { params: { id } }).then(
      ({ product }) => product?.unit_type,
      () => undefined,
    );
  },
  /** Of a product that the store has no more: its codes are asked for again. */
  forget,
  /** Of a product that a search has found. */
  keep,
  /** Whether neither code nor name finds it: it was switched off, deleted, or is sold by its variations. False where that is not known. */
  isOff: (id: number): boolean => isWhole && !mayBeOld() && !byId.has(id),
  /** Whoever signs in next may be of another store. */
  clear: (): void => {
    era++;
    byCode.clear();
    byId.clear();
    readAt.clear();
    since = beginning;
    latestKept = beginning;
    isWhole = false;
    readAllAt = 0;
  },
  /** Loads the codes in the background and what changes every minute. Returns how to stop. */
  keepFresh: (): (() => void) => {
    let timer: ReturnType<typeof setTimeout>;
    let isLeft = false;
    const run = async () => {
      // Without the codes each scan is asked for; the next round tries again.
      const isRead = await refresh().then(
        () => true,
        () => false,
      );
      if (isLeft) return;
      if (isRead) readAllAt = Date.now();
      timer = setTimeout(run, refreshMs);
    };
    timer = setTimeout(run, byId.size === 0 ? beginMs : 0);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      readAllAt = 0;
    };
  },
};
