/** Listens to inventory: what ApplyStock could not deliver arrives here, through the same handler. */
import type { EntityManager } from '@store/db';
import type { Message } from '@store/events';
import { storeCaller } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { applyLevels, type Level } from './apply-stock.ts';

export function wantsStock(message: Message): boolean {
  return message.internal?.stock !== undefined;
}

/** Levels of a batch, store by store. */
export async function consumeStock(app: Catalog, em: EntityManager, messages: Message[]): Promise<void> {
  const byStore = Map.groupBy(messages, (message) => message.storeId);
  for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) {
    const caller = await storeCaller(em, 'catalog', storeId);
    await applyLevels(em, app, caller, mine.map(levelOf));
  }
}

/** Throws at what is no level, so that it ends in dead_letters. */
function levelOf({ internal }: Message): Level {
  const { product_id, stock, version } = (internal!.stock ?? {}) as Partial<Record<keyof Level, unknown>>;
  if (!isPositive(product_id) || !isPositive(version) || typeof stock !== 'string' || !/^-?\d{1,11}(\.\d{1,3})?$/.test(stock))
    throw new Error('the event has no stock level');
  return { product_id, stock, version };
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
