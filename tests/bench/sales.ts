/**
 * `npm run bench -- --only sales`: lists, single sales and searches beside floors with the same rows, in stores of 10,000 and
 * 1,000,000 sales; the register beside a floor, and what it sets in motion at that rate; the snapshot of 20,000 gift cards.
 */
import { customersOf } from './customers.ts';
import { type BenchLayout, type BenchOptions, openLayout, openNotes } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { type Floor, openFloors } from './floors.ts';
import { benchSnapshot } from './gift-card-snapshot.ts';
import { wireRequest } from './load.ts';
import { type Measured, measure, rounded, shown, type Target } from './measure.ts';
import { benchRegister } from './register.ts';
import { addGiftCards, addSales } from './sales-rows.ts';

export interface SalesBench extends BenchOptions {
  /** Sales of the large store. */
  sales: number;
  /** Seconds of steady selling. */
  sustained: number;
}

const smallSales = 10_000;

export async function benchSales({ say, stops, ...how }: SalesBench): Promise<Record<string, unknown>> {
  const layout = await openLayout({ name: 'sales-bench', products: 1_000, say, stops });
  const { small, large } = layout.fixture;
  say(`Making ${smallSales.toLocaleString('en')} and ${how.sales.toLocaleString('en')} sales`);
  await addSales(layout.database, small.storeId, { sales: smallSales, customers: customersOf.small });
  await addSales(layout.database, large.storeId, { sales: how.sales, customers: customersOf.large });
  await addGiftCards(layout.database, small.storeId);
  const floors = await openFloors(layout.env, stops);
  const [list, pair] = [await floors.list('floor-sales.ts'), await floors.pair()];
  const { figures, note } = openNotes();
  for (const connections of how.connections) {
    const medians = await measure(await targetsOf(layout, list, pair), { ...how, connections, say });
    for (const [name, figure] of medians) note(`${name}, ${connections} connections`, shown(figure));
    for (const { name, value, wanted } of ratiosOf(medians)) note(`${name}, ${connections} connections`, { ratio: rounded(value), wanted });
  }
  note('gift cards: snapshot of 20,000', await benchSnapshot(layout, small));
  await benchRegister(layout, pair, { ...how, say, note });
  return figures;
}

async function targetsOf(layout: BenchLayout, floorList: Floor, pair: Floor): Promise<Target[]> {
  const { small, large } = layout.fixture;
  const { postgres } = layout.processes;
  const withPostgres = (processes: Record<string, number>) => ({ ...processes, ...(postgres && { postgres }) });
  const ids = await idsOf(layout, small);
  const gateway = Number(new URL(layout.api).port);
  const get = (store: BenchStore, path: (n: number) => string) => (n: number) =>
    wireRequest('GET', `/api/v1${path(n)}`, { 'X-API-Key': store.keys[1 + (n % (store.keys.length - 1))]! });
  const ours = (name: string, store: BenchStore, path: (n: number) => string): Target => ({
    name,
    port: gateway,
    request: get(store, path),
    processes: layout.processes,
  });
  const one = (n: number) => `/sales/${ids[n % ids.length]}`;
  const list = get(small, () => '/sales');
  return [
    { name: 'floor A: list of 50', port: floorList.port, request: list, processes: withPostgres(floorList.processes) },
    ours('list of 50 of 10,000', small, () => '/sales'),
    ours('list of 50 of the large store', large, () => '/sales'),
    { name: 'floor B: one sale', port: pair.port, request: get(small, one), processes: withPostgres(pair.processes) },
    ours('one sale', small, one),
    ours('search by receipt', large, (n) => `/sales?search=B-${7_919 * ((n % 120) + 1)}`),
    ours('search by name', large, (n) => `/sales?search=lantern%20${100 * ((n % 900) + 1)}`),
    ours('search by phone', large, (n) => `/sales?search=${2_000_000_000 + 7_919 * ((n % 90_000) + 1)}`),
  ];
}

async function idsOf({ database }: BenchLayout, { storeId }: BenchStore): Promise<number[]> {
  const text = 'select id::int from sales.sales where store_id = $1 order by random() limit 1000';
  return (await database.query<{ id: number }>(text, [storeId])).rows.map(({ id }) => id);
}

function ratiosOf(medians: Map<string, Measured>): { name: string; value: number; wanted: string }[] {
  const of = (name: string) => medians.get(name)!;
  const [small, large] = [of('list of 50 of 10,000'), of('list of 50 of the large store')];
  return [
    { name: 'list ÷ floor A, requests/s', value: small.perSecond / of('floor A: list of 50').perSecond, wanted: '≥ 0.6' },
    { name: 'one sale ÷ floor B, requests/s', value: of('one sale').perSecond / of('floor B: one sale').perSecond, wanted: '≥ 0.6' },
    { name: 'list of the large store ÷ 10,000, p50', value: large.p50Ms / small.p50Ms, wanted: '≤ 1.5' },
  ];
}
