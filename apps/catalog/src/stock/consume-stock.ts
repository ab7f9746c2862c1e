/** Listens to inventory: what ApplyStock could not deliver arrives here, through the same handler. */
import type { EntityManager } from '@store/db';
import type { Message } from '@store/events';
import type { Catalog } from '../catalog.ts';
import { storeCaller } from '../stores/store-caller.ts';
import { applyLevels } from './apply-stock.ts';

export function wantsStock(message: Message): boolean {
  return message.internal?.stock !== undefined;
}

/** Levels of a batch, store by store. */
export async function consumeStock(app: Catalog, em: EntityManager, messages: Message[]): Promise<void> {
  const byStore = Map.groupBy(messages, (message) => message.storeId);
  for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) {
    const caller = await storeCaller(em, storeId);
    await applyLevels(
      em,
      app,
      caller,
      mine.flatMap((message) => message.internal?.stock ?? []),
    );
  }
}
