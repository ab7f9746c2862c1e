/** An answer with a signing secret: encrypted when stored for its Idempotency-Key, and never cached. */
import { type Caller, Reply } from '@store/rpc';
import { actorOf, type Seal } from '@store/service';
import type { Webhooks } from '../webhooks.ts';

export const noStore = { 'Cache-Control': 'no-store' };

export function answerSeal(app: Webhooks, caller: Caller): Seal {
  const associated = `idempotency:${caller.storeId}:${actorOf(caller)}:${caller.idempotency?.key ?? ''}`;
  return {
    close: (bytes) => Buffer.from(app.keyRing.seal(bytes, associated)),
    open: (bytes) => app.keyRing.open(Buffer.from(bytes).toString(), associated),
  };
}

export function notCached<Message>(answer: Message | Reply<Message>): Reply<Message> {
  if (!(answer instanceof Reply)) return new Reply(answer, { headers: noStore });
  return new Reply(answer.message, { ...answer.options, headers: { ...answer.options.headers, ...noStore } });
}
