import { eventKinds } from '@store/contract';

/** The event table of the specification; webhook.test cannot be subscribed to. */
export const eventNames = eventKinds().map(({ name }) => name);

const known = new Set(eventNames);

export const isEventName = (name: string) => known.has(name);
