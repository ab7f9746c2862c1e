/**
 * `npm run bench -- --only sales`: lists, single sales and searches beside floors with the same rows, in stores of 10,000 and
 * 1,000,000 sales; customers of 2,000 and 90,000; the register beside a floor, and what it sets in motion at that rate; the
 * snapshot of 20,000 gift cards.
 */
import { cpuMs, usedMs } from './cpu.ts';
import { type BenchLayout, openLayout, openNotes } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { floorStarter, makeTables } from './floors.ts';
import { benchSnapshot } from './gift-card-snapshot.ts';
import { type LoadResult, load, type WireRequest, wireRequest } from './load.ts';
import { benchRegister } from './register.ts';
import { addGiftCards, addSales } from './sales-rows.ts';

export interface SalesBench {
  seconds: number;
  rounds: number;
  connections: number[];
  /** Sales of the large store. */
  sales: number;
  /** Seconds of steady selling. */
  sustained: number;
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
}

const smallSales = 10_000;
const customersOf = { small: 2_000, large: 90_000 };
const floorPorts = 3_270;

/** Requests that are measured beside each other, each round in turn. */
export interface Target {
  name: string;
  port: number;
  request(n: number): WireRequest;
  /** Names of the processes whose CPU time it takes. */
  processes: Record<string, number>;
  expect?: string;
}

interface Round extends LoadResult {
  cpu: number;
}

export async function benchSales({ say, stops, ...how }: SalesBench): Promise<Record<string, unknown>> {
  const layout = await openLayout({ name: 'sales-bench', products: 1_000, say, stops });
  const { small, large } = layout.fixture;
  say(`Making ${smallSales.toLocaleString('en')} and ${how.sales.toLocaleString('en')} sales`);
  await addSales(layout.database, small.storeId, { sales: smallSales, customers: customersOf.small });
  await addSales(layout.database, large.storeId, { sales: how.sales, customers: customersOf.large });
  await addGiftCards(layout.database, small.storeId);
  const floors = await startFloors(layout, stops);
  const { figures, note } = openNotes();
  for (const connections of how.connections) {
    const medians = await measure(await targetsOf(layout, floors), { ...how, connections, say });
    for (const [name, figure] of medians) note(`${name}, ${connections} connections`, shown(figure));
    for (const { name, value, wanted } of ratiosOf(medians)) note(`${name}, ${connections} connections`, { ratio: round(value), wanted });
  }
  note('gift cards: snapshot of 20,000', await benchSnapshot(layout, small));
  await benchRegister(layout, floors.writes, { ...how, say, note, measure });
  return figures;
}

export interface SalesFloors {
  list: { port: number; pid: number };
  one: { port: number; processes: Record<string, number> };
  writes: { port: number; processes: Record<string, number> };
}

async function startFloors({ env }: BenchLayout, stops: SalesBench['stops']): Promise<SalesFloors> {
  await makeTables(env.DATABASE_URL!);
  const { start, stop } = floorStarter(env);
  stops.push(stop);
  const list = await start('floor-sales.ts', floorPorts);
  const pair = async (files: [back: string, front: string], port: number) => {
    const back = await start(files[0], port);
    const front = await start(files[1], port + 1, { BACK_ADDRESS: `127.0.0.1:${back.port}` });
    return { port: front.port, processes: { back: back.pid, front: front.pid } };
  };
  const one = await pair(['floor-sale-back.ts', 'floor-sale-front.ts'], floorPorts + 1);
  const writes = await pair(['floor-c-back.ts', 'floor-c-front.ts'], floorPorts + 3);
  return { list, one, writes };
}

async function targetsOf(layout: BenchLayout, floors: SalesFloors): Promise<Target[]> {
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
    { name: 'floor A: list of 50', port: floors.list.port, request: list, processes: withPostgres({ floor: floors.list.pid }) },
    ours('list of 50 of 10,000', small, () => '/sales'),
    ours('list of 50 of the large store', large, () => '/sales'),
    { name: 'floor B: one sale', port: floors.one.port, request: get(small, one), processes: withPostgres(floors.one.processes) },
    ours('one sale', small, one),
    ours('search by receipt', large, (n) => `/sales?search=B-${7_919 * ((n % 120) + 1)}`),
    ours('search by name', large, (n) => `/sales?search=lantern%20${100 * ((n % 900) + 1)}`),
    ours('search by phone', large, (n) => `/sales?search=${2_000_000_000 + 7_919 * ((n % 90_000) + 1)}`),
    ours('customers: list of 25 of 2,000', small, () => '/customers'),
    ours('customers: list of 25 of 90,000', large, () => '/customers'),
  ];
}

async function idsOf({ database }: BenchLayout, { storeId }: BenchStore): Promise<number[]> {
  const { rows } = await database.query<{ id: string }>('select id from sales.sales where store_id = $1 order by random() limit 1000', [
    storeId,
  ]);
  return rows.map(({ id }) => Number(id));
}

export type Measure = typeof measure;

/** The median of the rounds by target. */
async function measure(
  targets: Target[],
  { seconds, rounds, connections, say }: { seconds: number; rounds: number; connections: number; say(line: string): void },
): Promise<Map<string, Round>> {
  const runs = new Map<string, Round[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const { name, port, request, processes, expect = '200' } of targets) {
      const before = cpuMs(processes);
      // The first round is short and warms up.
      const result = await load({ host: '127.0.0.1', port, connections, seconds: round === 0 ? 1 : seconds, request });
      const used = usedMs(before, processes);
      const { [expect]: expected = 0, ...unexpected } = result.statuses;
      if (expected < result.requests) say(`${name}: unexpected answers ${JSON.stringify(unexpected)}`);
      if (round > 0) runs.set(name, [...(runs.get(name) ?? []), { ...result, cpu: used / result.requests }]);
    }
  }
  const middle = (list: Round[]) => list.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(list.length / 2)]!;
  return new Map([...runs].map(([name, list]) => [name, middle(list)]));
}

function ratiosOf(medians: Map<string, Round>): { name: string; value: number; wanted: string }[] {
  const of = (name: string) => medians.get(name)!;
  const [small, large] = [of('list of 50 of 10,000'), of('list of 50 of the large store')];
  return [
    { name: 'list ÷ floor A, requests/s', value: small.perSecond / of('floor A: list of 50').perSecond, wanted: '≥ 0.6' },
    { name: 'one sale ÷ floor B, requests/s', value: of('one sale').perSecond / of('floor B: one sale').perSecond, wanted: '≥ 0.6' },
    { name: 'list of the large store ÷ 10,000, p50', value: large.p50Ms / small.p50Ms, wanted: '≤ 1.5' },
    {
      name: 'customers: list of 90,000 ÷ 2,000, p50',
      value: of('customers: list of 25 of 90,000').p50Ms / of('customers: list of 25 of 2,000').p50Ms,
      wanted: '≤ 1.5',
    },
  ];
}

export const round = (value: number): number => Number(value.toFixed(2));

export function shown({ perSecond, p50Ms, p99Ms, cpu, requests }: Round): object {
  return { perSecond: round(perSecond), p50Ms: round(p50Ms), p99Ms: round(p99Ms), cpuMsPerRequest: round(cpu), requests };
}
