/** What every verb that moves stock has in common: one transaction, then catalog's copy, then the answer. */
import { afterCommit, type EntityManager } from '@store/db';
import type { Problem } from '@store/problem';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory } from '../inventory.ts';
import { type Written, writeLedger } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import { sourceOf } from './ledger-rows.ts';

export interface StockChange<Prepared, Message> {
  /** Full name of the response message. */
  response: string;
  /** Status of success that the endpoint declares. */
  status?: number;
  /** Judges the request and asks catalog, which keeps the Idempotency-Key itself where it changes something. */
  prepare(): Promise<Prepared>;
  /** Writes through `write`, inside the transaction. A Problem that is returned refuses what was not written and keeps what was. */
  commit(
    em: EntityManager,
    prepared: Prepared,
    write: (lines: LedgerLine[]) => Promise<Written>,
  ): Promise<Message | Reply<Message> | Problem>;
}

interface Level {
  product_id: number;
  stock: string;
  version: number;
}

/**
 * Runs the change and hands the committed stock to catalog before the answer leaves, so that the very
 * next read of the product shows it (P24).
 */
export async function changeStock<Prepared, Message>(
  app: Inventory,
  call: Call,
  stockChange: StockChange<Prepared, Message>,
): Promise<Message | Reply<Message>> {
  let asked: Promise<Prepared> | undefined;
  // Asked once: a transaction that runs again after a deadlock must see what the first run saw.
  const prepare = () => {
    asked ??= stockChange.prepare();
    return asked;
  };
  let committed: Level[] = [];
  try {
    return await change<Message>(
      { db: app.db, call, response: stockChange.response, status: stockChange.status, ask: prepare },
      async (em) => {
        const prepared = await prepare();
        const levels = new Map<number, Level>();
        const write = async (lines: LedgerLine[]) => {
          const written = await writeLedger(em, app, call.caller, lines, sourceOf(call.caller));
          for (const { adjustment, version } of written.rows) {
            const productId = Number(adjustment.product_id);
            levels.set(productId, { product_id: productId, stock: adjustment.quantity_after, version });
          }
          return written;
        };
        const answer = await stockChange.commit(em, prepared, write);
        afterCommit(em, () => {
          committed = [...levels.values()];
        });
        return answer;
      },
    );
  } finally {
    await handStockToCatalog(app, call, committed);
  }
}

/** The change stands whether catalog hears of it now or not, so it may not use up the caller's deadline. */
const handOverMaxMs = 2_000;
/** What catalog may take longer for each product: it tells of every one. */
const tellEachMs = 1;

/** The event of each row brings the same levels, so a failure here is only a later read. */
async function handStockToCatalog(app: Inventory, call: Call, levels: Level[]): Promise<void> {
  if (levels.length === 0) return;
  try {
    const deadlineMs = Math.min(call.deadlineMs, Date.now() + handOverMaxMs + levels.length * tellEachMs);
    await app.catalog.ApplyStock({ levels }, { caller: call.caller, deadlineMs });
  } catch (error) {
    app.log.error({ err: error, request_id: call.caller.requestId }, 'Catalog was not told of new stock; the event will tell it');
  }
}
