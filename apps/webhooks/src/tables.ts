/** The tables of webhooks: the entities that declare them, and typed statements over them. */
import { type BackgroundOf, type Row, tablesOf } from '@store/db';
import { Delivery } from './deliveries/delivery.ts';
import { DeliveryAttempt } from './deliveries/delivery-attempt.ts';
import { LoggedEvent } from './events/event.ts';
import { EventLog } from './events/event-log.ts';
import { RevokedKey } from './keys/revoked-key.ts';
import { Notice } from './monitor/notice.ts';
import { Subscription } from './subscriptions/subscription.ts';
import { SubscriptionSecret } from './subscriptions/subscription-secret.ts';

export const entities = [Subscription, SubscriptionSecret, RevokedKey, EventLog, LoggedEvent, Delivery, DeliveryAttempt, Notice];

export const tables = tablesOf<(typeof entities)[number]>('webhooks');

export type SubscriptionRow = Row<typeof Subscription>;
export type DeliveryRow = Row<typeof Delivery>;
export type AttemptRow = Row<typeof DeliveryAttempt>;

export const background: BackgroundOf<(typeof entities)[number]> = {
  deliveries: { due: `state = 'leased' or (state = 'pending' and not held and due_at <= $1)` },
};
