/** What follows every change of a store: the fact for the other services, and no gateway going on with old knowledge. */
import { type EntityManager, sqlOne } from '@store/db';
import { emit, type NewEvent, type Outbox } from '@store/events';
import type { Caller } from '@store/rpc';
import type { Gateway } from '../gateway.ts';
import { keyHashesOfStore } from '../keys/find-key.ts';
import { notifyChange } from './change-notices.ts';
import { type StoreColumns, storeColumns, storeRecord } from './store.view.ts';

/** Emits store.changed with the store as it is now, for each service's own copy (decision D184). */
export async function emitStoreChanged(
  em: EntityManager,
  outbox: Outbox,
  caller: Caller,
  storeId: number,
  audit?: NewEvent['audit'],
): Promise<void> {
  const row = await sqlOne<StoreColumns>(em, `select ${storeColumns} from gateway.stores s where s.id = $1`, [storeId]);
  await emit(em, outbox, caller, [
    { name: 'store.changed', aggregate: `store:${storeId}`, internal: { store: { ...storeRecord(row) } }, ...(audit && { audit }) },
  ]);
}

/** Drops what this process and the others remember of the store's keys; called after the commit (decision D188). */
export async function dropWhatIsRemembered(app: Pick<Gateway, 'db' | 'keyGate' | 'log'>, storeId: number): Promise<void> {
  try {
    await app.keyGate.forget(await keyHashesOfStore(app.db, storeId));
    await notifyChange(app.db, { storeId });
  } catch (error) {
    // The change itself is committed and must be answered as such; what is remembered ends by itself.
    app.log.error({ err: error, store_id: storeId }, 'What is remembered of a changed store could not be dropped everywhere');
  }
}
