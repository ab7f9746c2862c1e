import { afterCommit, type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import { change } from '@store/service';
import { addDeliveries } from '../deliveries/add-deliveries.ts';
import { lockSubscription } from '../subscriptions/find-subscription.ts';
import { recordAction } from '../subscriptions/record-action.ts';
import { refuseInactive } from '../subscriptions/subscription.ts';
import { tables } from '../tables.ts';
import type { Verb } from '../webhooks.ts';

/** POST /webhook_monitor/deliveries/:id/resend (staff): sends one event to one subscription again (D156). */
export const resendDelivery: Verb<'ResendDelivery'> = async (app, request, call) => {
  const { caller } = call;
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Delivery');
  return change(app, call, async (em) => {
    const now = app.db.clock.now();
    const { subscription_id, sequence, record } = await findDelivery(em, caller.storeId, id);
    const subscription = await lockSubscription(em, caller, subscription_id);
    refuseInactive(subscription, now);
    const delivery = {
      storeId: caller.storeId,
      subscriptionId: subscription_id,
      sequence,
      record,
      secretVersion: subscription.secretVersion,
    };
    await addDeliveries(em, [delivery], { manual: true, now });
    afterCommit(em, () => app.wake());
    await recordAction(em, app, call, { action: 'resend', id: subscription_id, before: null, after: { delivery_id: id, sequence } });
    return { success: true, message: 'The event is on its way again' };
  });
};

/** A delivery whose event is still logged. */
async function findDelivery(em: EntityManager, storeId: number, id: number) {
  const ofStore = tables
    .selectFrom('deliveries as d')
    .innerJoin('events as e', (join) => join.onRef('e.store_id', '=', 'd.store_id').onRef('e.sequence', '=', 'd.sequence'))
    .select(['d.subscription_id', 'd.sequence', 'd.record'])
    .where('d.store_id', '=', storeId);
  const [row] = await sql(em, ofStore.where('d.id', '=', id));
  if (!row) throw notFound('Delivery');
  return row;
}
