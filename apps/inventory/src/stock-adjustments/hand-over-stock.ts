/** Catalog's copy of the stock is brought up to date before the answer leaves, so that the next read shows it (P24). */
import { afterCommit } from '@store/db';
import type { Call } from '@store/rpc';
import type { Inventory, Unit } from '../inventory.ts';
import type { WrittenRow } from './ledger-rows.ts';

interface Level {
  product_id: number;
  stock: string;
  version: number;
}

/** Hands the levels of the written rows over once the transaction has committed. */
export function handOverStock({ em, app, call }: Unit, rows: WrittenRow[]): void {
  // The last row of a product holds its level.
  const levels = new Map<number, Level>();
  for (const { adjustment, version } of rows) {
    const { product_id } = adjustment;
    levels.set(product_id, { product_id, stock: adjustment.quantity_after, version });
  }
  afterCommit(em, () => applyStock(app, call, [...levels.values()]));
}

const handOverMaxMs = 2_000;
/** More time per product: catalog emits an event for each, and pauses between slices of them while other stores call. */
const perProductMs = 10;

/** The change is committed whether catalog answers or not, so this call may not use up the caller's deadline. */
function deadlineOf(call: Call, levels: number): number {
  const nowMs = Date.now();
  return nowMs + Math.min((call.deadlineMs - nowMs) / 2, handOverMaxMs + levels * perProductMs);
}

/** A failure is logged only: the event of each row brings the same levels. */
async function applyStock(app: Inventory, call: Call, levels: Level[]): Promise<void> {
  try {
    await app.catalog.ApplyStock({ levels }, { caller: call.caller, deadlineMs: deadlineOf(call, levels.length) });
  } catch (error) {
    app.log.warn({ err: error, request_id: call.caller.requestId }, 'Catalog did not get new stock by a call; the event will bring it');
  }
}
