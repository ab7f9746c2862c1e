/** POST /sales of three lines beside a floor, and then steadily at that rate until everything that it sets in motion has come. */
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@store/testbed/until';
import { send } from '../kit/http.ts';
import { startPaced } from '../kit/load.ts';
import { outboxRows } from '../kit/outbox-rows.ts';
import { logIn } from '../kit/stores.ts';
import { type BenchLayout, type BenchOptions, percentiles } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import type { Floor } from './floors.ts';
import { wireRequest } from './load.ts';
import { measure, rounded, shown, type Target } from './measure.ts';
import { linesPerSale } from './sales-rows.ts';

interface RegisterBench extends Omit<BenchOptions, 'stops'> {
  sustained: number;
  note(name: string, figure: object): void;
}

const restWithinMs = 120_000;
const lookEveryMs = 1_000;

export async function benchRegister(
  layout: BenchLayout,
  floor: Floor,
  { note, connections: list, sustained, ...how }: RegisterBench,
): Promise<void> {
  const { scratch, floor: floorStore } = layout.fixture;
  const token = await logIn(layout.api, scratch.staff);
  const body = (store: BenchStore) => (n: number) => ({ sale: { line_items: linesOf(store, n) } });
  const gateway = Number(new URL(layout.api).port);
  const { postgres } = layout.processes;
  const targets: Target[] = [
    {
      name: 'floor C: POST /sales',
      port: floor.port,
      request: (n) => wireRequest('POST', '/api/v1/sales', { 'X-API-Key': floorStore.keys[1]! }, JSON.stringify(body(floorStore)(n))),
      processes: { ...floor.processes, ...(postgres && { postgres }) },
      expect: ['201'],
    },
    {
      name: 'POST /sales',
      port: gateway,
      request: (n) => wireRequest('POST', '/api/v1/sales', { Authorization: `Bearer ${token}` }, JSON.stringify(body(scratch)(n))),
      processes: layout.processes,
      expect: ['201'],
    },
  ];
  let rate = 0;
  for (const connections of list) {
    const medians = await measure(targets, { ...how, connections });
    const [theirs, ours] = targets.map(({ name }) => medians.get(name)!);
    for (const [name, figure] of medians) note(`${name}, ${connections} connections`, shown(figure));
    note(`POST /sales ÷ floor C, requests/s, ${connections} connections`, {
      ratio: rounded(ours!.perSecond / theirs!.perSecond),
      wanted: '≥ 0.5',
    });
    note(`POST /sales ÷ floor C, CPU, ${connections} connections`, { ratio: rounded(ours!.cpuTotal / theirs!.cpuTotal) });
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

interface Steady {
  token: string;
  /** Sales per second. */
  rate: number;
  seconds: number;
  body(n: number): object;
}

/** Sends at a steady rate, however long the answers take, and looks each second how far stock and outboxes are behind. */
async function sellSteadily(layout: BenchLayout, store: BenchStore, { token, rate, seconds, body }: Steady): Promise<object> {
  const latencies: number[] = [];
  const behind: Behind[] = [];
  const refused: Record<string, number> = {};
  const sell = async (n: number) => {
    const { status, ms } = await send('POST', `${layout.api}/sales`, { token, body: body(n) });
    if (status === 201) latencies.push(ms);
    else refused[status] = (refused[status] ?? 0) + 1;
  };
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await wait(lookEveryMs)) behind.push(await behindOf(layout, store));
  })();
  await startPaced({ perSecond: rate, count: Math.ceil(rate * seconds) }, sell).ended;
  isOver = true;
  await watching;
  const restMs = await rest(layout, store);
  const half = Math.floor(behind.length / 2);
  const most = (list: Behind[]) => ({
    ledgerRows: Math.max(...list.map(({ ledger }) => ledger)),
    outboxRows: Math.max(...list.map(({ outboxes }) => outboxes)),
  });
  return {
    perSecond: rounded(rate),
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

async function behindOf({ database }: BenchLayout, { storeId }: BenchStore): Promise<Behind> {
  const { rows } = await database.query(
    `select (select count(*) from sales.sale_line_items where store_id = $1)
         - (select count(*) from inventory.stock_adjustments where store_id = $1 and adjustment_type = 'sale') as ledger`,
    [storeId],
  );
  return { ledger: Number(rows[0].ledger), outboxes: await outboxRows(database) };
}

/** Until every line has its ledger row, the catalogue shows the stock of the last one, and no event waits. */
async function rest(layout: BenchLayout, store: BenchStore): Promise<number> {
  const startedAt = performance.now();
  const isAtRest = async () => {
    const { ledger, outboxes } = await behindOf(layout, store);
    const { rows } = await layout.database.query(
      `select count(*) as stale from inventory.stock_items i join catalog.products p on p.store_id = i.store_id and p.id = i.product_id
       where i.store_id = $1 and p.stock_version < i.version`,
      [store.storeId],
    );
    return ledger === 0 && outboxes === 0 && Number(rows[0].stale) === 0;
  };
  await until(isAtRest, restWithinMs, () => 'stock, ledger or outboxes are not at rest');
  return Math.round(performance.now() - startedAt);
}
