/** Listens to every service: public events become deliveries, revoked keys fall silent. */
import { afterCommit, type EntityManager } from '@store/db';
import type { Message } from '@store/events';
import { consumeRevocations, wantsRevocation } from '../keys/revoke-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { fanOut, wantsEvent } from './fan-out.ts';

/** Throws at a revocation that the gateway did not sign, so that it ends in dead_letters. */
export function wants(app: Pick<Webhooks, 'trust'>, message: Message): boolean {
  return wantsEvent(message) || wantsRevocation(app, message);
}

/** One batch in one transaction (decision D193); the delivery loop hears of it after the commit. */
export async function handleMessages(app: Webhooks, em: EntityManager, messages: Message[]): Promise<void> {
  const now = app.db.clock.now();
  const events = messages.filter(wantsEvent);
  if (events.length > 0) await fanOut(em, events, now);
  await consumeRevocations(
    em,
    messages.filter((message) => wantsRevocation(app, message)),
    now,
  );
  afterCommit(em, () => app.wake());
}
