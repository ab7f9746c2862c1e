/** The rpcs of webhooks: rpc name → verb. */
import type { WebhooksDefinition } from '@store/protos/webhooks/v1/Webhooks.ts';
import type { Verbs } from '@store/rpc';
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
import { listSubscriptions } from './subscriptions/list-subscriptions.ts';
import { replaySubscription } from './subscriptions/replay-subscription.ts';
import { testSubscription } from './subscriptions/test-subscription.ts';
import { updateSubscription } from './subscriptions/update-subscription.ts';
import type { Webhooks } from './webhooks.ts';

export function webhooksVerbs(app: Webhooks): Verbs<WebhooksDefinition> {
  return {
    CreateSubscription: (request, call) => createSubscription(app, request, call),
    ListSubscriptions: (request, call) => listSubscriptions(app, request, call),
    GetSubscription: (request, call) => getSubscription(app, request, call),
    UpdateSubscription: (request, call) => updateSubscription(app, request, call),
    DeleteSubscription: (request, call) => deleteSubscription(app, request, call),
    TestSubscription: (request, call) => testSubscription(app, request, call),
    ReplaySubscription: (request, call) => replaySubscription(app, request, call),
    ListEvents: (request, call) => listEvents(app, request, call),
    ListMonitor: (request, call) => listMonitor(app, request, call),
    GetMonitor: (request, call) => getMonitor(app, request, call),
    DeleteMonitored: (request, call) => deleteSubscription(app, request, call),
    RevealSecret: (request, call) => revealSecret(app, request, call),
    ResetSubscription: (request, call) => resetSubscription(app, request, call),
    RotateSecret: (request, call) => rotateSecret(app, request, call),
    ResendDelivery: (request, call) => resendDelivery(app, request, call),
    ReplayMonitored: (request, call) => replaySubscription(app, request, call),
    SummarizeDeliveries: (request, call) => summarizeDeliveries(app, request, call),
    ListNotices: (request, call) => listNotices(app, request, call),
    ListRequestEvents: (request, call) => listRequestEvents(app, request, call),
    RevokeKey: (request, call) => revokeKey(app, request, call),
  };
}
