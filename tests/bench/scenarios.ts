/** The measured scenarios: requests as an integrator sends them. */
import type { BenchStore, Fixture } from './fixture.ts';
import { type WireRequest, wireRequest } from './load.ts';

export interface Scenario {
  name: string;
  /** Which server it goes to: the gateway, or a floor written by hand. */
  target: 'gateway' | 'floor-a' | 'floor-b' | 'floor-c';
  /** The n-th request. */
  request: (n: number) => WireRequest;
  /** Statuses that count as expected answers. */
  expect: string[];
  /** Rows per request, for scenarios that are measured in rows. */
  rows?: number;
}

const rowsPerBulk = 1_000;

export function scenarios({ small, large, scratch, floor }: Fixture): Scenario[] {
  const run = Date.now().toString(36);
  const get = (store: BenchStore, path: (n: number) => string) => (n: number) => wireRequest('GET', `/api/v1${path(n)}`, keyOf(store, n));
  const post = (store: BenchStore, path: string, body: (n: number) => object) => (n: number) =>
    wireRequest('POST', `/api/v1${path}`, keyOf(store, n), JSON.stringify(body(n)));
  const one = (store: BenchStore) => (n: number) => `/products/${store.ids[n % store.ids.length]}`;
  const newRows = (n: number) => Array.from({ length: rowsPerBulk }, (_, row) => product(`${run}-b${n}-${row}`));
  /** A write to the floor and to the product, each in a store of its own. */
  const both = (name: string, request: (store: BenchStore) => Scenario['request'], more: Pick<Scenario, 'expect' | 'rows'>): Scenario[] => [
    { name: `floor C: ${name}`, target: 'floor-c', request: request(floor), ...more },
    { name, target: 'gateway', request: request(scratch), ...more },
  ];
  const lists: [name: string, store: BenchStore, path: (n: number) => string][] = [
    ['list of 25 of 5,000', small, () => '/products'],
    ['list of 25 of 100,000', large, () => '/products'],
    ['one product', small, one(small)],
    ['search in 5,000', small, (n) => `/products?search=lantern%20${200 * ((n % 20) + 1)}`],
    ['search in 100,000', large, (n) => `/products?search=lantern%20${200 * ((n % 400) + 1)}`],
    ['category of 5,000', small, (n) => `/products?category=category-${(n % 40) + 1}`],
    ['category of 100,000', large, (n) => `/products?category=category-${(n % 40) + 1}`],
    ['customers: list of 25 of 2,000', small, () => '/customers'],
    ['customers: list of 25 of 90,000', large, () => '/customers'],
    ['customers: search in 2,000', small, (n) => `/customers?q=lantern%20${100 * ((n % 20) + 1)}`],
    ['customers: search in 90,000', large, (n) => `/customers?q=lantern%20${100 * ((n % 900) + 1)}`],
    ['customers: phone in 90,000', large, (n) => `/customers?q=${2_000_000_000 + 7_919 * ((n % 90_000) + 1)}`],
  ];
  const read = (target: Scenario['target'], [name, store, path]: (typeof lists)[number]): Scenario => ({
    name,
    target,
    request: get(store, path),
    expect: ['200'],
  });
  return [
    read('floor-a', ['floor A: list of 25 of 5,000', small, () => '/products']),
    read('floor-b', ['floor B: one product', small, one(small)]),
    ...lists.map((list) => read('gateway', list)),
    ...both('POST /products', (store) => post(store, '/products', (n) => ({ product: product(`${run}-${n}`) })), { expect: ['201'] }),
    ...both('POST /stock_adjustments', (store) => post(store, '/stock_adjustments', adjustmentOf(store)), { expect: ['201'] }),
    ...both('bulk_upsert of 1,000 new rows', (store) => post(store, '/products/bulk_upsert', (n) => ({ products: newRows(n) })), {
      expect: ['200'],
      rows: rowsPerBulk,
    }),
    {
      name: 'bulk_upsert of 1,000 unchanged rows',
      target: 'gateway',
      request: post(scratch, '/products/bulk_upsert', () => ({
        products: newRows(0),
      })),
      expect: ['200'],
      rows: rowsPerBulk,
    },
    {
      name: 'refused with 429',
      target: 'gateway',
      request: () => wireRequest('GET', '/api/v1/products', { 'X-API-Key': small.keys[0]! }),
      expect: ['429', '200'],
    },
  ];
}

function adjustmentOf(store: BenchStore): (n: number) => object {
  return (n) => ({ product_id: store.ids[n % store.ids.length], adjustment_type: 'receive', quantity_change: 1 });
}

/** Keys in turn, so that none meets its limit; the first one is kept for the 429 scenario. */
function keyOf(store: BenchStore, n: number): Record<string, string> {
  return { 'X-API-Key': store.keys[1 + (n % (store.keys.length - 1))]! };
}

function product(sku: string): object {
  return {
    name: `Bench ${sku}`,
    sku,
    barcode: '5012345678900',
    price: '12.50',
    cost: '6.20',
    description: 'A sound article of the trade.',
  };
}
