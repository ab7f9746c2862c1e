import { itemsMax } from '@store/contract';
import { booleanField, type FieldErrors, parseFields } from '@store/input';
import { sentences } from '@store/problem';
import type { SubscriptionInput__Output } from '@store/protos/webhooks/v1.ts';
import { z } from 'zod';
import { isEventName } from '../events/event-names.ts';
import { checkUrl, type OwnHost } from '../receivers/address-guard.ts';
import type { Webhooks } from '../webhooks.ts';
import { invalidSubscription } from './subscription.ts';

export interface Accepted {
  url?: string;
  events?: string[];
  active?: boolean;
}

type Reach = Pick<Webhooks, 'reach' | 'ownHost' | 'isProduction'>;

/** Repetitions included. */
const eventsMax = itemsMax('store.webhooks.v1.SubscriptionInput').events!;
const fields = { url: z.string(), active: booleanField() };

/** Validates the input; a new subscription needs url and events. Resolves the host, so it runs outside of any transaction. */
export async function acceptSubscription(input: SubscriptionInput__Output, isNew: boolean, app: Reach): Promise<Accepted> {
  const { values, errors } = parseFields(fields, input);
  const events = acceptEvents(input, isNew, errors);
  if (values.url === undefined ? isNew && !errors.url : values.url.trim() === '') errors.url = ["can't be blank"];
  if (values.url !== undefined && !errors.url) {
    const check = await checkUrl(values.url, app.reach);
    if (!check.ok) errors.url = [app.isProduction === false && check.kind === 'blocked' ? check.reason + allowing : check.reason];
    else if (isOwn(check.target, app.ownHost)) errors.url = ['must not be this API itself'];
  }
  if (Object.keys(errors).length > 0) throw invalidSubscription(sentences(errors));
  return {
    ...(values.url !== undefined && { url: values.url }),
    ...(events !== undefined && { events }),
    // A new subscription is active, whatever was sent.
    ...(values.active !== undefined && !isNew && { active: values.active }),
  };
}

/** For developers who test webhooks on their own machine; production refuses the setting (D181). */
const allowing = ' (on your own machine, start with WEBHOOK_ALLOW_CIDRS and name the receiver by its IP address)';

/** A webhook that calls this API could cause the next event, in an endless loop. */
function isOwn(target: OwnHost, own: OwnHost | undefined): boolean {
  return own !== undefined && target.host === own.host && target.port === own.port;
}

/** A non-empty list of names from the event table, each once (D129); undefined: not sent. */
function acceptEvents(input: SubscriptionInput__Output, isNew: boolean, errors: FieldErrors): string[] | undefined {
  const sent = input.events ?? [];
  if (input.malformed?.some((path) => path === 'events' || path.startsWith('events.'))) {
    errors.events = ['must be a list of event names'];
    return undefined;
  }
  if (sent.length === 0) {
    if (isNew || input.empty_lists?.includes('events')) errors.events = ["can't be blank"];
    return undefined;
  }
  if (sent.length > eventsMax) {
    errors.events = [`is too long (maximum is ${eventsMax})`];
    return undefined;
  }
  const unknown = sent.filter((name) => !isEventName(name));
  if (unknown.length > 0) errors.events = ['contains unknown event names'];
  return [...new Set(sent)];
}
