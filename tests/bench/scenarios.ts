/** The measured scenarios: requests as an integrator sends them. */
import type { BenchStore, Fixture } from './fixture.ts';
import { type WireRequest, wireRequest } from './load.ts';

export interface Scenario {
  name: string;
  /** Which server it goes to: the gateway, or a floor written by hand. */
  target: 'gateway' | 'floor-a' | 'floor-b';
  /** The n-th request. */
  request: (n: number) => WireRequest;
  /** Statuses that count as expected answers. */
  expect: string[];
  /** Rows per request, for scenarios that are measured in rows. */
  rows?: number;
}

const rowsPerBulk = 1_000;

export function scenarios({ small, large, scratch }: Fixture): Scenario[] {
  const run = Date.now().toString(36);
  const get = (store: BenchStore, path: (n: number) => string) => (n: number) => wireRequest('GET', `/api/v1${path(n)}`, keyOf(store, n));
  const post = (store: BenchStore, path: string, body: (n: number) => object) => (n: number) =>
    wireRequest('POST', `/api/v1${path}`, keyOf(store, n), JSON.stringify(body(n)));
  const one = (store: BenchStore) => (n: number) => `/products/${store.ids[n % store.ids.length]}`;
  const read = (name: string, request: Scenario['request'], target: Scenario['target'] = 'gateway'): Scenario => ({
    name,
    target,
    request,
    expect: ['200'],
  });
  return [
    read(
      'floor A: list of 25 of 5,000',
      get(small, () => '/products'),
      'floor-a',
    ),
    read(
      'list of 25 of 5,000',
      get(small, () => '/products'),
    ),
    read(
      'list of 25 of 100,000',
      get(large, () => '/products'),
    ),
    read('floor B: one product', get(small, one(small)), 'floor-b'),
    read('one product', get(small, one(small))),
    read(
      'search in 5,000',
      get(small, (n) => `/products?search=lantern%20${200 * ((n % 20) + 1)}`),
    ),
    read(
      'search in 100,000',
      get(large, (n) => `/products?search=lantern%20${200 * ((n % 400) + 1)}`),
    ),
    read(
      'category of 5,000',
      get(small, (n) => `/products?category=category-${(n % 40) + 1}`),
    ),
    read(
      'category of 100,000',
      get(large, (n) => `/products?category=category-${(n % 40) + 1}`),
    ),
    {
      name: 'POST /products',
      target: 'gateway',
      request: post(scratch, '/products', (n) => ({ product: product(`${run}-${n}`) })),
      expect: ['201'],
    },
    {
      name: 'POST /stock_adjustments',
      target: 'gateway',
      request: post(scratch, '/stock_adjustments', (n) => ({
        product_id: scratch.ids[n % scratch.ids.length],
        adjustment_type: 'receive',
        quantity_change: 1,
      })),
      expect: ['201'],
    },
    {
      name: 'bulk_upsert of 1,000 new rows',
      target: 'gateway',
      request: post(scratch, '/products/bulk_upsert', (n) => ({
        products: Array.from({ length: rowsPerBulk }, (_, row) => product(`${run}-b${n}-${row}`)),
      })),
      expect: ['200'],
      rows: rowsPerBulk,
    },
    {
      name: 'bulk_upsert of 1,000 unchanged rows',
      target: 'gateway',
      request: post(scratch, '/products/bulk_upsert', () => ({
        products: Array.from({ length: rowsPerBulk }, (_, row) => product(`${run}-b0-${row}`)),
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
