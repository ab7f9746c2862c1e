/** The demo store's past, loaded behind the first answers of a new installation and continued by the next start. */
import path from 'node:path';
import { CannotStart } from '../../local/cannot-start.ts';
import { readJson, writeJson } from '../../local/data-dir.ts';
import type { Foreground } from '../../local/foreground.ts';
import { keyClient, staffClient } from '../client.ts';
import type { DemoFile } from '../demo-store.ts';
import { openProgress, type Progress } from '../progress.ts';
import type { Transaction } from '../transactions.ts';
import { productsBySku } from '../upkeep.ts';
import { type DatePolicy, datePolicies } from './dates.ts';
import { loadHistory } from './load-history.ts';
import { loadShopFloor, loadTiers } from './shop-floor.ts';

const floorCustomers = 6;

/** DEMO_HISTORY: shifted, kept, or none for a store without a past. */
export function datePolicyOf(env: NodeJS.ProcessEnv): DatePolicy | undefined {
  const { DEMO_HISTORY: wanted = 'shifted' } = env;
  if (wanted === 'none') return undefined;
  if ((datePolicies as readonly string[]).includes(wanted)) return wanted as DatePolicy;
  throw new CannotStart(`DEMO_HISTORY must be ${datePolicies.join(', ')} or none, not ${wanted}`);
}

interface History {
  /** Where this layout's data is kept. */
  dir: string;
  demo: DemoFile;
  /** Absent: no past. */
  dates: DatePolicy | undefined;
}

/** Loads the past behind the running start: it ends with the start, and the next one continues. */
export function loadBehind({ onStop }: Foreground, { dir, demo, dates }: History): void {
  const file = path.join(dir, 'demo-history.json');
  if (dates === undefined || readJson(file)) return;
  const stopped = new AbortController();
  const loading = makeHistory(demo, dates, stopped.signal, openProgress(process.stdout, 'sales of the demo store')).then(
    () => writeJson(file, { dates }),
    (error: Error) => {
      if (!stopped.signal.aborted)
        console.error(`\nThe sales of the demo store are not all loaded: ${error.message}\nThe next start goes on with them.`);
    },
  );
  onStop(async () => {
    stopped.abort();
    await loading;
  });
}

export async function makeHistory(
  { base_url, api_key, staff: login }: Pick<DemoFile, 'base_url' | 'api_key' | 'staff'>,
  dates: DatePolicy,
  signal: AbortSignal,
  progress: Progress,
  rows?: Transaction[],
): Promise<void> {
  const [staff, key] = [await staffClient(base_url, login), keyClient(base_url, api_key)];
  progress.step('loyalty tiers', 2);
  await loadTiers(staff);
  const customerIds = await loadHistory({ staff, key, progress, dates, signal, rows });
  progress.step('gift cards, credit, orders', 13);
  const products = [...(await productsBySku(key)).values()]
    .filter(({ variations = [] }) => variations.length === 0)
    .sort((a, b) => a.id - b.id);
  await loadShopFloor({ staff, customerIds: customerIds.slice(0, floorCustomers), products });
  progress.done();
}
