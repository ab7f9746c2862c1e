import { setTimeout as wait } from 'node:timers/promises';
import { othersCall } from '@store/shares/asker';

const pollMs = 20;

/** Resolves once no other store than this calls: what is counted of its long work is not cut for others. */
export async function untilAlone(storeId: number): Promise<void> {
  while (othersCall(storeId)) await wait(pollMs);
}
