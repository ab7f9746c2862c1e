/** POST /sales of three lines beside a floor, and then steadily at that rate until everything that it sets in motion has come. */
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchLayout, percentiles } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { wireRequest } from './load.ts';
import { type Measure, round, shown, type Target } from './sales.ts';
import { linesPerSale } from './sales-rows.ts';

interface RegisterBench {
  seconds: number;
  rounds: number;
  connections: number[];
  sustained: number;
  say(line: string): void;
  note(name: string, figure: object): void;
  measure: Measure;
}

const restWithinMs = 120_000;
const lookEveryMs = 1_000;

export async function benchRegister(
  layout: BenchLayout,
  floor: { port: number; processes: Record<string, number> },
  { note, measure, connections: list, sustained, ...how }: RegisterBench,
): Promise<void> {
  const { scratch, floor: floorStore } = layout.fixture;
  const token = await login(layout, scratch);
  const body = (store: BenchStore) => (n: number) => JSON.stringify({ sale: { line_items: linesOf(store, n) } });
  const gateway = Number(new URL(layout.api).port);
  const { postgres } = layout.processes;
  const targets: Target[] = [
    {
      name: 'floor C: POST /sales',
      port: floor.port,
      request: (n) => wireRequest('POST', '/api/v1/sales', { 'X-API-Key': floorStore.keys[1]! }, body(floorStore)(n)),
      processes: { ...floor.processes, ...(postgres && { postgres }) },
      expect: '201',
    },
    {
      name: 'POST /sales',
      port: gateway,
      request: (n) => wireRequest('POST', '/api/v1/sales', { Authorization: `Bearer ${token}` }, body(scratch)(n)),
      processes: layout.processes,
      expect: '201',
    },
  ];
  let rate = 0;
  for (const connections of list) {
    const medians = await measure(targets, { ...how, connections });
    const [theirs, ours] = targets.map(({ name }) => medians.get(name)!);
    for (const [name, figure] of medians) note(`${name}, ${connections} connections`, shown(figure));
    note(`POST /sales ÷ floor C, requests/s, ${connections} connections`, {
      ratio: round(ours!.perSecond / theirs!.perSecond),
      wanted: '≥ 0.5',
    });
    note(`POST /sales ÷ floor C, CPU, ${connections} connections`, { ratio: round(ours!.cpu / theirs!.cpu) });
    rate = Math.max(rate, theirs!.perSecond / 2);
    how.say(`At rest again after ${await rest(layout, scratch)} ms`);
  }
  note(
    `${sustained} s of sales at half the floor's rate`,
    await sellSteadily(layout, scratch, { token, rate, seconds: sustained, body: body(scratch) }),
  );
}

function linesOf({ ids }: BenchStore, n: number): object[] {
  return Array.from({ length: linesPerSale }, (_, line) => ({ product_id: ids[(n * linesPerSale + line) % ids.length], quantity: 1 }));
}

async function login({ api }: BenchLayout, { staff }: BenchStore): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${api}/staff_sessions`, { method: 'POST', headers, body: JSON.stringify(staff) });
  if (!response.ok) throw new Error(`the login was answered with ${response.status}`);
  return ((await response.json()) as { token: string }).token;
}

interface Steady {
  token: string;
  /** Sales per second. */
  rate: number;
  seconds: number;
  body(n: number): string;
}

/** Sends at a steady rate, however long the answers take, and looks each second how far stock and outboxes are behind. */
async function sellSteadily(layout: BenchLayout, store: BenchStore, { token, rate, seconds, body }: Steady): Promise<object> {
  const latencies: number[] = [];
  const underWay: Promise<void>[] = [];
  const behind: Behind[] = [];
  const refused: Record<string, number> = {};
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sell = async (n: number) => {
    const startedAt = performance.now();
    const response = await fetch(`${layout.api}/sales`, { method: 'POST', headers, body: body(n) });
    await response.arrayBuffer();
    if (response.status !== 201) refused[response.status] = (refused[response.status] ?? 0) + 1;
    else latencies.push(performance.now() - startedAt);
  };
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await wait(lookEveryMs)) behind.push(await behindOf(layout, store));
  })();
  const startedAt = performance.now();
  for (let n = 0; n < rate * seconds; n++) {
    await wait(Math.max(0, startedAt + (n * 1_000) / rate - performance.now()));
    underWay.push(sell(n));
  }
  await Promise.all(underWay);
  isOver = true;
  await watching;
  const restMs = await rest(layout, store);
  const half = Math.floor(behind.length / 2);
  const most = (list: Behind[]) => ({
    ledgerRows: Math.max(...list.map(({ ledger }) => ledger)),
    outboxRows: Math.max(...list.map(({ outboxes }) => outboxes)),
  });
  return {
    perSecond: round(rate),
    latencyMs: percentiles(latencies),
    refused,
    behindAtMostInFirstHalf: most(behind.slice(0, half)),
    behindAtMostInSecondHalf: most(behind.slice(half)),
    allThereAfterMs: restMs,
  };
}

interface Behind {
  /** Lines that were sold and have no ledger row yet. */
  ledger: number;
  /** Events that wait, of every app. */
  outboxes: number;
}

const apps = ['sales', 'inventory', 'catalog', 'customers'];

async function behindOf({ database }: BenchLayout, { storeId }: BenchStore): Promise<Behind> {
  const { rows } = await database.query(
    `select (select count(*) from sales.sale_line_items where store_id = $1)
         - (select count(*) from inventory.stock_adjustments where store_id = $1 and adjustment_type = 'sale') as ledger,
       ${apps.map((app) => `(select count(*) from ${app}.outbox)`).join(' + ')} as outboxes`,
    [storeId],
  );
  return { ledger: Number(rows[0].ledger), outboxes: Number(rows[0].outboxes) };
}

/** Until every line has its ledger row, the catalogue shows the stock of the last one, and no event waits. */
async function rest(layout: BenchLayout, store: BenchStore): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { ledger, outboxes } = await behindOf(layout, store);
    const { rows } = await layout.database.query(
      `select count(*) as stale from inventory.stock_items i join catalog.products p on p.store_id = i.store_id and p.id = i.product_id
       where i.store_id = $1 and p.stock_version < i.version`,
      [store.storeId],
    );
    const elapsedMs = Math.round(performance.now() - startedAt);
    if (ledger === 0 && outboxes === 0 && Number(rows[0].stale) === 0) return elapsedMs;
    if (elapsedMs > restWithinMs) throw new Error(`not at rest: ${JSON.stringify({ ledger, outboxes, stale: rows[0].stale })}`);
    await wait(lookEveryMs / 10);
  }
}
