/** The event and the audit entry of an action on a subscription; neither contains a secret. */
import { afterCommit, type EntityManager, nounOf } from '@store/db';
import { emit } from '@store/events';
import type { Call } from '@store/rpc';
import type { Webhooks } from '../webhooks.ts';
import { Subscription } from './subscription.ts';

interface SubscriptionAction {
  action: string;
  id: number;
  before: object | null;
  after: object | null;
}

/** Like `recordChange`, for other actions too; the live stream shows it after the commit. */
export async function recordAction(
  em: EntityManager,
  app: Webhooks,
  { caller }: Call,
  { action, id, before, after }: SubscriptionAction,
): Promise<void> {
  const noun = nounOf(Subscription);
  const name = `${noun.name}.${action}`;
  const audit = { action: name, resource_type: noun.type, resource_id: id, before, after };
  await emit(em, app.outbox, caller, [{ name, aggregate: `${noun.name}:${id}`, audit }]);
  afterCommit(em, () => app.announce({ subscriptions: [{ storeId: caller.storeId, id }] }));
}
