/** Listens to every service: public events become deliveries, revoked keys fall silent. */
import { afterCommit, type EntityManager } from '@store/db';
import type { Message } from '@store/events';
import { consumeRevocations, wantsRevocation } from '../keys/revoke-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { fanOut, wantsEvent } from './fan-out.ts';

export const listenedTopics = ['catalog', 'customers', 'sales', 'inventory', 'purchasing', 'gateway'].map((app) => `${app}.events`);

export function wants(message: Message): boolean {
  return wantsEvent(message) || wantsRevocation(message);
}

/** One batch in one transaction (decision D193); the delivery loop hears of it after the commit. */
export async function handleMessages(app: Webhooks, em: EntityManager, messages: Message[]): Promise<void> {
  const now = app.db.clock.now();
  const events = messages.filter(wantsEvent);
  if (events.length > 0) await fanOut(em, events, now);
  await consumeRevocations(em, messages.filter(wantsRevocation), now);
  afterCommit(em, () => app.wake());
}
