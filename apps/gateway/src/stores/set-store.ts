/** A store's plan and status: changed by the platform, not by the store. */
import { applyChanges, type Db, lockRecord } from '@store/db';
import type { Outbox } from '@store/events';
import { invalid } from '@store/problem';
import { systemCaller } from '@store/rpc';
import { unknownFeatures } from './create-store.ts';
import { Store } from './store.ts';
import { emitStoreChanged } from './store-changed.ts';

export interface StoreChange {
  posSubscription?: Store['posSubscription'];
  onboarding?: Store['onboarding'];
  features?: string[];
}

/** Changes the plan. The caller notifies the gateways afterwards (D188). */
export async function setStore(app: { db: Db; outbox: Outbox }, storeId: number, wanted: StoreChange): Promise<void> {
  const errors = unknownFeatures(wanted.features ?? []);
  if (errors.length > 0) throw invalid(errors);
  await app.db.unit(storeId, async (em) => {
    const store = await lockRecord(em, Store, storeId);
    const before = planOf(store);
    const { posSubscription: pos_subscription, onboarding } = wanted;
    const features = wanted.features && [...new Set(wanted.features)];
    if (!applyChanges(store, { pos_subscription, onboarding, features }, app.db.clock.now())) return;
    await em.flush();
    const audit = { action: 'store.update', resource_type: 'Store', resource_id: storeId, before, after: planOf(store) };
    await emitStoreChanged(em, app.outbox, systemCaller(storeId), storeId, audit);
  });
}

function planOf({ posSubscription, onboarding, features }: Store): Record<string, unknown> {
  return { pos_subscription: posSubscription, onboarding, features };
}
