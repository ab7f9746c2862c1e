/** Every change of a subscription is in the audit trail; no secret ever is. */
import { afterCommit, type EntityManager } from '@store/db';
import { emit } from '@store/events';
import type { Caller } from '@store/rpc';
import type { Webhooks } from '../webhooks.ts';

export interface SubscriptionChange {
  /** What was done, such as create. */
  verb: string;
  id: string | number;
  before: object | null;
  after: object | null;
}

export async function tell(
  em: EntityManager,
  app: Webhooks,
  caller: Caller,
  { verb, id, before, after }: SubscriptionChange,
): Promise<void> {
  await emit(em, app.outbox, caller, [
    {
      name: `webhook_subscription.${verb}`,
      aggregate: `webhook_subscription:${id}`,
      audit: {
        action: `webhook_subscription.${verb}`,
        resource_type: 'WebhookSubscription',
        resource_id: Number(id),
        before,
        after,
      },
    },
  ]);
  afterCommit(em, () => app.announce({ subscriptions: [String(id)] }));
}
