/** Consumes other services' messages: public events become deliveries, and revoked keys get no more deliveries. */
import { afterCommit, type EntityManager } from '@store/db';
import type { Consumer, Message } from '@store/events';
import { consumeRevocations, wantsRevocation } from '../keys/revoke-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { fanOut, wantsEvent } from './fan-out.ts';

export function consumeEvents(app: Webhooks): Pick<Consumer, 'wants' | 'handle'> {
  return {
    // Throws at a revocation that the gateway did not sign, which moves it to dead_letters.
    wants: (message) => wantsEvent(message) || wantsRevocation(app, message),
    handle: (em, messages) => handleMessages(app, em, messages),
  };
}

/** One batch in one transaction (D193); dispatchers are notified after the commit if something became due. */
async function handleMessages(app: Webhooks, em: EntityManager, messages: Message[]): Promise<void> {
  const now = app.db.clock.now();
  const events = messages.filter(wantsEvent);
  const added = events.length > 0 ? await fanOut(em, events, now) : 0;
  await consumeRevocations(
    em,
    messages.filter((message) => wantsRevocation(app, message)),
    now,
  );
  if (added > 0) afterCommit(em, () => app.wake());
}
