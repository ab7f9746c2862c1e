/** The store's codes, kept in the browser, so that a scan needs no request. The API prices each sale all the same. */
import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';

export type Product = Schemas['Product'];

const productsMax = 20_000;
const perPage = 100;
const refreshMs = 60_000;
const beginMs = 2_000;

const byCode = new Map<string, Product>();
const codesOf = new Map<number, string[]>();
/** The latest change among the products that are kept. */
let since = '1970-01-01T00:00:00Z';

function keep(product: Product): void {
  for (const code of codesOf.get(product.id) ?? []) if (byCode.get(code)?.id === product.id) byCode.delete(code);
  if (product.has_variations) return;
  const codes = [product.barcode, product.sku, ...product.additional_barcode_codes].filter((code) => code !== undefined);
  codesOf.set(product.id, codes);
  for (const code of codes) byCode.set(code, product);
}

/** Pages of what changed since the last time, or of everything. */
async function refresh(): Promise<void> {
  let latest = since;
  for (let page = 1; page * perPage <= productsMax; page++) {
    const { products } = await call('listProducts', { query: { updated_since: since, page, per_page: perPage } });
    for (const product of products) {
      keep(product);
      if (product.updated_at > latest) latest = product.updated_at;
    }
    if (products.length < perPage) break;
  }
  since = latest;
}

async function ask(code: string): Promise<Product | undefined> {
  const [byBarcode, bySku] = await Promise.all([
    call('listProducts', { query: { barcode: code, per_page: 2 } }),
    call('listProducts', { query: { sku: code, per_page: 2 } }),
  ]);
  const product = [...byBarcode.products, ...bySku.products].find(({ has_variations }) => !has_variations);
  if (product) return product;
  // What was typed may be a name: it is taken when only one product has it. Digits may be a part of another's code.
  if (/^\d+$/.test(code)) return undefined;
  const { products } = await call('listProducts', { query: { search: code, per_page: 2 } });
  const sold = products.filter(({ has_variations }) => !has_variations);
  return sold.length === 1 ? sold[0] : undefined;
}

export const catalogue = {
  /** The product of a barcode, a sku or the only one of a name. Throws when no answer came. */
  find: async (code: string): Promise<Product | undefined> => {
    const known = byCode.get(code);
    if (known) return known;
    const product = await ask(code);
    if (product) keep(product);
    return product;
  },
  /** Loads the codes in the background and what changes every minute. Returns how to stop. */
  keepFresh: (): (() => void) => {
    let timer: ReturnType<typeof setTimeout>;
    const run = () =>
      // Without the codes each scan is asked for; the next round tries again.
      void refresh()
        .catch(() => undefined)
        .finally(() => {
          timer = setTimeout(run, refreshMs);
        });
    timer = setTimeout(run, beginMs);
    return () => clearTimeout(timer);
  },
};
