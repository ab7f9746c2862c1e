import { buildIndexes } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreateWebhooks } from './1-webhooks.ts';
import { AddLeaseOwner } from './2-lease-owner.ts';
import { AddSubscriptionStart } from './3-subscription-start.ts';
import { AddEventRequest } from './4-event-request.ts';
import { AddReplayFailures } from './6-replay-failures.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = {
  '1-webhooks': CreateWebhooks,
  '2-lease-owner': AddLeaseOwner,
  '3-subscription-start': AddSubscriptionStart,
  '4-event-request': AddEventRequest,
  '5-outbox-of-store': buildIndexes(indexOutbox('webhooks')),
  '6-replay-failures': AddReplayFailures,
};
