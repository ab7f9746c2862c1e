/** Consumes other services' messages: public events become deliveries, and revoked keys get no more deliveries. */
import type { EntityManager } from '@store/db';
import type { Message } from '@store/events';
import type { ConsumerDeclaration } from '@store/service';
import type { Dispatcher } from './deliveries/dispatcher.ts';
import { fanOut, wantsEvent } from './events/fan-out.ts';
import { consumeRevocations, wantsRevocation } from './keys/revoke-key.ts';
import type { Webhooks } from './webhooks.ts';

type Consuming = Webhooks & { dispatcher: Pick<Dispatcher, 'claimOnInsert'> };

/** After the last event that a subscription wanted, another one may be near for so long. */
const awaitedMs = 10_000;
const unawaitedPauseMs = 250;

export function consumeEvents(app: Consuming): ConsumerDeclaration {
  let wantedAtMs = Number.NEGATIVE_INFINITY;
  const nowMs = () => app.db.clock.now().getTime();
  return {
    // Throws at a revocation that the gateway did not sign, which moves it to dead_letters.
    wants: (message) => wantsEvent(message) || wantsRevocation(app, message),
    handle: async (em, messages) => {
      if ((await handleMessages(app, em, messages)) > 0) wantedAtMs = nowMs();
    },
    // Receivers wait for events that they subscribed to; no request depends on the log of the others.
    lingerMs: () => (nowMs() - wantedAtMs < awaitedMs ? 0 : unawaitedPauseMs),
  };
}

/** One batch in one transaction (D193), which claims what it adds after the revocations of the same batch. Returns how much it added. */
async function handleMessages(app: Consuming, em: EntityManager, messages: Message[]): Promise<number> {
  const now = app.db.clock.now();
  const events = messages.filter(wantsEvent);
  const added = events.length > 0 ? await fanOut(em, events, now) : undefined;
  await consumeRevocations(
    em,
    messages.filter((message) => wantsRevocation(app, message)),
    now,
  );
  if (added && added.count > 0) await app.dispatcher.claimOnInsert(em, added);
  return added?.count ?? 0;
}
