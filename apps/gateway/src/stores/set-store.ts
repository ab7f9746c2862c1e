/** What a store's plan gives and whether it may be used: changed by the platform, not by the store. */
import { type Db, sql } from '@store/db';
import type { Outbox } from '@store/events';
import { invalid, notFound } from '@store/problem';
import { systemCaller } from '@store/rpc';
import { unknownFeatures } from './create-store.ts';
import { emitStoreChanged } from './store-changed.ts';
import type { StoreRecord } from './store-record.ts';

export interface StoreChange {
  posSubscription?: StoreRecord['posSubscription'];
  onboarding?: StoreRecord['onboarding'];
  /** Replaces the list. */
  features?: string[];
}

interface PlanRow {
  pos_subscription: string;
  onboarding: string;
  features: string[];
}

/** Changes the plan. The caller tells the gateways afterwards (decision D188). */
export async function setStore(app: { db: Db; outbox: Outbox }, storeId: number, wanted: StoreChange): Promise<void> {
  const errors = unknownFeatures(wanted.features ?? []);
  if (errors.length > 0) throw invalid(errors);
  await app.db.unit(storeId, async (em) => {
    const [before] = await sql<PlanRow>(em, 'select pos_subscription, onboarding, features from gateway.stores where id = $1 for update', [
      storeId,
    ]);
    if (!before) throw notFound('Store');
    const after: PlanRow = {
      pos_subscription: wanted.posSubscription ?? before.pos_subscription,
      onboarding: wanted.onboarding ?? before.onboarding,
      features: wanted.features ? [...new Set(wanted.features)] : before.features,
    };
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await sql(em, 'update gateway.stores set pos_subscription = $2, onboarding = $3, features = $4, updated_at = $5 where id = $1', [
      storeId,
      after.pos_subscription,
      after.onboarding,
      after.features,
      app.db.clock.now(),
    ]);
    await emitStoreChanged(em, app.outbox, systemCaller(storeId), storeId, {
      action: 'store.update',
      resource_type: 'Store',
      resource_id: storeId,
      before,
      after,
    });
  });
}
