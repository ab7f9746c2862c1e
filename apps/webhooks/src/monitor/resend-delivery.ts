import { afterCommit, type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { IdRequest__Output } from '@store/protos/webhooks/v1/IdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import { insertDeliveries } from '../events/fan-out.ts';
import { invalidSubscription, lockSubscription } from '../subscriptions/subscription.ts';
import { tell } from '../subscriptions/tell.ts';
import type { Webhooks } from '../webhooks.ts';

/** POST /webhook_monitor/deliveries/:id/resend (staff): one event to one subscription again (decision D156). */
export async function resendDelivery(app: Webhooks, request: IdRequest__Output, call: Call): Promise<Done | Reply<Done>> {
  const { caller } = call;
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Delivery');
  return change<Done>({ db: app.db, call, response: 'store.api.v1.Done', status: 202 }, async (em) => {
    const now = app.db.clock.now();
    const found = await findDelivery(em, caller.storeId, id);
    const row = await lockSubscription(em, caller, found.subscription_id, now);
    if (!row.deliverable) throw invalidSubscription(['Webhook subscription is not active']);
    const delivery = {
      storeId: caller.storeId,
      subscriptionId: row.id,
      sequence: Number(found.sequence),
      record: found.record,
      secretVersion: row.secret_version,
    };
    await insertDeliveries(em, [delivery], { manual: true, now });
    afterCommit(em, () => app.wake());
    await tell(em, app, caller, { verb: 'resend', id: row.id, before: null, after: { delivery_id: id, sequence: delivery.sequence } });
    return { success: true, message: 'The event is on its way again' };
  });
}

async function findDelivery(em: EntityManager, storeId: number, id: number) {
  const [row] = await sql<{ subscription_id: string; sequence: string; record: string }>(
    em,
    `select d.subscription_id::text, d.sequence::text, d.record from webhooks.deliveries d
     join webhooks.events e on e.store_id = d.store_id and e.sequence = d.sequence
     where d.store_id = $1 and d.id = $2`,
    [storeId, id],
  );
  if (!row) throw notFound('Delivery');
  return row;
}
