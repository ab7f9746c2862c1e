import { sql } from '@store/db';
import type { IdRequest__Output } from '@store/protos/webhooks/v1/IdRequest.ts';
import type { MonitorResponse } from '@store/protos/webhooks/v1/MonitorResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import { lockSubscription, rereadSubscription } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import { tell } from '../subscriptions/tell.ts';
import type { Webhooks } from '../webhooks.ts';

/** POST /webhook_monitor/:id/reset (staff): "Reset Failures & Re-enable". What was skipped stays so (decision D152). */
export async function resetSubscription(
  app: Webhooks,
  request: IdRequest__Output,
  call: Call,
): Promise<MonitorResponse | Reply<MonitorResponse>> {
  const { caller } = call;
  return change<MonitorResponse>({ db: app.db, call, response: 'store.webhooks.v1.MonitorResponse' }, async (em) => {
    const now = app.db.clock.now();
    const { id, active, failure_count } = await lockSubscription(em, caller, request.id, now);
    await sql(
      em,
      'update webhooks.subscriptions set active = true, failure_count = 0, disabled_at = null, updated_at = $3 where store_id = $1 and id = $2',
      [caller.storeId, id, now],
    );
    await tell(em, app, caller, { verb: 'reset', id, before: { active, failure_count }, after: { active: true, failure_count: 0 } });
    return { webhook_subscription: monitoredView(await rereadSubscription(em, caller, id, now)) };
  });
}
