/** Readers that run beside the writers: what integrations and the register ask for most. */
import { type Random, seededRandom } from '../../tools/local/random.ts';
import { send } from '../kit/http.ts';
import { type Paced, startPaced } from '../kit/load.ts';
import type { LoadWorld, Product } from './load.ts';
import { answerWithinMs } from './repeat.ts';

interface ReadOptions {
  seed: number;
  /** Reads per second. */
  rate: number;
  products: Product[];
  /** Reads at the same time; more are skipped. */
  inFlightMax: number;
}

export function startReads(world: LoadWorld, { seed, rate, products, inFlightMax }: ReadOptions): Paced {
  const random = seededRandom(seed);
  return startPaced({ perSecond: rate, inFlightMax }, () => read(world, random, products));
}

async function read(world: LoadWorld, random: Random, products: Product[]): Promise<void> {
  const byStaff = random.next() < 0.3;
  const path = byStaff ? random.pick(staffPaths) : random.pick(keyPaths)(random.pick(products));
  const as = byStaff ? { token: world.token } : { key: random.pick(world.keys) };
  const { status, lost } = await send('GET', `${random.pick(world.api)}${path}`, { ...as, withinMs: answerWithinMs });
  world.answered?.(`GET ${path}`, status, lost);
}

const keyPaths = [
  ({ id }: Product) => `/products/${id}`,
  ({ sku }: Product) => `/products?search=${sku}`,
  () => '/products?per_page=25&updated_since=2020-01-01T00:00:00Z',
  ({ id }: Product) => `/stock_adjustments?product_id=${id}&per_page=10`,
];
const staffPaths = ['/sales?per_page=10', '/customers?per_page=10', '/purchase_orders?per_page=10'];
