/** The rpcs of webhooks: rpc name → verb. */
import type { WebhooksDefinition } from '@store/protos/webhooks/v1.ts';
import type { VerbTable } from '@store/rpc';
import { listEvents } from './events/list-events.ts';
import { listRequestEvents } from './events/list-request-events.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { getMonitor } from './monitor/get-monitor.ts';
import { listMonitor } from './monitor/list-monitor.ts';
import { listNotices } from './monitor/list-notices.ts';
import { resendDelivery } from './monitor/resend-delivery.ts';
import { resetSubscription } from './monitor/reset-subscription.ts';
import { revealSecret } from './monitor/reveal-secret.ts';
import { rotateSecret } from './monitor/rotate-secret.ts';
import { summarizeDeliveries } from './monitor/summarize-deliveries.ts';
import { createSubscription } from './subscriptions/create-subscription.ts';
import { deleteSubscription } from './subscriptions/delete-subscription.ts';
import { getSubscription } from './subscriptions/get-subscription.ts';
import { listDeliveries } from './subscriptions/list-deliveries.ts';
import { listSubscriptions } from './subscriptions/list-subscriptions.ts';
import { replaySubscription } from './subscriptions/replay-subscription.ts';
import { testSubscription } from './subscriptions/test-subscription.ts';
import { updateSubscription } from './subscriptions/update-subscription.ts';
import type { Webhooks } from './webhooks.ts';

export const verbs: VerbTable<Webhooks, WebhooksDefinition> = {
  CreateSubscription: createSubscription,
  ListSubscriptions: listSubscriptions,
  GetSubscription: getSubscription,
  ListDeliveries: listDeliveries,
  UpdateSubscription: updateSubscription,
  DeleteSubscription: deleteSubscription,
  TestSubscription: testSubscription,
  ReplaySubscription: replaySubscription,
  ListEvents: listEvents,
  ListMonitor: listMonitor,
  GetMonitor: getMonitor,
  DeleteMonitored: deleteSubscription,
  RevealSecret: revealSecret,
  ResetSubscription: resetSubscription,
  RotateSecret: rotateSecret,
  ResendDelivery: resendDelivery,
  ReplayMonitored: replaySubscription,
  SummarizeDeliveries: summarizeDeliveries,
  ListNotices: listNotices,
  ListRequestEvents: listRequestEvents,
  RevokeKey: revokeKey,
};
