/** After every change of a store: the event for the other services, and the notification that clears the gateways' caches. */
import { type EntityManager, sql } from '@store/db';
import { emit, type NewEvent, type Outbox } from '@store/events';
import type { Caller } from '@store/rpc';
import type { Gateway } from '../gateway.ts';
import { keyHashesOfStore } from '../keys/find-key.ts';
import { tables } from '../tables.ts';
import { notifyChange } from './change-notices.ts';
import { type StoreColumns, storeColumns, storeRecord } from './store.view.ts';

export const storeById = (storeId: number) => tables.selectFrom('stores as s').select(storeColumns).where('s.id', '=', storeId);

/** The event, with what each service copies of a store (D184). */
export const storeChanged = (row: StoreColumns) => ({
  name: 'store.changed',
  aggregate: `store:${row.store_id}`,
  internal: { store: { ...storeRecord(row) } },
});

/** Emits store.changed with the flushed store. */
export async function emitStoreChanged(
  em: EntityManager,
  outbox: Outbox,
  caller: Caller,
  storeId: number,
  audit?: NewEvent['audit'],
): Promise<void> {
  const [row] = await sql(em, storeById(storeId));
  await emit(em, outbox, caller, [{ ...storeChanged(row!), ...(audit && { audit }) }]);
}

/** Drops the cached keys of the store in this process and the others; called after the commit (D188). */
export async function dropCachedStore(app: Pick<Gateway, 'db' | 'keyGate' | 'log'>, storeId: number): Promise<void> {
  try {
    await app.keyGate.forget(await keyHashesOfStore(app.db, storeId));
    await notifyChange(app.db, { storeId });
  } catch (error) {
    // The change is committed and answered as a success; cached records expire by themselves.
    app.log.warn({ err: error, store_id: storeId }, 'Cached records of a changed store could not be dropped everywhere');
  }
}
